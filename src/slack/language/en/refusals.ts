/** Why an action changed nothing. */
export const REFUSALS = {
  'refusal.unsure': 'Slack can’t tell right now who can decide this. Try again in a minute.',
  'refusal.approved-already': '{name} already approved this ({when}).',
  'refusal.rejected-already': '{name} already requested changes ({when}).',
  'refusal.rejected-by-time': 'Nobody decided in time, so Signoff requested changes.',
  'refusal.newer-round': 'The crew has asked again since. Decide the newest request in this thread.',
  'refusal.other-text': 'This is no longer the text that waits. Decide on its card, which shows the one that does.',
  'refusal.ended': 'This run has ended, so there’s nothing left to decide.',
  'refusal.unfollowed': 'Somebody stopped tracking this run, so it can’t be decided here.',
  'refusal.expired': 'Nobody decided in time, so this approval is closed.',
  'refusal.too-soon': 'The crew asked only {time} ago. Confirm that you want to approve this.',
  'refusal.voted-title': 'You already approved',
  'refusal.voted-already': 'Your approval counts already. Others need to approve before the crew goes on.',
  'refusal.no-vote': 'You have no vote here to withdraw.',
  'refusal.no-decision': 'There’s no decision here to undo.',
  'refusal.asked-lately': 'They were already asked ({when}). You can ask again an hour after that.',
  'refusal.feedback-missing': 'The crew needs feedback to know what to change. A short sentence will do.',
  'refusal.feedback-missing-here': 'Write what should be better.',
  'refusal.notes-not-taken':
    'This crew can’t take approvals with a note: it would read the note as feedback. Use *Approve*, or *Request changes…* with feedback.',
  'refusal.nothing-to-send': 'There’s nothing to send again: the crew has the decision, or it’s on its way.',
} as const;
