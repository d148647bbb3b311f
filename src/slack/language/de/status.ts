import type { STATUS as ENGLISH } from '../en/status.ts';
import type { Translated } from '../message-values.ts';

export const STATUS: Translated<typeof ENGLISH> = {
  'status.nothing': 'Hier läuft und wartet nichts. Starte eine Crew mit `/kickoff`.',
  'status.in-progress': '{count, plural, one {# Lauf} other {# Läufe}} im Gange',
  'status.awaiting': '{count, plural, one {# wartet} other {# warten}} auf Freigabe',
  'status.not-tracked': '{count, number} nicht mehr verfolgt',
  'status.more': '{count, plural, one {# weiterer Lauf passt} other {# weitere Läufe passen}} hier nicht hinein',
  'status.started': 'gestartet vor {ago}',
  'status.started-by': 'gestartet vor {ago} von {name}',
  'status.was-waiting': 'wartete auf Freigabe',
  'status.was-waiting-for': 'wartete auf Freigabe: {task}',
  'status.stopped-by': 'Verfolgen beendet von {name}',
  'status.open-thread': 'Thread öffnen',
};
