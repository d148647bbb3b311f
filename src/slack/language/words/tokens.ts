import type { Translated } from './message-values.ts';

/** People’s own access tokens. */
export const TOKENS_WORDS = {
  'token.title': 'Connect your token',
  'token.connect': 'Connect',
  'token.button': 'Connect your token',
  'token.of-a-crew': 'Connect your own access token for a crew.',
  'token.of-crew': 'Connect your own access token for *{crew}*.',
  'token.where':
    'Your *User Bearer Token* is on the *Status* tab of the crew’s page in its control panel. What you start and decide is then sent with it, as yours.',
  'token.yours': 'Your token',
  'token.hint':
    'Slack shows what you type here. Signoff stores it encrypted, uses it for nothing but your own starts and decisions, and never shows it again.',
  'token.not-accepted': '{crew} doesn’t accept this token, so it wasn’t stored. Copy it again.',
  'token.unclear':
    '{crew} didn’t say whether it accepts this token, so it wasn’t stored. Try again; if that doesn’t help, ask whoever runs the crew.',
  'token.crew-unreachable':
    '{crew} can’t be reached right now to check this token, so it wasn’t stored. Try again in a few minutes.',
  'token.crew-busy':
    'The service of {crew} is starting or busy and didn’t check this token, so it wasn’t stored. Try again in a few minutes.',
  'token.not-stored': 'Signoff can’t store anything right now, so this token wasn’t stored. Try again in a minute.',
  'token.bad-character': 'This has a space or another character that tokens never have. Copy it again.',
  'token.too-short': 'This is too short for a token. Copy all of it.',
  'token.crew-gone': 'This crew is no longer set up here.',
  'token.none': 'You have no token connected.',
  'token.none-of-crew': 'You have no token connected for *{crew}*.',
  'token.none-such': 'You haven’t connected such a token.',
  'token.cannot-disconnect':
    'Signoff can’t store anything right now, so nothing was disconnected. Try again in a minute.',
  'token.checking':
    'Asking *{crew}* whether it accepts your token…\nYou can close this window: you’ll get the answer in a private message.',
  'token.connected':
    'Your token for *{crew}* is connected. What you start and decide is sent with it from now on. To remove it, type {command}.',
  'token.disconnected': 'Your token for *{crew}* is removed. What you start and decide is no longer sent with it.',
  'token.which': 'You have connected tokens for several crews. Choose which one to remove: {commands}.',
  'token.user-token-refused':
    '*{crew}* didn’t accept your own token. Your decision is saved, but not sent. Type {command}, then use *Send again* on the card.',
  'token.no-user-token':
    '*{crew}* needs your own token, and you have none connected. Your decision is saved, but not sent. Type {command}, then use *Send again* on the card.',
} as const;

export const TOKENS_WORDS_DE: Translated<typeof TOKENS_WORDS> = {
  'token.title': 'Token verbinden',
  'token.connect': 'Verbinden',
  'token.button': 'Eigenes Token verbinden',
  'token.of-a-crew': 'Verbinde dein eigenes Zugangstoken einer Crew.',
  'token.of-crew': 'Verbinde dein eigenes Zugangstoken von *{crew}*.',
  'token.where':
    'Dein *User Bearer Token* steht auf der Seite der Crew im Control Panel, im Tab *Status*. Was du startest und entscheidest, wird dann damit gesendet, in deinem Namen.',
  'token.yours': 'Dein Token',
  'token.hint':
    'Slack zeigt, was du hier eingibst. Signoff speichert es verschlüsselt, nutzt es nur für deine eigenen Starts und Entscheidungen und zeigt es nie wieder an.',
  'token.not-accepted':
    '{crew} akzeptiert dieses Token nicht, deshalb wurde es nicht gespeichert. Kopiere es noch einmal.',
  'token.unclear':
    '{crew} hat nicht gesagt, ob dieses Token gilt, deshalb wurde es nicht gespeichert. Versuch es noch einmal; hilft das nicht, frag, wer die Crew betreibt.',
  'token.crew-unreachable':
    '{crew} ist gerade nicht erreichbar, um dieses Token zu prüfen, deshalb wurde es nicht gespeichert. Versuch es in ein paar Minuten noch einmal.',
  'token.crew-busy':
    'Der Dienst von {crew} startet gerade oder ist ausgelastet und hat dieses Token nicht geprüft, deshalb wurde es nicht gespeichert. Versuch es in ein paar Minuten noch einmal.',
  'token.not-stored':
    'Signoff kann gerade nichts speichern, auch dieses Token nicht. Versuch es in einer Minute noch einmal.',
  'token.bad-character':
    'Das hat ein Leerzeichen oder ein anderes Zeichen, das in keinem Token vorkommt. Kopiere es noch einmal.',
  'token.too-short': 'Das ist zu kurz für ein Token. Kopiere es ganz.',
  'token.crew-gone': 'Diese Crew ist hier nicht mehr eingerichtet.',
  'token.none': 'Du hast kein Token verbunden.',
  'token.none-of-crew': 'Du hast kein Token von *{crew}* verbunden.',
  'token.none-such': 'Ein solches Token hast du nicht verbunden.',
  'token.cannot-disconnect':
    'Signoff kann gerade nichts speichern, deshalb wurde nichts getrennt. Versuch es in einer Minute noch einmal.',
  'token.checking':
    '*{crew}* wird gefragt, ob dein Token gilt…\nDu kannst dieses Fenster schließen: Die Antwort kommt dann als private Nachricht.',
  'token.connected':
    'Dein Token von *{crew}* ist verbunden: Was du startest und entscheidest, wird ab jetzt damit gesendet. Mit {command} entfernst du es.',
  'token.disconnected':
    'Dein Token von *{crew}* ist entfernt. Was du startest und entscheidest, wird nicht mehr damit gesendet.',
  'token.which': 'Du hast Tokens mehrerer Crews verbunden. Sag, welches entfernt werden soll: {commands}.',
  'token.user-token-refused':
    '*{crew}* hat dein eigenes Token nicht akzeptiert. Deine Entscheidung ist gespeichert, aber nicht gesendet. Gib {command} ein und nimm dann *Noch einmal senden* auf der Karte.',
  'token.no-user-token':
    '*{crew}* braucht dein eigenes Token, und du hast keins verbunden. Deine Entscheidung ist gespeichert, aber nicht gesendet. Gib {command} ein und nimm dann *Noch einmal senden* auf der Karte.',
};
