/** Reviewing a request in a modal, and what came of a decision made there. */
export const REVIEW = {
  'review.button': 'Review',
  'review.title': 'Review',
  'review.started-by': 'started by {name}',
  'review.next': 'Review next',
  'review.next-is': 'Next: {names}',
  'outcome.approved-title': 'Approved',
  'outcome.rejected-title': 'Changes requested',
  'outcome.taken-back-title': 'Taken back',
  'outcome.approved': '✅ You approved {task}. *{crew}* goes on.',
  'outcome.voted':
    '✅ Your approval of {task} counts: {count, number} of {quorum, number}. *{crew}* goes on once the others have approved.',
  'outcome.rejected': '↩️ You requested changes to {task}. *{crew}* works on it again with your feedback.',
  'outcome.taken-back': '{task} of *{crew}* waits for a decision again.',
} as const;
