import type { SHORTCUTS as ENGLISH } from '../en/shortcuts.ts';
import type { Translated } from '../message-values.ts';

export const SHORTCUTS: Translated<typeof ENGLISH> = {
  'shortcut.unknown':
    'Diese Version von Signoff kennt diesen Shortcut nicht. Wer Signoff betreibt, kann es aktualisieren.',
  'shortcut.feedback-title': 'Als Feedback verwenden',
  'shortcut.no-run':
    'Diese Nachricht steht nicht im Thread eines Laufs, der noch im Gang ist. Nimm den Shortcut in einem Thread, in dem eine Crew um Freigabe bittet.',
  'shortcut.nothing-open':
    '*{crew}* hat in diesem Thread nicht um Freigabe gebeten. Feedback ist deshalb noch nicht möglich.',
  'shortcut.no-text': 'Die Nachricht hat keinen Text. Schreib hier, was besser werden soll.',
  'shortcut.cut': 'Die Nachricht hat {count, number} Zeichen; hier stehen die ersten {most, number}.',
  'shortcut.newest':
    'In diesem Thread sind {count, number} Freigaben offen; hier geht es um die neueste, „{task}“. Für eine andere nimm *Änderungen anfordern…* auf ihrer Karte.',

  'choice.channel': 'Channel',
  'choice.channel-hint': 'Dort erscheint der Thread des Laufs, und alle im Channel können ihm folgen.',
  'choice.choose-channel': 'Channel wählen',
  'choice.slow':
    '{crew} braucht lange, um zu nennen, was gebraucht wird. Klick in ein paar Sekunden noch einmal auf Weiter.',
  'choice.into': 'Wohin mit der Nachricht',
  'choice.message': 'Nachricht',
  'choice.message-hint': 'Im nächsten Schritt kannst du sie noch ändern.',
  'choice.message-goes': 'Sie kommt in „{input}“. Im nächsten Schritt kannst du sie noch ändern.',
  'choice.no-text-input':
    '*{crew}* hat keine Angabe, die Text nimmt, und lässt sich deshalb nicht mit einer Nachricht starten.',
  'choice.no-text-input-plain': '{crew} hat keine Angabe, die Text nimmt. Wähl eine andere Crew.',
  'choice.trouble.not-in':
    'Signoff ist nicht in diesem Channel. Schreib dort /invite @{bot} und klick dann noch einmal auf Weiter.',
  'choice.trouble.archived': 'Dieser Channel ist archiviert. Wähl einen anderen.',
  'choice.trouble.direct-message': 'Signoff kann in dieser Unterhaltung keinem Lauf folgen. Wähl einen Channel.',
  'choice.trouble.read-only':
    'Signoff darf in diesem Channel nicht schreiben. Frag die Admins, oder wähl einen anderen.',
  'choice.trouble.not-member': 'Du bist nicht in diesem Channel. Tritt ihm erst bei, oder wähl einen anderen.',
  'choice.trouble.unsure':
    'Slack kann gerade nicht sagen, ob du in diesem Channel bist. Versuch es in einer Minute noch einmal.',
};
