import type { TOKENS as ENGLISH } from '../en/tokens.ts';
import type { Translated } from '../message-values.ts';

export const TOKENS: Translated<typeof ENGLISH> = {
  'token.title': 'Token verbinden',
  'token.connect': 'Verbinden',
  'token.cancel': 'Abbrechen',
  'token.button': 'Eigenes Token verbinden',
  'token.of-a-crew': 'Verbinde dein eigenes Zugangstoken einer Crew.',
  'token.of-crew': 'Verbinde dein eigenes Zugangstoken von *{crew}*.',
  'token.where':
    'Dein *User Bearer Token* steht auf der Seite der Crew im Control Panel, im Tab *Status*. Was du startest und entscheidest, wird dann damit gesendet, in deinem Namen.',
  'token.crew': 'Crew',
  'token.yours': 'Dein Token',
  'token.hint':
    'Slack zeigt, was du hier eingibst. Signoff speichert es verschlüsselt, nutzt es nur für deine eigenen Starts und Entscheidungen und zeigt es nie wieder an.',
  'token.not-accepted':
    '{crew} akzeptiert dieses Token nicht, deshalb wurde es nicht gespeichert. Kopiere es noch einmal.',
  'token.unclear':
    '{crew} hat nicht gesagt, ob dieses Token gilt, deshalb wurde es nicht gespeichert. Versuch es noch einmal; hilft das nicht, frag, wer die Crew betreibt.',
  'token.crew-unreachable':
    '{crew} ist gerade nicht erreichbar, um dieses Token zu prüfen, deshalb wurde es nicht gespeichert. Versuch es in ein paar Minuten noch einmal.',
  'token.not-stored':
    'Signoff kann gerade nichts speichern, auch dieses Token nicht. Versuch es in einer Minute noch einmal.',
  'token.bad-character':
    'Das hat ein Leerzeichen oder ein anderes Zeichen, das in keinem Token vorkommt. Kopiere es noch einmal.',
  'token.too-short': 'Das ist zu kurz für ein Token. Kopiere es ganz.',
  'token.crew-gone': 'Diese Crew ist hier nicht mehr eingerichtet.',
  'token.no-crews': 'Noch ist keine Crew eingerichtet. Wer Signoff betreibt, kann eine hinzufügen.',
  'token.none': 'Du hast kein Token verbunden.',
  'token.none-of-crew': 'Du hast kein Token von *{crew}* verbunden.',
  'token.none-such': 'Ein solches Token hast du nicht verbunden.',
  'token.cannot-disconnect':
    'Signoff kann gerade nichts speichern, deshalb wurde nichts getrennt. Versuch es in einer Minute noch einmal.',
  'token.too-late': 'Das hat zu lange gedauert, deshalb ließ sich nichts öffnen. Gib den Befehl noch einmal ein.',
  'token.checking':
    '*{crew}* wird gefragt, ob dein Token gilt…\nDu kannst dieses Fenster schließen: Die Antwort kommt dann als private Nachricht.',
  'token.connected':
    'Dein Token von *{crew}* ist verbunden: Was du startest und entscheidest, wird ab jetzt damit gesendet. Mit {command} entfernst du es.',
  'token.disconnected':
    'Dein Token von *{crew}* ist entfernt. Was du startest und entscheidest, wird nicht mehr damit gesendet.',
  'token.which': 'Du hast Tokens mehrerer Crews verbunden. Sag, welches entfernt werden soll: {commands}.',
  'token.refused-with-decision':
    '*{crew}* hat dein eigenes Token nicht akzeptiert. Deine Entscheidung ist gespeichert, aber nicht gesendet. Gib {command} ein und nimm dann *Noch einmal senden* auf der Karte.',
  'token.needed-for-decision':
    '*{crew}* braucht dein eigenes Token, und du hast keins verbunden. Deine Entscheidung ist gespeichert, aber nicht gesendet. Gib {command} ein und nimm dann *Noch einmal senden* auf der Karte.',
};
