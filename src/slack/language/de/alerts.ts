import type { ALERTS as ENGLISH } from '../en/alerts.ts';
import type { Translated } from '../message-values.ts';

export const ALERTS: Translated<typeof ENGLISH> = {
  'alert.task': '„{task}“',
  'alert.unnamed-task': 'Ein Ergebnis',
  'alert.unnamed-person': 'Ein Mitglied',
  'alert.since': 'seit',
  'alert.waiting': '{what} wartet {since} auf eine Freigabe.',
  'alert.reminder-to-nobody': '{waiting} Entscheiden können: {whoCan}.',
  'alert.escalation': '{waiting} Ab jetzt kannst auch du entscheiden.',
  'alert.escalation-to-nobody': '{waiting} Ab jetzt können auch entscheiden: {whoCan}.',
  'alert.ask': '{waiting} {name} bittet dich um eine Entscheidung.',
  'alert.ask-nobody': '{waiting} {name} bittet um eine Entscheidung. Entscheiden können: {whoCan}.',
  'alert.open': 'Freigabe öffnen',
  'direct.handed-over': '{name} hat dir das übergeben',
};
