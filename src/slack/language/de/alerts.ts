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
  'alert.named':
    '{waiting} Die Crew hat die Aufgabe erst jetzt benannt. Deshalb gelten nun die Regeln für diese Aufgabe, auch für bisherige Freigaben.',
  'alert.reopened':
    '{waiting} Die Crew hat die Aufgabe erst jetzt benannt, und nach den Regeln für diese Aufgabe gilt die bisherige Entscheidung nicht. Sie ist noch nicht gesendet: Bitte entscheidet noch einmal.',
  'alert.open': 'Freigabe öffnen',
  'direct.handed-over': '{name} hat dir das übergeben',
};
