/** The rules of a policy, one sentence each; people are words of `who.…` or names. */
export const POLICY = {
  'policy.quorum':
    '{count, plural, one {One person decides.} other {# different people have to approve; one request for changes decides at once.}}',
  'policy.approvers': 'Who can decide: {people}.',
  'policy.starters': 'Who can start it: {people}.',
  'policy.starter-cannot': 'The person who started the run can’t decide it.',
  'policy.starter-can': 'The person who started the run can decide it, too.',
  'policy.starter-can-if-named': 'The person who started the run can decide it, too, if they’re one of them.',
  'policy.guests-cannot': 'Guests and people from other organisations can’t decide.',
  'policy.guests-can-if-named':
    'Guests and people from other organisations can decide only if they’re named by their ID.',
  'policy.own-token': 'Everybody needs their own access token for this crew: {command}.',
  'policy.review': 'Approving less than {time} after the request takes a confirmation.',
  'policy.undo': 'A decision is sent {time} after it’s made; until then it can be undone.',
  'policy.reminder': 'Those who can decide are reminded after {time}, then less and less often.',
  'policy.escalation': 'After {time} without a decision, these can decide, too: {people}.',
  'policy.closing': 'After {time} without a decision, the approval is closed, and nothing is sent to the crew.',
  'policy.rejection': 'After {time} without a decision, Signoff requests changes: “{feedback}”',
  'policy.hours': 'For these times, only working hours count: {hours}.',
  'policy.with-place': '{sentence} ({place})',
  'policy.place-line': '{source}, line {line}',
  'policy.place-lines': '{source}, lines {lines}',
  'who.workspace': 'all members of the workspace',
  'who.this-channel': 'all members of this channel',
  'who.the-channel': 'the members of the channel',
  'who.group': 'everybody in {group}',
  'who.nobody': 'nobody',
} as const;
