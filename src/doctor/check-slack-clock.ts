import { askHttp } from './ask-http.ts';
import { judgeClock } from './check-clock.ts';
import { doubtful, type Finding } from './finding.ts';

/** Compares Slack's clock by the date of an answer, which is accurate to a second. */
export async function checkSlackClock(apiUrl: string): Promise<Finding> {
  const about = 'Clock of Slack';
  const asked = Date.now();
  const answer = await askHttp(`${apiUrl}api.test`);
  const stamp = answer.kind === 'answered' ? Date.parse(answer.date ?? '') : Number.NaN;
  if (Number.isNaN(stamp)) return doubtful(about, "couldn't ask Slack.", 'Run this again when Slack can be reached.');
  // The date is rounded down to a second.
  return judgeClock(about, stamp + 500 - (asked + Date.now()) / 2);
}
