/** The Home tab. */
export const HOME = {
  'home.count':
    '{count, plural, =0 {Nothing waits for you} one {# request waits for you} other {# requests wait for you}}',
  'home.others-count': '{count, plural, one {# waits for others} other {# wait for others}}',
  'home.runs-count': '{count, plural, one {# run of yours in progress} other {# runs of yours in progress}}',
  'home.start': 'Start a crew',
  'home.settings': 'Settings…',
  'home.search': 'Search…',

  'home.all-crews': 'All crews',
  'home.all-channels': 'All channels',
  'home.clear': 'Show everything',
  'home.searched': 'Found by “{words}”',

  'home.waiting': 'Waiting for you',
  'home.others': 'Waiting for others',
  'home.runs': 'Your runs',
  'home.decided': 'Recently decided',
  'home.nothing-waits':
    'Nothing waits for you. What a crew asks and you can decide appears here, oldest first, until it is decided.',
  'home.nothing-others':
    'Nothing waits for others. What your runs ask and others have to decide appears here, and what still needs more approvals than yours.',
  'home.nothing-runs': 'You have no runs. Those that you start appear here, and stay for a week once they have ended.',
  'home.nothing-decided':
    'Nothing was decided lately. For a week, you see here who decided on your requests and runs, and how fast.',
  'home.none-found':
    '{count, plural, one {The only one isn’t shown} other {None of # is shown}}: the filters or the search leave it out.',
  'home.unsure':
    '{count, plural, one {Slack can’t say right now whether you can decide # more request.} other {Slack can’t say right now whether you can decide # more requests.}}',

  'home.a-result': 'a result',
  'home.since': 'waiting since',
  'home.approvals': '{count, number} of {quorum, number} approvals',
  'home.escalated': 'escalated',
  'home.handed-over': '{name} handed this over to you',
  'home.repeats': 'same text as in round {round, number}',
  'home.you-approved-already': 'you have approved it',
  'home.select': 'Select {task} of {crew}',
  'home.select-for': 'Select {task} of {crew} for {name}',
  'home.review': 'Review',
  'home.approve-selected': 'Approve selected…',
  'home.about-selected':
    'For what you select on this page: you see what each is about, and are asked once before anything is approved.',
  'home.open-thread': 'Open thread',

  'home.started': 'started',
  'home.approved': 'Approved by {names} after {duration}',
  'home.changes': '{names} requested changes after {duration}',
  'home.changes-by-nobody': 'Nobody decided within {duration}, so changes were requested',
  'home.closed': 'Nobody decided within {duration}',

  'home.search-title': 'Search your Home',
  'home.search-label': 'Words',
  'home.search-hint':
    'Finds what has all of these words in the name of the task or crew, of the person who started the run, of the channel, or in the inputs.',
  'home.search-submit': 'Search',
  'home.search-cancel': 'Cancel',

  'home.elsewhere':
    'This Signoff belongs to another workspace, so there is nothing to show here. Ask the people who work there.',
  'home.who-are-you': 'Slack can’t tell right now who you are. Open this tab again in a minute.',
  'home.no-store': 'Signoff can’t reach its database right now. What waits for you appears here as soon as it can.',
} as const;
