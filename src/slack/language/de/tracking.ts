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
  'tracking.ended': 'Dieser Lauf ist zu Ende, es gibt nichts mehr zu verfolgen.',
  'tracking.may-not-stop':
    'Das Verfolgen beenden können nur {name} (hat diesen Lauf gestartet) und alle, die über seine Freigaben entscheiden können.',
  'tracking.may-not-stop-starter':
    'Das Verfolgen beenden kann nur, wer diesen Lauf gestartet hat oder über seine Freigaben entscheiden kann.',
  'tracking.may-not-stop-outside':
    'Das Verfolgen beenden kann nur, wer über die Freigaben dieses Laufs entscheiden kann.',
};
