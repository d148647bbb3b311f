/** What waits while its crew has left the crews file. */
export const MISSING_CREW = {
  'missing-crew.pending':
    '*{crew}* isn’t set up in Signoff at the moment, so nobody can decide this. Nothing is lost: the request keeps waiting, and the buttons are back once *{crew}* is set up again. Whoever runs Signoff can do that.',
  'missing-crew.decided':
    '*{crew}* isn’t set up in Signoff at the moment. Nothing is lost: the decision is kept, and goes to the crew once it is set up again. Whoever runs Signoff can do that.',
  'missing-crew.failed':
    '*{crew}* isn’t set up in Signoff at the moment. Once it is set up again, the decision can be sent again. Whoever runs Signoff can do that.',
  'missing-crew.run':
    'This crew isn’t set up in Signoff at the moment. Nothing is lost: decisions are kept, and the run goes on here once the crew is set up again. Whoever runs Signoff can do that.',
  'missing-crew.short': 'isn’t set up in Signoff at the moment',
  'missing-crew.refusal':
    '*{crew}* isn’t set up in Signoff at the moment, so nothing was changed. What was decided before is kept. Ask whoever runs Signoff to set it up again; then try again.',
} as const;
