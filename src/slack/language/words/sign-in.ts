import type { Translated } from './message-values.ts';

/** Signing in with the company's identity provider to approve: the window in Slack, and the pages in the browser, which mark nothing up. */
export const SIGN_IN_WORDS = {
  'sign-in.title': 'Sign in to approve',
  'sign-in.intro': 'Sign in with your company account to approve {request}.',
  'sign-in.intro-note': 'Sign in with your company account to approve {request} with your note.',
  'sign-in.intro-answer': 'Sign in with your company account to give this answer to {request}:',
  'sign-in.button': 'Sign in and approve',
  'sign-in.next':
    'This opens your browser. As soon as you’ve signed in, your approval counts. The link is for you alone, works once, and expires in five minutes.',

  'sign-in.approved-heading': 'Approved',
  'sign-in.approved': 'You approved “{request}”. You can close this page.',
  'sign-in.counts-heading': 'Your approval counts',
  'sign-in.counts': 'Others still have to approve “{request}”. You can close this page.',
  'sign-in.no-change': 'Nothing was changed. Slack shows how things are now. You can close this page.',
  'sign-in.ask-slack': 'Nothing was changed. Try again in Slack to see why.',
  'sign-in.typed': 'Here is what you wrote, so that you can copy it:',

  // Why nobody was signed in.
  'sign-in.unknown-link-heading': 'This link no longer works',
  'sign-in.unknown-link': 'It was used already, or has expired. Try again in Slack for a new one.',
  'sign-in.other-browser-heading': 'Open the link again',
  'sign-in.other-browser':
    'This sign-in was begun in another browser, or too long ago. Nothing was approved. Open the link in Slack again, and stay in one browser.',
  'sign-in.cancelled-heading': 'You weren’t signed in',
  'sign-in.cancelled': 'Nothing was approved. To try again, open the link in Slack once more.',
  'sign-in.not-verified-heading': 'The sign-in can’t be verified',
  'sign-in.not-verified':
    'Nothing was approved. Open the link in Slack once more. If this happens again, tell whoever runs Signoff.',
  'sign-in.not-fresh-heading': 'Sign in anew',
  'sign-in.not-fresh':
    'Approving takes a new sign-in, and your company’s sign-in service didn’t ask for one. Nothing was approved. Tell whoever runs Signoff.',
  'sign-in.too-weak-heading': 'A stronger sign-in is needed',
  'sign-in.too-weak':
    'You signed in without the factors that approving takes. Nothing was approved. Open the link in Slack once more, and use them.',
  'sign-in.no-address-heading': 'Your address isn’t verified',
  'sign-in.no-address':
    'The identity provider doesn’t say that it has verified your e-mail address. Nothing was approved. Ask whoever runs Signoff.',
  'sign-in.other-person-heading': 'This link is for somebody else',
  'sign-in.other-person':
    'The account that you signed in with isn’t that of the person who clicked Approve in Slack. Nothing was approved.',
  'sign-in.unknown-person-heading': 'Slack doesn’t say who you are',
  'sign-in.unknown-person':
    'Your e-mail address in Slack can’t be looked up right now. Nothing was approved. Try again in a minute; if this happens again, tell whoever runs Signoff.',
  'sign-in.provider-away-heading': 'Signing in doesn’t work right now',
  'sign-in.provider-away':
    'Your company’s sign-in service doesn’t answer. Nothing was approved. Open the link in Slack once more in a minute.',
  'sign-in.store-away-heading': 'Something went wrong',
  'sign-in.store-away':
    'Your approval couldn’t be stored. Look in Slack whether it counts; if not, click Approve again.',
} as const;

export const SIGN_IN_WORDS_DE: Translated<typeof SIGN_IN_WORDS> = {
  'sign-in.title': 'Anmelden',
  'sign-in.intro': 'Melde dich mit deinem Firmenkonto an, um {request} freizugeben.',
  'sign-in.intro-note': 'Melde dich mit deinem Firmenkonto an, um {request} mit deiner Notiz freizugeben.',
  'sign-in.intro-answer': 'Melde dich mit deinem Firmenkonto an, um {request} so zu beantworten:',
  'sign-in.button': 'Anmelden und freigeben',
  'sign-in.next':
    'Das öffnet deinen Browser. Sobald du angemeldet bist, zählt deine Freigabe. Der Link ist nur für dich, gilt einmal und fünf Minuten lang.',

  'sign-in.approved-heading': 'Freigegeben',
  'sign-in.approved': 'Du hast „{request}“ freigegeben. Du kannst diese Seite schließen.',
  'sign-in.counts-heading': 'Deine Freigabe zählt',
  'sign-in.counts': 'Andere müssen „{request}“ noch freigeben. Du kannst diese Seite schließen.',
  'sign-in.no-change': 'Es wurde nichts geändert. Slack zeigt, wie es jetzt steht. Du kannst diese Seite schließen.',
  'sign-in.ask-slack': 'Es wurde nichts geändert. Versuch es in Slack noch einmal, dann steht dort, warum.',
  'sign-in.typed': 'Hier ist, was du geschrieben hast, damit du es kopieren kannst:',

  'sign-in.unknown-link-heading': 'Dieser Link gilt nicht mehr',
  'sign-in.unknown-link':
    'Er wurde schon benutzt oder ist abgelaufen. Versuch es in Slack noch einmal, dann bekommst du einen neuen.',
  'sign-in.other-browser-heading': 'Öffne den Link noch einmal',
  'sign-in.other-browser':
    'Diese Anmeldung hat in einem anderen Browser begonnen oder ist zu lange her. Es wurde nichts freigegeben. Öffne den Link in Slack noch einmal und bleib in einem Browser.',
  'sign-in.cancelled-heading': 'Du wurdest nicht angemeldet',
  'sign-in.cancelled': 'Es wurde nichts freigegeben. Öffne den Link in Slack noch einmal, um es neu zu versuchen.',
  'sign-in.not-verified-heading': 'Anmeldung nicht bestätigt',
  'sign-in.not-verified':
    'Es wurde nichts freigegeben. Öffne den Link in Slack noch einmal. Passiert das wieder, sag es denen, die Signoff betreiben.',
  'sign-in.not-fresh-heading': 'Melde dich neu an',
  'sign-in.not-fresh':
    'Zum Freigeben braucht es eine Anmeldung von jetzt, und du wurdest nicht danach gefragt. Es wurde nichts freigegeben. Sag es denen, die Signoff betreiben.',
  'sign-in.too-weak-heading': 'Es braucht eine stärkere Anmeldung',
  'sign-in.too-weak':
    'Du hast dich ohne die Faktoren angemeldet, die das Freigeben verlangt. Es wurde nichts freigegeben. Öffne den Link in Slack noch einmal und benutze sie.',
  'sign-in.no-address-heading': 'Deine Adresse ist nicht bestätigt',
  'sign-in.no-address':
    'Der Anmeldedienst sagt nicht, dass er deine E-Mail-Adresse geprüft hat. Es wurde nichts freigegeben. Frag, wer Signoff betreibt.',
  'sign-in.other-person-heading': 'Dieser Link ist nicht für dich',
  'sign-in.other-person':
    'Du hast dich mit einem anderen Konto angemeldet als dem der Person, die in Slack auf Freigeben geklickt hat. Es wurde nichts freigegeben.',
  'sign-in.unknown-person-heading': 'Slack sagt nicht, wer du bist',
  'sign-in.unknown-person':
    'Deine E-Mail-Adresse in Slack lässt sich gerade nicht nachschlagen. Es wurde nichts freigegeben. Versuch es in einer Minute noch einmal; passiert das wieder, sag es denen, die Signoff betreiben.',
  'sign-in.provider-away-heading': 'Anmelden geht gerade nicht',
  'sign-in.provider-away':
    'Der Anmeldedienst deiner Firma antwortet nicht. Es wurde nichts freigegeben. Öffne den Link in Slack in einer Minute noch einmal.',
  'sign-in.store-away-heading': 'Etwas ist schiefgegangen',
  'sign-in.store-away':
    'Deine Freigabe ließ sich nicht speichern. Sieh in Slack nach, ob sie zählt; wenn nicht, klick noch einmal auf Freigeben.',
};
