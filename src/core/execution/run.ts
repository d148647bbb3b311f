// A run starts, makes steps, completes tasks and ends. Webhooks, streams and polls report that, and each report also proves which
// calls of ours have arrived.

import { declineOf, type Execution, hasEnded, type Run, requestOfAsk, type StarterNotice } from '../state/execution.ts';
import { addMessage, attachText, ENDING } from '../state/message.ts';
import { duePost } from '../state/post.ts';
import { type HumanRequest, hasStatus, isInDoubt, isOpen, provenBy, supersede } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import type { CrewCompletion, EventIds, TaskCompletion } from './events.ts';
import { MOST_KICKOFF_IDS } from './limits.ts';
import { firstPollAt, postponePoll } from './poll-schedule.ts';
import {
  isApproved,
  mayBeAsked,
  newestRounds,
  postRepliesSoon,
  replyFor,
  replyOf,
  reviewedTasks,
  taskFingerprint,
  withoutReply,
} from './task-replies.ts';

/** Number of consecutive polls that must say "waiting" before the thread reports a missing request, which may be on its way. */
export const UNSEEN_POLLS = 2;

/** Sets the status to `waiting` while a request is open, or else to `running`. A run that only asked ends with its request. */
export function withRunStatus(execution: Execution): Execution {
  const { run } = execution;
  if (run.status !== 'running' && run.status !== 'waiting') return execution;
  const waits = execution.requests.some(isOpen) || isWaitingUnseen(execution);
  const closedAt = waits ? null : closedAtOf(requestOfAsk(execution));
  if (closedAt !== null) return endRun(execution, { status: 'completed', result: null, endedAt: closedAt }, closedAt);
  const status = waits ? 'waiting' : 'running';
  return status === run.status ? execution : { ...execution, run: { status } };
}

/** Attaches approved texts that are to be kept in the thread, once their decisions have arrived. */
export function attachKeptTexts(execution: Execution): Execution {
  return execution.requests.reduce((each, request) => {
    if (!request.question.keepsText || request.state.status !== 'delivered' || request.question.output.length === 0)
      return each;
    return isApproved(request) ? attachText(each, request.id, request.state.deliveredAt) : each;
  }, execution);
}

/** Returns when a request was settled; null until then, or without a request. */
function closedAtOf(request: HumanRequest | null): Millis | null {
  switch (request?.state.status) {
    case 'delivered':
      return request.state.deliveredAt;
    case 'superseded':
      return request.state.supersededAt;
    case 'declined':
      return request.state.declinedAt;
    case 'expired':
      return request.state.expiredAt;
    case 'pending':
    case 'decided':
    case 'sending':
    case 'failed':
    case undefined:
      return null;
  }
}

/** Returns true if the service says that the run waits for a person, but no request has arrived. A declined run may wait forever. */
export function isWaitingUnseen(execution: Execution): boolean {
  const { requests, poll, possibleRepeats } = execution;
  const isUnseen = poll.waitingUnseen >= UNSEEN_POLLS && possibleRepeats.length === 0;
  return isUnseen && !requests.some(isOpen) && declineOf(execution) === null;
}

const NOT_KNOWN_ALIVE: readonly Run['status'][] = ['starting', 'not-confirmed', 'not-started', 'lost'];

/** Records that the run is alive: it has started, whatever we believed, and nothing may start it again. */
export function revive(execution: Execution, now: Millis): Execution {
  if (!NOT_KNOWN_ALIVE.includes(execution.run.status)) return execution;
  const started = execution.kickoff.status === 'due' ? closeKickoff(execution, now) : execution;
  return startPolling({ ...started, run: { status: 'running' } }, now);
}

/** Ends the run for good: settles open requests, stops polls, and announces the end in the thread. */
export function endRun(
  execution: Execution,
  run: Extract<Run, { status: 'completed' | 'failed' }>,
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const result = run.status === 'completed' ? run.result : null;
  const replies = postRepliesSoon(result ? withoutReply(execution, result) : execution, now);
  const isReported = execution.unfollowed === null && execution.origin.kind !== 'ask';
  return attachKeptTexts({
    ...closeKickoff(isReported ? addMessage(replies, ENDING, duePost(now)) : replies, now),
    run,
    requests: execution.requests.map((request) => closeAtEnd(request, run.status, now)),
    possibleRepeats: [],
    poll: { ...execution.poll, nextAt: null, waitingUnseen: 0, unpaused: 0 },
    activity: { ...execution.activity, refreshAt: null },
  });
}

/** Starts polling a run, unless it is untracked. */
export function startPolling(execution: Execution, now: Millis): Execution {
  if (execution.unfollowed) return execution;
  const poll = { ...execution.poll, nextAt: firstPollAt(now), count: 0, notFoundSince: null };
  return { ...execution, poll };
}

/** Slack takes the outcome of a start as the answer to its request for this long, so that no notice is needed. */
const ANSWER_MS = 3_000;

/** Returns the private message to the starter about the start. Only a start by form or command needs one. */
export function dueStarterNotice({ origin, createdAt }: Execution, now: Millis): StarterNotice {
  if (origin.kind !== 'form' && origin.kind !== 'command') return { status: 'none' };
  return { status: 'due', tries: 0, notBefore: Math.max(now, createdAt + ANSWER_MS) };
}

/** Ensures that the kickoff is never sent again, and that the starter, whose form may say "Starting…", gets a notice. */
export function closeKickoff(execution: Execution, now: Millis): Execution {
  const { starterNotice } = execution;
  const notice = starterNotice.status === 'none' ? dueStarterNotice(execution, now) : starterNotice;
  return { ...execution, kickoff: { status: 'settled' }, starterNotice: notice };
}

/**
 * Closes a request at the end of its run. A run that completed has taken any decision that may have arrived; a decision that was
 * never sent is superseded.
 */
function closeAtEnd(request: HumanRequest, end: 'completed' | 'failed', now: Millis): HumanRequest {
  if (hasStatus(request, 'sending')) return end === 'completed' ? provenBy(request, now) : request;
  if (!isOpen(request)) return request;
  const hasArrived = end === 'completed' && hasStatus(request, 'decided', 'failed') && isInDoubt(request);
  return hasArrived ? provenBy(request, now) : supersede(request, 'ended', now);
}

/** Further completed tasks count, but get no reply. */
export const MOST_TASK_REPLIES = 100;

/** Records that a task completed. The thread gets one reply at most, however often the crew reports it. */
export function recordTask(execution: Execution, task: TaskCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const proven = recordEvidence(revive(execution, now), task, now);
  if (execution.unfollowed) return proven;
  const current = withRunStatus(postponePoll(proven, now));
  const { name, agent, summary, output } = task;
  const mark = taskFingerprint(task);
  if (current.tasks.some((each) => each.fingerprint === mark)) return current;
  if (current.tasks.length >= MOST_TASK_REPLIES)
    return { ...current, progress: { ...current.progress, completed: tasksDone(current) + 1 } };
  const id = String(current.tasks.length + 1);
  const completed = { id, name, agent, summary, output, fingerprint: mark };
  const replies = addMessage(postRepliesSoon(current, now), replyOf(completed), replyFor(current, completed, now));
  return { ...replies, tasks: [...current.tasks, completed] };
}

/**
 * Returns how many tasks are done. A task whose result people review has completed for the crew, but is done only once it is approved.
 * A request may still follow for a task that has just completed.
 */
export function tasksDone(execution: Execution): number {
  const { tasks, requests, progress } = execution;
  const reviewed = reviewedTasks(execution);
  const unasked = tasks.filter(
    (task) => !reviewed.has(task) && !(mayBeAsked(execution, task) && !hasEnded(execution)),
  ).length;
  const newest = newestRounds(requests);
  const approved = newest.filter(isApproved).length;
  const inReview = hasEnded(execution) ? 0 : newest.filter(isInReview).length;
  const done = Math.max(progress.completed, unasked + approved);
  return progress.total === null ? done : Math.min(done, Math.max(0, progress.total - inReview));
}

function isInReview(request: HumanRequest): boolean {
  return request.state.status !== 'superseded' && request.state.status !== 'expired' && !isApproved(request);
}

/** Records that the crew finished, which also proves that everything sent to it has arrived. */
export function recordCompletion(execution: Execution, crew: CrewCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const proven = recordEvidence(revive(execution, now), crew, now);
  return endRun(proven, { status: 'completed', result: crew.result, endedAt: now }, now);
}

/** The thread shows the first step of an agent at once, and then only the latest one of each window. */
export const ACTIVITY_WINDOW_MS = 3_000;
/** A status is shown again after this time: Slack removes it after two minutes, and an agent may think for longer. */
export const STATUS_REFRESH_MS = 100_000;

/** Records that an agent made a step. The step itself lies beside the record, which changes at most once per window. */
export function recordStep(execution: Execution, event: EventIds, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const { refreshAt } = execution.activity;
  const proven = recordEvidence(revive(execution, now), event, now);
  if (execution.unfollowed || (refreshAt !== null && refreshAt <= now + ACTIVITY_WINDOW_MS)) return proven;
  const activity = { ...proven.activity, refreshAt: Math.max(now, soonestAt(execution.activity, now)) };
  return withRunStatus(postponePoll({ ...proven, activity }, now));
}

/** Returns when a new step may be shown: the first at once. */
function soonestAt({ seen, refreshAt }: Execution['activity'], now: Millis): Millis {
  if (refreshAt !== null) return refreshAt - STATUS_REFRESH_MS + ACTIVITY_WINDOW_MS;
  return seen === 0 ? now : now + ACTIVITY_WINDOW_MS;
}

/** Returns true if agents are at work, and the thread shows it. */
export function isAtWork({ run, unfollowed }: Execution): boolean {
  return run.status === 'running' && unfollowed === null;
}

/** Renews the status after a post in the thread, which removes the status, or is the message that a status needs. */
export function renewStatus(execution: Execution, now: Millis): Execution {
  const { activity } = execution;
  if (activity.refreshAt === null || activity.refreshAt <= now || !isAtWork(execution)) return execution;
  return { ...execution, activity: { ...activity, refreshAt: now } };
}

/** Records that the thread's status shows the latest step. It is due again while the agents work. */
export function catchUp(execution: Execution, now: Millis): Execution {
  const { activity } = execution;
  if (activity.refreshAt === null || now < activity.refreshAt) return execution;
  return { ...execution, activity: { ...activity, refreshAt: isAtWork(execution) ? now + STATUS_REFRESH_MS : null } };
}

/** The outcome of an update of the thread's status. `silent`: no step is still worth showing. */
export type StatusOutcome = 'told' | 'refused' | 'silent';

/** Records the outcome of a status update. If Slack refuses it, the root message shows the step. */
export function settleStatus(execution: Execution, outcome: StatusOutcome): Execution {
  const { seen } = execution.activity;
  switch (outcome) {
    case 'told':
      return execution;
    case 'refused':
      return { ...execution, activity: { seen: seen + 1, refreshAt: null } };
    case 'silent':
      return { ...execution, activity: { seen, refreshAt: null } };
  }
}

/** Evidence has this long to prove an unanswered resume before a person is asked. */
export const EVIDENCE_MS = 20_000;

/**
 * Records what a notification proves: new ids, and that the resume arrived which gave out its address (same hop). It proves nothing
 * about earlier resumes, which may have been lost with parallel tasks. Returns the same object if it proves nothing new.
 */
export function recordEvidence(execution: Execution, event: EventIds, now: Millis): Execution {
  const isFull = execution.kickoffIds.length >= MOST_KICKOFF_IDS;
  const kickoffIds = isFull ? execution.kickoffIds : withKickoffId(execution.kickoffIds, event.kickoffId);
  const executionId = execution.executionId ?? event.executionId ?? null;
  const requests = execution.requests.map((request) => proven(request, event.hop, now));
  const isKnown = kickoffIds === execution.kickoffIds && executionId === execution.executionId;
  if (isKnown && requests.every((request, i) => request === execution.requests[i])) return execution;
  return withRunStatus(attachKeptTexts({ ...execution, kickoffIds, executionId, requests }));
}

/** Appends a new id. */
export function withKickoffId(kickoffIds: string[], kickoffId: string | null): string[] {
  return kickoffId === null || kickoffIds.includes(kickoffId) ? kickoffIds : [...kickoffIds, kickoffId];
}

function proven(request: HumanRequest, hop: number, now: Millis): HumanRequest {
  if (!hasStatus(request, 'decided', 'sending', 'failed')) return request;
  return request.state.attempts.some((attempt) => attempt.hop === hop) ? provenBy(request, now) : request;
}
