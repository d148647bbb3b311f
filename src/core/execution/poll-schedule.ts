import { type Approval, isOpen, isOpenInFlow, isRunUnknown } from '../state/approval.ts';
import { declineOf, type Execution, type Poll } from '../state/execution.ts';
import { DAY_MS, jittered, type Millis } from '../values/time.ts';

const FIRST_MS = 2_000;
const GROWTH = 1.4;
const MOST_MS = 60_000;
/**
 * While an approval is open, polls only find runs that died or went on elsewhere. A flow's may be answered in its own control
 * panel, too, and nothing but its status tells of that, so that a flow is polled as if it worked.
 */
const WHILE_OPEN_MS = 2 * 60_000;
/** A service that lost a run may find it again, for example after a redeployment. */
const WHILE_LOST_MS = 10 * 60_000;
/** A run that was declined may wait in the service for ever, and nothing here depends on it. */
const WHILE_DECLINED_MS = 10 * 60_000;
const DECLINED_FOR_GOOD_MS = DAY_MS;
/** A run that sends notifications hardly needs polling. */
const AFTER_EVENT_MS = 30_000;
/** The same, right after a resume. */
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
  const { poll, approvals, run } = execution;
  if (approvals.some(isAwaited) && !approvals.some(isOpenInFlow)) return WHILE_OPEN_MS;
  if (declineOf(execution)) return WHILE_DECLINED_MS;
  if (run.status === 'lost') return WHILE_LOST_MS;
  return Math.min(MOST_MS, FIRST_MS * GROWTH ** (poll.count + 1));
}

/**
 * A notification arrived: the next poll can wait, and whatever earlier polls missed no longer counts. The first poll is
 * made anyway, since only a status tells how many tasks there are.
 */
export function postponePoll(execution: Execution, now: Millis): Execution {
  const { poll, ref } = execution;
  if (poll.nextAt === null) return execution;
  const nextAt = poll.count === 0 ? poll.nextAt : Math.max(poll.nextAt, now + jittered(AFTER_EVENT_MS, ref));
  return { ...execution, poll: { ...poll, nextAt, notFoundSince: null, waitingUnseen: 0, unpaused: 0 } };
}

/** A run that was just resumed is polled as after its start, or a little later if it tells by notifications how it goes. */
export function hastenPoll({ poll, tasks, activity }: Execution, now: Millis): Poll {
  if (poll.nextAt === null) return poll;
  const notifies = tasks.length > 0 || activity.seen > 0;
  const nextAt = notifies ? now + AFTER_RESUME_MS : firstPollAt(now);
  return { ...poll, nextAt, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0 };
}

/** Whether the run may wait for a person: while an approval is open, and after a decline. */
export function mayBePaused(execution: Execution): boolean {
  return execution.approvals.some(isOpen) || declineOf(execution) !== null;
}

/** A service may not know a run that waits for a person: then "not found" proves nothing, unless a decision met it, too. */
export function mayBeUnknown(execution: Execution): boolean {
  return execution.approvals.some(isAwaited) || declineOf(execution) !== null;
}

function isAwaited(approval: Approval): boolean {
  return isOpen(approval) && !isRunUnknown(approval);
}
