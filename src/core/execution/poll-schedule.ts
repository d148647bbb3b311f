// Schedules the polls, in which the worker asks a crew service for the status of a run. Polls find what notifications missed.

import { declineOf, type Execution, type Poll } from '../state/execution.ts';
import { type HumanRequest, isOpen, isOpenInFlow, isRunUnknown } from '../state/request.ts';
import { DAY_MS, jittered, type Millis } from '../values/time.ts';

const FIRST_MS = 2_000;
const GROWTH = 1.4;
const MOST_MS = 60_000;
/**
 * While a request is open, polls only find runs that died or went on elsewhere. A flow is polled more often: people may answer it in
 * its control panel, which only its status shows.
 */
const WHILE_OPEN_MS = 2 * 60_000;
/** A service that lost a run may find it again, for example after a redeployment. */
const WHILE_LOST_MS = 10 * 60_000;
/** A run that was declined may wait in the service for ever, and nothing here depends on it. */
const WHILE_DECLINED_MS = 10 * 60_000;
const DECLINED_FOR_GOOD_MS = DAY_MS;
/** A run that sends notifications hardly needs polling. */
const AFTER_EVENT_MS = 30_000;
const AFTER_RESUME_MS = 10_000;

/** A run is first polled soon after its start, since a small crew may be done by then. */
export function firstPollAt(now: Millis): Millis {
  return now + FIRST_MS;
}

/**
 * Schedules the poll after the current one, with growing intervals and jitter so that runs don't poll in step. A run that was
 * declined is polled for another day.
 */
export function nextPoll(execution: Execution, now: Millis): Poll {
  const { poll, ref } = execution;
  const decline = declineOf(execution);
  if (decline && now - decline.at >= DECLINED_FOR_GOOD_MS) return { ...poll, count: poll.count + 1, nextAt: null };
  const nextAt = now + jittered(intervalMs(execution), `${ref}:${poll.count}`);
  return { ...poll, count: poll.count + 1, nextAt };
}

function intervalMs(execution: Execution): Millis {
  const { poll, requests, run } = execution;
  if (requests.some(isAwaited) && !requests.some(isOpenInFlow)) return WHILE_OPEN_MS;
  if (declineOf(execution)) return WHILE_DECLINED_MS;
  if (run.status === 'lost') return WHILE_LOST_MS;
  return Math.min(MOST_MS, FIRST_MS * GROWTH ** (poll.count + 1));
}

/**
 * Postpones the next poll after a notification, which also outweighs what earlier polls missed. The first poll happens anyway, since
 * only a status says how many tasks there are.
 */
export function postponePoll(execution: Execution, now: Millis): Execution {
  const { poll, ref } = execution;
  if (poll.nextAt === null) return execution;
  const nextAt = poll.count === 0 ? poll.nextAt : Math.max(poll.nextAt, now + jittered(AFTER_EVENT_MS, ref));
  return { ...execution, poll: { ...poll, nextAt, notFoundSince: null, waitingUnseen: 0, unpaused: 0 } };
}

/** Returns the polls of a run that was just resumed: as after its start, or a little later if the run sends notifications. */
export function pollSoon({ poll, tasks, activity }: Execution, now: Millis): Poll {
  if (poll.nextAt === null) return poll;
  const notifies = tasks.length > 0 || activity.seen > 0;
  const nextAt = notifies ? now + AFTER_RESUME_MS : firstPollAt(now);
  return { ...poll, nextAt, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0 };
}

/** Returns true if the run may wait for a person: while a request is open, and after a decline. */
export function mayBePaused(execution: Execution): boolean {
  return execution.requests.some(isOpen) || declineOf(execution) !== null;
}

/** Returns true if "not found" proves nothing: a service may not know a run that waits for a person, unless a decision met it too. */
export function mayBeUnknown(execution: Execution): boolean {
  return execution.requests.some(isAwaited) || declineOf(execution) !== null;
}

function isAwaited(request: HumanRequest): boolean {
  return isOpen(request) && !isRunUnknown(request);
}
