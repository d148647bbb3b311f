/** What keeps a run from going on or from being shown, and what to do about it. */
export const RUN_PROBLEMS = {
  'problem.lost':
    'The crew’s service no longer knows this run. It may be waiting for a decision that Signoff never heard of: look in the crew’s own control panel. If the crew gets in touch again, this thread goes on.',
  'problem.expired':
    'Nobody decided the last approval in time, and the crew is still waiting. Answer it in the crew’s own control panel. If nobody needs the run any more, stop tracking it here.',
  'problem.unseen':
    'The crew says it is waiting for a person, but its request didn’t reach Signoff. Look in the crew’s own control panel; whoever runs the crew can check that its human-input webhook points here.',
  'problem.unauthorized':
    'The crew’s service no longer accepts Signoff’s access token, so updates may be missing here. Whoever runs Signoff can renew it.',
  'problem.unreachable':
    'The crew can’t be reached right now. Signoff keeps trying, and this thread catches up by itself.',
  'problem.unsent': 'The crew can’t be reached right now. The decision is saved; Signoff keeps trying.',
  'problem.hidden.not-in-channel':
    'An approval can’t be shown, because Signoff is no longer in this channel. Type `/invite @{bot}`; it appears within a few minutes.',
  'problem.hidden.archived': 'An approval can’t be shown, because this channel is archived.',
  'problem.hidden.may-not-post':
    'An approval can’t be shown, because Signoff may no longer post here. Ask this channel’s admins.',
  'problem.unreadable-request':
    '*{crew}* asks for approval in a format that Signoff can’t read, so it can’t be decided here.',
  'problem.unreadable-parts': 'What came has these parts: {parts}. Show this to whoever runs the crew.',
  'problem.unreadable-nothing': 'Nothing in it has a name. Show this to whoever runs the crew.',
  'problem.limit.open-requests':
    'The crew asks for more than {most} approvals at once. Further requests are refused until some of these are decided.',
  'problem.limit.rounds': 'A task has asked for approval more than {most} times. Its further requests are refused.',
  'problem.limit.requests':
    'The crew has asked for more than {most} approvals in this run. Further requests are refused.',
  'problem.limit.texts': 'The crew has sent more text than Signoff stores for one run. What makes it more is refused.',
  'problem.quoted': '“{name}”',
} as const;
