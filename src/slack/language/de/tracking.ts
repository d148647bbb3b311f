import type { TRACKING as ENGLISH } from '../en/tracking.ts';
import type { Translated } from '../message-values.ts';

export const TRACKING: Translated<typeof ENGLISH> = {
  'tracking.stop': 'Für alle nicht mehr verfolgen',
  'tracking.again': 'Wieder verfolgen',
  'tracking.confirm-title': 'Für alle nicht mehr verfolgen?',
  'tracking.confirm':
    'Die Crew läuft weiter. Für alle in diesem Channel schließen sich offene Freigaben, und dieser Thread wird nicht mehr aktualisiert. Was schon entschieden ist, wird noch gesendet. Solange der Lauf läuft, kannst du ihn wieder verfolgen.',
  'tracking.confirm-yes': 'Nicht mehr verfolgen',
  'tracking.confirm-no': 'Weiter verfolgen',
  'tracking.stopped': '{name} verfolgt den Lauf für alle nicht mehr ({when}). Die Crew läuft vielleicht weiter.',
  'tracking.already-stopped': '{name} hat das Verfolgen dieses Laufs schon beendet ({when}).',
  'tracking.not-stopped': 'Dieser Lauf wird schon verfolgt.',
  'tracking.ended': 'Dieser Lauf ist zu Ende, es gibt nichts mehr zu verfolgen.',
  'tracking.may-not-change':
    'Ob dieser Lauf verfolgt wird, können nur {name} (hat ihn gestartet) und alle ändern, die über seine Freigaben entscheiden können.',
  'tracking.may-not-change-starter':
    'Ob dieser Lauf verfolgt wird, kann nur ändern, wer ihn gestartet hat oder über seine Freigaben entscheiden kann.',
  'tracking.may-not-change-outside':
    'Ob dieser Lauf verfolgt wird, kann nur ändern, wer über seine Freigaben entscheiden kann.',
};
