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
};
