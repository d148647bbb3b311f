import type { Millis } from '../time.ts';
import type { Execution } from './execution.ts';
import { mayBePaused } from './poll-schedule.ts';

/** How long a service may not know a run before the run counts as lost. */
export const NOT_FOUND_GRACE_MS = 2 * 60_000;
/** How long a lost run is still polled. */
export const LOST_FOR_GOOD_MS = 24 * 60 * 60_000;

/** A poll met "not found": the run is lost once that has lasted, unless an approval is open. */
export function recordNotFound(execution: Execution, now: Millis): Execution {
  const { run, poll, approvals } = execution;
  if (run.status === 'lost' || mayBePaused(approvals)) return execution;
  const notFoundSince = poll.notFoundSince ?? now;
  const polled = { ...execution, poll: { ...poll, notFoundSince } };
  return now - notFoundSince < NOT_FOUND_GRACE_MS ? polled : { ...polled, run: { status: 'lost', lostAt: now } };
}

/** After a day, whatever the poll meets, it is the last one unless it finds the run. */
export function giveUpLost(execution: Execution, now: Millis): Execution {
  const { run, poll } = execution;
  const isForGood = run.status === 'lost' && now - run.lostAt >= LOST_FOR_GOOD_MS;
  return isForGood ? { ...execution, poll: { ...poll, nextAt: null } } : execution;
}
