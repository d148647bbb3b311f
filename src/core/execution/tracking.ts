// Polls of a run's status, and *Stop tracking* with its opposite.

import { ANY_REQUEST, findPermitted, type Permission } from '../policy/permission.ts';
import type { Refusal } from '../policy/refusal.ts';
import { type Execution, hasEnded, starterOf, withRequest } from '../state/execution.ts';
import { messageOfAlert, postOf, withoutMessages } from '../state/message.ts';
import {
  type Alert,
  type HumanRequest,
  hasStatus,
  isInDoubt,
  isOpen,
  isOpenInFlow,
  type Person,
  provenBy,
  supersede,
  type Times,
} from '../state/request.ts';
import { ok, type Result } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import type { StatusReading } from './events.ts';
import { mayBePaused, mayBeUnknown, nextPoll } from './poll-schedule.ts';
import { attachKeptTexts, endRun, revive, startPolling, UNSEEN_POLLS, withRunStatus } from './run.ts';

/** Claims a poll by scheduling the next one: if the process dies, another one makes it at most fifteen seconds later. */
export function claimPoll(execution: Execution, now: Millis): Execution {
  const { nextAt } = execution.poll;
  return nextAt === null || now < nextAt ? execution : { ...execution, poll: nextPoll(execution, now) };
}

/** Records the result of a poll that began at `begunAt`. Only a notification revives a run that is no longer polled. */
export function recordStatus(execution: Execution, reading: StatusReading, now: Millis, begunAt = now): Execution {
  if (execution.poll.nextAt === null) return execution;
  const recorded = recordReading(execution, reading, now);
  return execution.possibleRepeats.length === 0
    ? recorded
    : placeRepeats(execution, recorded, { reading, begunAt, now });
}

function recordReading(execution: Execution, reading: StatusReading, now: Millis): Execution {
  const polled = giveUpLost({ ...execution, poll: { ...execution.poll, trouble: null } }, now);
  switch (reading.kind) {
    case 'running':
    case 'waiting':
      return recordAlive(revive(polled, now), reading, now);
    case 'completed':
      return endRun(polled, { status: 'completed', result: reading.result, endedAt: now }, now);
    case 'failed':
      return endRun(polled, { status: 'failed', error: reading.error, endedAt: now }, now);
    case 'not-found':
      return recordNotFound(polled, now);
    case 'unauthorized':
    case 'unreachable':
    case 'busy':
    case 'error':
      return { ...polled, poll: { ...polled.poll, trouble: reading.kind } };
  }
}

/** The possible repetition becomes a request if polls can't tell for this long whether the crew waits. */
const UNCLEAR_MS = 30_000;

/**
 * Makes possible repetitions due once two polls in a row say that the crew waits, or can't tell for a while. Nothing else may explain
 * that: no open request, and no poll that began before the crew had its last answer or before the notification came.
 */
function placeRepeats(
  { poll: before }: Execution,
  execution: Execution,
  { reading, begunAt, now }: { reading: StatusReading; begunAt: Millis; now: Millis },
): Execution {
  const { requests, poll } = execution;
  if (hasEnded(execution) || requests.some(isOpen)) return execution;
  const { heardAt } = execution.possibleRepeats.at(-1) ?? { heardAt: 0 };
  const answeredAt = Math.max(
    0,
    ...requests.map((each) => (each.state.status === 'delivered' ? each.state.deliveredAt : 0)),
  );
  if (begunAt < Math.max(answeredAt, heardAt))
    return { ...execution, poll: { ...poll, waitingUnseen: before.waitingUnseen } };
  const isUnclear = reading.kind !== 'running' && reading.kind !== 'waiting';
  const isUnclearAgain = isUnclear && (before.notFoundSince !== null || before.trouble !== null);
  const isConfirmed = reading.kind === 'waiting' && poll.waitingUnseen >= UNSEEN_POLLS;
  const possibleRepeats = execution.possibleRepeats.map((repeat) => {
    const isTimeUp = now - Math.max(answeredAt, repeat.heardAt) >= UNCLEAR_MS;
    const isDue = isConfirmed || (isUnclearAgain && isTimeUp);
    return repeat.due === null && isDue ? { ...repeat, due: { at: now, isConfirmed } } : repeat;
  });
  return { ...execution, possibleRepeats };
}

/** Returns true if a reading tells nothing new, which is how most polls end. */
export function isRecorded(execution: Execution, reading: StatusReading, now: Millis): boolean {
  if (execution.possibleRepeats.length > 0) return false;
  const { progress, poll, ...others } = recordStatus(execution, reading, now);
  return (
    Object.entries(others).every(([name, value]) => execution[name as keyof typeof others] === value) &&
    JSON.stringify([progress, poll]) === JSON.stringify([execution.progress, execution.poll])
  );
}

function recordAlive(
  execution: Execution,
  reading: Extract<StatusReading, { kind: 'running' | 'waiting' }>,
  now: Millis,
): Execution {
  const { progress, poll, requests } = execution;
  // Some services count a task as completed while they wait for a person about it.
  const counted = mayBePaused(execution) ? null : reading.completed;
  const completed = Math.max(progress.completed, counted ?? 0);
  const waitingUnseen = reading.kind === 'waiting' ? poll.waitingUnseen + 1 : 0;
  const unpaused = reading.kind === 'running' && requests.some(isOpenInFlow) ? poll.unpaused + 1 : 0;
  const read = {
    ...execution,
    requests: unpaused === 0 ? requests : requests.map((each) => answeredInFlow(each, { unpaused, now })),
    progress: { completed, total: reading.total ?? progress.total, current: reading.current ?? progress.current },
    poll: { ...poll, notFoundSince: null, waitingUnseen, unpaused },
  };
  return withRunStatus(attachKeptTexts(read));
}

/**
 * Number of consecutive polls that must find a flow at work before its request counts as answered, and the least age of the request: a
 * flow may send it before its status says that it waits.
 */
const UNPAUSED_POLLS = 2;
const LEAST_AGE_MS = 30_000;

/**
 * Settles requests of a flow that is at work: it no longer waits. An answer of ours that may have arrived has done so; otherwise people
 * answered elsewhere. A flow that still waits proves nothing: it may not have got to our answer yet, or wait for the next one.
 */
function answeredInFlow(request: HumanRequest, { unpaused, now }: { unpaused: number; now: Millis }): HumanRequest {
  if (!isOpenInFlow(request)) return request;
  const isAnswered = unpaused >= UNPAUSED_POLLS && now - request.question.askedAt >= LEAST_AGE_MS;
  if (hasStatus(request, 'sending')) return request.state.claim === null ? provenBy(request, now) : request;
  if (hasStatus(request, 'decided', 'failed') && isInDoubt(request)) return provenBy(request, now);
  return isAnswered ? supersede(request, 'elsewhere', now) : request;
}

/** A run that its service doesn't know counts as lost after this time. */
export const NOT_FOUND_GRACE_MS = 2 * 60_000;
/** A lost run is polled for this long. */
export const LOST_FOR_GOOD_MS = 24 * 60 * 60_000;

/** Records "not found": the run is lost once that has lasted, unless it may wait for a person. */
function recordNotFound(execution: Execution, now: Millis): Execution {
  const { run, poll } = execution;
  if (run.status === 'lost' || mayBeUnknown(execution)) return execution;
  const notFoundSince = poll.notFoundSince ?? now;
  const polled = { ...execution, poll: { ...poll, notFoundSince } };
  return now - notFoundSince < NOT_FOUND_GRACE_MS ? polled : { ...polled, run: { status: 'lost', lostAt: now } };
}

/** Makes this poll of a lost run the last one after a day, unless it finds the run. */
function giveUpLost(execution: Execution, now: Millis): Execution {
  const { run, poll } = execution;
  const isForGood = run.status === 'lost' && now - run.lostAt >= LOST_FOR_GOOD_MS;
  return isForGood ? { ...execution, poll: { ...poll, nextAt: null } } : execution;
}

/**
 * Stops polls, cards and updates, while the crew itself may go on. Existing decisions are still delivered, and a run that has ended
 * stays as it is. Allowed for the starter and for people who can decide one of the run's requests or the crew's in general.
 */
export function stopFollowing(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const allowed = mayStop(execution, { by, now, ...permission });
  if (!allowed.ok) return allowed;
  if (execution.unfollowed || hasEnded(execution)) return ok(execution);
  return ok({
    ...execution,
    unfollowed: { by, at: now },
    poll: { ...execution.poll, nextAt: null },
    // No message follows that would remove the status.
    activity: { ...execution.activity, refreshAt: execution.activity.refreshAt === null ? null : now },
    requests: execution.requests.map((request) =>
      request.state.status === 'pending' ? supersede(request, 'unfollowed', now) : request,
    ),
  });
}

function mayStop(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person; now: Millis },
): Result<null, Refusal> {
  if (starterOf(execution)?.id === by.id) return ok(null);
  const refusals: { ok: false; refusal: Refusal }[] = [];
  for (const approvalId of [ANY_REQUEST, ...execution.requests.map(({ id }) => id)]) {
    const permitted = findPermitted(execution, approvalId, { personId: by.id, ...permission });
    // `ANY_REQUEST` is refused as unknown if the crew's policy lets the person decide.
    if (permitted.ok || permitted.refusal.kind === 'unknown') return ok(null);
    refusals.push(permitted);
  }
  return refusals.find(({ refusal }) => refusal.kind === 'facts-needed') ?? refusals[0] ?? ok(null);
}

/**
 * Takes a stop back while the run lives: polls and updates go on, and the requests that the stop closed wait again, with their votes
 * and the time that they had left. Allowed for the people who may stop it.
 */
export function trackAgain(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const allowed = mayStop(execution, { by, now, ...permission });
  if (!allowed.ok) return allowed;
  if (!execution.unfollowed || hasEnded(execution)) return ok(execution);
  const reopened = execution.requests.reduce((each, request) => reopen(each, request, now), execution);
  const tracked = { ...reopened, unfollowed: null };
  const { status } = execution.run;
  // A start that isn't confirmed has no id for polls.
  const isPolled = status === 'running' || status === 'waiting' || status === 'lost';
  return ok(withRunStatus(isPolled ? startPolling(tracked, now) : tracked));
}

function reopen(execution: Execution, request: HumanRequest, now: Millis): Execution {
  if (request.state.status !== 'superseded' || request.state.by !== 'unfollowed') return execution;
  const { discussion } = request;
  const isUnsent = (alert: Alert) => postOf(execution, messageOfAlert(request, alert))?.status === 'due';
  const unsent = discussion.alerts.filter(isUnsent);
  const alerts = discussion.alerts.filter((alert) => !unsent.includes(alert));
  const times = laterBy(now - request.state.supersededAt, discussion.times);
  const posts = withoutMessages(
    execution,
    unsent.map((alert) => messageOfAlert(request, alert)),
  );
  return withRequest(posts, {
    ...request,
    state: { status: 'pending' },
    discussion: { ...discussion, alerts, times },
  });
}

/** Puts the times off by as long as the clocks stood still, since nobody could decide. */
function laterBy(ms: Millis, times: Times): Times {
  const later = (at: Millis | null) => (at === null ? null : at + ms);
  const { remindAt, escalateAt, expireAt } = times;
  return { ...times, remindAt: later(remindAt), escalateAt: later(escalateAt), expireAt: later(expireAt) };
}
