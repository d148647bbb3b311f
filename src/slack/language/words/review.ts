import type { Translated } from './message-values.ts';

/** Reading a whole text, and reviewing requests one after another or several at once. */
export const REVIEW_WORDS = {
  // Reviewing a request in a modal, and what came of a decision made there.
  'review.button': 'Review',
  'review.title': 'Review · {place, number} of {of, number}',
  'review.skip': 'Skip',
  'review.at-end': '{label} at the end of the text',
  'review.started-by': 'started by {name}',
  'review.nothing-waits': 'Nothing else is waiting for you.',
  'review.all-seen':
    'That’s all. You skipped {count, plural, one {# request, which still waits} other {# requests, which still wait}} for you in *Home*.',
  'review.next-unknown': 'What else waits for you can’t be looked up right now. *Home* lists it.',
  'outcome.approve-title': 'Approved',
  'outcome.reject-title': 'Rejected',
  'outcome.decline-title': 'Declined',
  'outcome.taken-back-title': 'Taken back',
  'outcome.approve': '✅ You approved {request}. The crew continues.',
  'outcome.edited': 'Others decide your text of {request} first. You approve it when your stage is open.',
  'outcome.voted': '✅ Your approval of {request} counts: {count, number} of {quorum, number}.',
  'outcome.stage': '✅ You approved {request}. *{stage}* is complete; *{next}* is next.',
  'outcome.decline': '⛔ You declined {request}. Nothing more is asked in this run.',
  'outcome.reject': '↩️ You rejected {request}. The crew tries again.',
  'outcome.taken-back': '{request} is waiting for a decision again.',

  // Approving several requests at once.
  'batch.title': 'Approve selected',
  'batch.submit': 'Approve {count, number}',
  'batch.loading': 'Reading what you selected…',
  'batch.none': 'Nothing is selected any more. Select requests in Home first.',
  'batch.failed': 'What you selected can’t be looked up right now. Nothing was approved. Try again in a minute.',
  'batch.intro':
    '{count, plural, one {# request will be approved as shown:} other {# requests will be approved as shown, each under its own rules:}}',
  'batch.intro-none': 'None of these can be approved together with others:',
  'batch.left-out': '*Left out*',
  'batch.undo': 'Undo {request}',
  'batch.unnamed': 'A request',
  'batch.votes': 'then {count, number} of {quorum, number}',
  'batch.stage': 'then *{stage}* is complete, and *{next}* is next',
  'batch.stage-counts': '✅ {names}: *{stage}* is complete; *{next}* is next.',
  'batch.asked-again': 'The crew has asked again since, with another text.',
  'batch.other-text': 'The text has changed since.',
  'batch.repeats': 'It may be a repeated notice of round {round, number}, so decide it by itself.',
  'batch.needs-sign-in': 'It takes a sign-in, so decide it by itself.',
  'batch.needs-note': 'It needs a note, so decide it by itself.',
  'batch.too-soon': 'The crew asked only {time} ago, so decide it by itself.',
  'batch.approved-before': 'You had already approved it.',
  'batch.no-answer': 'The reason can’t be looked up right now.',

  'batch.none-title': 'Nothing approved',
  'batch.approved': '✅ {names}: approved. *{crew}* continues.',
  'batch.counts': '✅ {names}: your approval counts, {count, number} of {quorum, number}.',
  'batch.open': '*Still open*, since storing the others took too long:',
  'batch.still-open': 'not approved yet',
  'batch.unclear': 'perhaps approved: no answer came in time',

  // Secrets and characters that texts of crews hide.
  'hidden.secrets': '*{count, plural, one {# secret is} other {# secrets are}} hidden*',
  'hidden.characters': '*{count, plural, one {# invisible character} other {# invisible characters}}*',
  'hidden.hosts':
    '*{count, plural, one {An address looks} other {# addresses look}} like another*, and leads to {hosts}',
  'hidden.show': 'Show',
  'hidden.revealed': 'You see all of the text, which others don’t. The ledger says so if it has secrets.',

  // A text in pages.
  'review.empty': '_The text is empty._',
  'review.attached': 'The text continues. All of it is attached as a file in the thread.',
  'review.file-scope':
    'This text is too long for one window, and Signoff may not attach it as a file: the Slack app lacks the scope files:write. All of it is here, in parts. The person who runs Signoff can add the scope and install the app again.',
  'review.file-outside':
    'This text is too long for one window, and Signoff can’t attach it as a file, since it isn’t in the channel. All of it is here, in parts. Type /invite @{bot} in the channel to get the file.',
  'review.file-waits':
    'This text is too long for one window, and Slack hasn’t taken it as a file yet. All of it is here, in parts. Signoff tries again; if no file appears in the thread, tell the person who runs Signoff.',
  'review.part': 'Part {part, number} of {parts, number}',
  'review.jump': 'Jump to…',
  'review.told': 'The crew gets this with the decision:',
} as const;

export const REVIEW_WORDS_DE: Translated<typeof REVIEW_WORDS> = {
  'review.button': 'Prüfen',
  'review.title': 'Prüfen · {place, number} von {of, number}',
  'review.skip': 'Überspringen',
  'review.at-end': '{label} am Ende des Textes',
  'review.started-by': 'gestartet von {name}',
  'review.nothing-waits': 'Sonst wartet nichts auf dich.',
  'review.all-seen':
    'Das war alles. Du hast {count, plural, one {# Anfrage übersprungen, die} other {# Anfragen übersprungen, die}} in *Home* noch auf dich {count, plural, one {wartet} other {warten}}.',
  'review.next-unknown': 'Was sonst noch auf dich wartet, lässt sich gerade nicht nachschlagen. *Home* listet es auf.',
  'outcome.approve-title': 'Freigegeben',
  'outcome.reject-title': 'Abgelehnt',
  'outcome.decline-title': 'Endgültig abgelehnt',
  'outcome.taken-back-title': 'Zurückgenommen',
  'outcome.approve': '✅ Du hast {request} freigegeben. Die Crew macht weiter.',
  'outcome.edited':
    'Über deinen Text von {request} entscheiden zuerst andere. Du gibst ihn frei, wenn deine Stufe an der Reihe ist.',
  'outcome.voted': '✅ Deine Freigabe von {request} zählt: {count, number} von {quorum, number}.',
  'outcome.stage': '✅ Du hast {request} freigegeben. *{stage}* ist abgeschlossen, als Nächstes kommt *{next}*.',
  'outcome.decline': '⛔ Du hast {request} endgültig abgelehnt. In diesem Lauf wird nichts mehr gefragt.',
  'outcome.reject': '↩️ Du hast {request} abgelehnt. Die Crew versucht es noch einmal.',
  'outcome.taken-back': '{request} wartet wieder auf eine Entscheidung.',

  'batch.title': 'Ausgewählte freigeben',
  'batch.submit': '{count, number} freigeben',
  'batch.loading': 'Lädt, was du ausgewählt hast…',
  'batch.none': 'Es ist nichts mehr ausgewählt. Wähle zuerst Anfragen im Home-Tab aus.',
  'batch.failed':
    'Was du ausgewählt hast, lässt sich gerade nicht nachschlagen. Es wurde nichts freigegeben. Versuch es in einer Minute noch einmal.',
  'batch.intro':
    '{count, plural, one {# Anfrage wird so freigegeben, wie sie hier steht:} other {# Anfragen werden so freigegeben, wie sie hier stehen, jede nach ihren eigenen Regeln:}}',
  'batch.intro-none': 'Davon lässt sich nichts zusammen mit anderem freigeben:',
  'batch.left-out': '*Ausgelassen*',
  'batch.undo': 'Rückgängig: {request}',
  'batch.unnamed': 'Eine Anfrage',
  'batch.votes': 'dann {count, number} von {quorum, number}',
  'batch.stage': 'dann ist *{stage}* abgeschlossen, und *{next}* folgt',
  'batch.stage-counts': '✅ {names}: *{stage}* ist abgeschlossen, als Nächstes kommt *{next}*.',
  'batch.asked-again': 'Die Crew hat inzwischen noch einmal gefragt, mit einem anderen Text.',
  'batch.other-text': 'Der Text hat sich inzwischen geändert.',
  'batch.repeats': 'Vielleicht eine wiederholte Meldung von Runde {round, number}: Entscheide einzeln darüber.',
  'batch.needs-sign-in': 'Es braucht eine Anmeldung: Entscheide einzeln darüber.',
  'batch.needs-note': 'Es braucht eine Notiz: Entscheide einzeln darüber.',
  'batch.too-soon': 'Die Crew hat erst vor {time} gefragt: Entscheide einzeln darüber.',
  'batch.approved-before': 'Du hattest das schon freigegeben.',
  'batch.no-answer': 'Warum, lässt sich gerade nicht sagen.',

  'batch.none-title': 'Nichts freigegeben',
  'batch.approved': '✅ {names}: freigegeben. *{crew}* macht weiter.',
  'batch.counts': '✅ {names}: Deine Freigabe zählt, {count, number} von {quorum, number}.',
  'batch.open': '*Noch offen*, da das Speichern der anderen zu lange dauerte:',
  'batch.still-open': 'noch nicht freigegeben',
  'batch.unclear': 'vielleicht freigegeben, da rechtzeitig keine Antwort kam',

  'hidden.secrets': '*{count, plural, one {# Geheimnis ist} other {# Geheimnisse sind}} verborgen*',
  'hidden.characters': '*{count, plural, one {# unsichtbares Zeichen} other {# unsichtbare Zeichen}}*',
  'hidden.hosts':
    '*{count, plural, one {Eine Adresse sieht aus wie eine andere*, und führt} other {# Adressen sehen aus wie andere*, und führen}} zu {hosts}',
  'hidden.show': 'Anzeigen',
  'hidden.revealed': 'Sie sehen den ganzen Text, andere nicht. Enthält er Geheimnisse, steht das im Protokoll.',

  'review.empty': '_Der Text ist leer._',
  'review.attached': 'Der Text geht weiter: Ganz steht er in der Datei im Thread.',
  'review.file-scope':
    'Dieser Text ist zu lang für ein Fenster, und Signoff darf ihn nicht als Datei anhängen: Der Slack-App fehlt der Scope files:write. Hier steht er ganz, in Teilen. Wer Signoff betreibt, kann den Scope ergänzen und die App neu installieren.',
  'review.file-outside':
    'Dieser Text ist zu lang für ein Fenster, und Signoff kann ihn nicht als Datei anhängen, weil es nicht im Channel ist. Hier steht er ganz, in Teilen. Mit /invite @{bot} im Channel kommt die Datei.',
  'review.file-waits':
    'Dieser Text ist zu lang für ein Fenster, und Slack hat ihn noch nicht als Datei angenommen. Hier steht er ganz, in Teilen. Signoff versucht es wieder; erscheint keine Datei im Thread, sag es denen, die Signoff betreiben.',
  'review.part': 'Teil {part, number} von {parts, number}',
  'review.jump': 'Springen zu…',
  'review.told': 'Das bekommt die Crew mit der Entscheidung:',
};
