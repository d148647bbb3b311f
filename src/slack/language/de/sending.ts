import type { SENDING as ENGLISH } from '../en/sending.ts';
import type { Translated } from '../message-values.ts';

export const SENDING: Translated<typeof ENGLISH> = {
  'sending.unreachable':
    'Die Crew ist gerade nicht erreichbar. Die Entscheidung ist gespeichert; wir versuchen es weiter.',
  'sending.unconfirmed':
    'Die Crew hat diese Entscheidung nicht bestätigt, vielleicht ist sie nicht angekommen. Geht der Lauf weiter, ist alles gut; sonst sende sie noch einmal.',
  'sending.unauthorized':
    'Die Crew hat diese Entscheidung abgelehnt: Sie akzeptiert das Zugangstoken von Signoff nicht. Wer Signoff betreibt, muss es erneuern; sende die Entscheidung danach noch einmal.',
  'sending.user-token-refused':
    'Die Crew hat diese Entscheidung abgelehnt: Sie akzeptiert das eigene Token von {by} nicht. Mit {command} lässt sich ein neues verbinden; sende die Entscheidung danach noch einmal.',
  'sending.no-user-token':
    'Die Crew hat diese Entscheidung abgelehnt: Sie braucht das eigene Token von {by}, und es ist keins verbunden. Mit {command} lässt sich eins verbinden; sende die Entscheidung danach noch einmal.',
  'sending.not-found': 'Die Crew hat diese Entscheidung abgelehnt: Sie hat diesen Lauf nicht mehr.',
  'sending.quota':
    'Die Crew hat diese Entscheidung abgelehnt: Ihr Limit an Läufen ist vorerst aufgebraucht. Sende die Entscheidung noch einmal, sobald das Limit erneuert oder erhöht ist.',
  'sending.gave-up':
    'Die Crew ist nicht erreichbar. Die Entscheidung ist gespeichert; sende sie in ein paar Minuten noch einmal.',
  'sending.refused':
    'Die Crew hat diese Entscheidung abgelehnt. Sende sie noch einmal, oder frag, wer die Crew betreibt.',
  'sending.crew-said': 'Antwort der Crew: {said}',
  'sending.crew-said-with-status': 'Antwort der Crew (HTTP {status}): {said}',
  'sending.crew-said-nothing': 'nichts',
  'send-again.title': 'Entscheidung noch einmal senden?',
  'send-again.refused': 'Die Crew hat sie zuletzt abgelehnt. Behebe die Ursache und sende sie dann noch einmal.',
  'send-again.unconfirmed':
    'Niemand weiß, ob die Crew sie bekommen hat. Falls ja, entscheidet ein zweites Senden womöglich die nächste Frage der Crew, bevor sie jemand gelesen hat. Sieh wenn möglich zuerst im Control Panel der Crew nach.',
  'send-again.yes': 'Noch einmal senden',
  'send-again.no': 'Jetzt nicht',
};
