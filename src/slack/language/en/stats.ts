/** The figures of `/kickoff stats`. */
export const STATS = {
  'stats.of-all': '*Decisions of all crews*',
  'stats.of-crew': '*Decisions of {crew}*',
  'stats.open':
    '{count, plural, =0 {Nothing is awaiting a decision.} one {# request has been awaiting a decision for {age}.} other {# requests are awaiting a decision, the oldest for {age}.}}',
  'stats.count-of-crew': '{crew} {count, number}',
  'stats.nothing-yet':
    'Nothing was decided in the last {days, number} days. Once it is, you see here how many requests were approved or got changes requested, how long that took, how many rounds an approval needed, and who decided most.',
  'stats.last-days': '*Last {days, number} days*',
  'stats.decided': 'Decided: {count, number} ({approved, number} approved, {rejected, number} with changes requested)',
  'stats.none-decided': 'Decided: none',
  'stats.expired': 'Expired, as nobody decided in time: {count, number}',
  'stats.time': 'Time to decision: median {median}, 90th percentile {p90}',
  'stats.rounds': 'Rounds per approval: {rounds, number, ::.0}',
  'stats.at-first': 'Approved in the first round: {share, number, percent} ({count, number} of {of, number})',
  'stats.deciders': 'Most decisions: {people}',
  'stats.decider': '{name} {count, number}',
  'stats.chart': 'Decisions a day',
  'stats.chart-series': 'Decisions',
  'stats.chart-words':
    '{count, plural, =0 {No decisions in the last {days, number} days.} one {# decision in the last {days, number} days, on {date}.} other {# decisions in the last {days, number} days, most of them on {date}: {most, number}.}}',
  'stats.meaning':
    'Half of the decisions took no longer than the median, nine out of ten no longer than the 90th percentile, counted from the request. Rounds count from the start of a task or its last approval. A decision counts for everybody who took part in it, and even if the crew never got it, but not if it was undone. Days are those in {zone}.',
} as const;
