/** Replies that mention people who can decide, and direct messages to them. */
export const ALERTS = {
  'alert.task': '“{task}”',
  'alert.unnamed-task': 'A result',
  'alert.unnamed-person': 'A member',
  'alert.since': 'since',
  'alert.waiting': '{what} has been waiting for approval {since}.',
  'alert.reminder-to-nobody': '{waiting} Who can decide: {whoCan}.',
  'alert.escalation': '{waiting} From now on, you can decide, too.',
  'alert.escalation-to-nobody': '{waiting} Who can decide from now on, too: {whoCan}.',
  'alert.ask': '{waiting} {name} asks you to decide.',
  'alert.ask-nobody': '{waiting} {name} asks for a decision. Who can decide: {whoCan}.',
  'alert.named':
    '{waiting} The crew has only now named the task, so the rules for that task apply from here on, to earlier approvals, too.',
  'alert.reopened':
    '{waiting} The crew has only now named the task, and the rules for that task don’t allow the decision that was made. It hasn’t been sent: please decide again.',
  'alert.open': 'Open the approval',
  'direct.handed-over': '{name} handed this over to you',
} as const;
