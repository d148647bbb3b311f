import { askHttp } from './ask-http.ts';
import { judgeClock } from './check-clock.ts';
import { doubtful, type Finding } from './finding.ts';

/** The clock of Slack, by the date of an answer, which is as exact as a second. */
export async function checkSlackClock(apiUrl: string): Promise<Finding> {
  const about = 'Clock of Slack';
  const asked = Date.now();
  const answer = await askHttp(`${apiUrl}api.test`);
  const stamp = answer.kind === 'answered' ? Date.parse(answer.date ?? '') : Number.NaN;
  if (Number.isNaN(stamp)) return doubtful(about, 'Slack can not be asked.', 'Run this again when it can be reached.');
  // The stamp leaves out the part of a second that had passed.
  return judgeClock(about, stamp + 500 - (asked + Date.now()) / 2);
}
