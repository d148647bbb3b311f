/** The list of `/kickoff status`. */
export const STATUS = {
  'status.nothing': 'Nothing is running or waiting here. Start a crew with `/kickoff`.',
  'status.in-progress': '{count, plural, one {# run} other {# runs}} in progress',
  'status.awaiting': '{count, number} awaiting approval',
  'status.not-tracked': '{count, number} no longer tracked',
  'status.more': '{count, plural, one {# more run doesn’t} other {# more runs don’t}} fit here',
  'status.started': 'started {ago} ago',
  'status.started-by': 'started {ago} ago by {name}',
  'status.was-waiting': 'was waiting for approval',
  'status.was-waiting-for': 'was waiting for approval: {task}',
  'status.stopped-by': '{name} stopped tracking',
  'status.open-thread': 'Open the thread',
} as const;
