/** Why a policy says no to a person. */
export const DENIALS = {
  'denial.stranger': 'Only members of the workspace where Signoff is installed can do this. Ask somebody there.',
  'denial.guest':
    'You’re a guest in this workspace, and guests can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.bot': 'Apps can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.deactivated':
    'Your account is deactivated, so you can’t {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.self-approval': 'You started this run, so somebody else has to decide.',
  'denial.self-approval-elsewhere': 'This run counts as started by you, so somebody else has to decide.',
  'denial.not-approver':
    'You aren’t one of those who can {what, select, start {start *{crew}*} requests {decide its requests} other {decide this}}.',
  'denial.giver-denied': '{name} handed this over to you, and can no longer decide it. That’s why you can’t either.',
  'denial.right-used':
    '{name} has already approved this with the same right, and the two of you count once. Somebody else has to approve.',
  'denial.no-token': 'This takes your own access token. Connect it with {command}, then try again.',
  'denial.unsure-you': 'Slack can’t tell right now who you are. Try again in a minute.',
  'denial.unsure-starter': 'Slack can’t tell right now whether you started this run. Try again in a minute.',
  'denial.unsure-elsewhere':
    'This run counts as started by {name}, and Slack can’t say who that is right now, so nobody can decide it. Try again in a minute.',
  'denial.unsure-voters':
    'Slack can’t tell right now whether everybody who approved this or handed it over can still decide it. Try again in a minute.',
  'denial.unsure-channel': 'Slack can’t tell right now whether you’re in this channel. Try again in a minute.',
  'denial.unsure-group':
    'Slack can’t tell right now whether you’re in one of the groups that can do this. Try again in a minute.',
  'denial.unsure-member': 'Slack can’t tell right now whether you’re in {group}. Try again in a minute.',
  'denial.unsure-email': 'Slack can’t tell right now whether you’re {email}. Try again in a minute.',
  'take-over.stranger': '{who} is from another organisation and can’t decide this.',
  'take-over.guest': '{who} is a guest in this workspace, and guests can’t decide this.',
  'take-over.bot': '{who} is an app. Only people can decide this.',
  'take-over.deactivated': '{who}’s account is deactivated.',
  'take-over.self-approval': '{who} started this run, so somebody else has to decide.',
  'take-over.not-approver': '{who} can’t decide this.',
  'take-over.no-token': '{who} needs their own access token to decide this, and hasn’t connected one.',
  'take-over.unsure': 'Slack can’t tell right now whether {who} can decide this. Try again in a minute.',
} as const;
