import type { REVIEW as ENGLISH } from '../en/review.ts';
import type { Translated } from '../message-values.ts';

export const REVIEW: Translated<typeof ENGLISH> = {
  'review.button': 'Prüfen',
  'review.title': 'Prüfen',
  'review.started-by': 'gestartet von {name}',
  'review.next': 'Nächste prüfen',
  'review.next-is': 'Als Nächstes: {names}',
  'outcome.approved-title': 'Freigegeben',
  'outcome.rejected-title': 'Änderungen angefordert',
  'outcome.taken-back-title': 'Zurückgenommen',
  'outcome.approved': '✅ Du hast {task} freigegeben. *{crew}* macht weiter.',
  'outcome.voted':
    '✅ Deine Freigabe von {task} zählt: {count, number} von {quorum, number}. *{crew}* macht weiter, sobald die anderen freigegeben haben.',
  'outcome.rejected': '↩️ Du hast Änderungen angefordert: {task}. *{crew}* überarbeitet das mit deinem Feedback.',
  'outcome.taken-back': '{task} von *{crew}* wartet wieder auf eine Entscheidung.',
};
