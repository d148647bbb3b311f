import { type Approval, isInDoubt, isOpen, provenBy, supersede } from '../state/approval.ts';
import { declineOf, type Execution, hasEnded, type Run, requestOfAsk, type StarterNotice } from '../state/execution.ts';
import { addMessage, ENDING } from '../state/message.ts';
import { attachKeptTexts } from '../state/message-subject.ts';
import { duePost } from '../state/post.ts';
import type { Millis } from '../values/time.ts';
import type { CrewCompletion, EventIds, TaskCompletion } from './events.ts';
import { MOST_KICKOFF_IDS } from './limits.ts';
import { firstPollAt, postponePoll } from './poll-schedule.ts';
import {
  hastenReplies,
  isApproved,
  mayBeAsked,
  newestRounds,
  replyFor,
  replyOf,
  reviewedTasks,
  taskFingerprint,
  withoutReply,
} from './task-replies.ts';

/** Number of consecutive polls that must say "waiting" before the thread reports a missing request: it may be on its way. */
export const UNSEEN_POLLS = 2;

/** `waiting` while an approval is open, otherwise `running`, or over if it only asked; other states stay as they are. */
export function withRunStatus(execution: Execution): Execution {
  const { run } = execution;
  if (run.status !== 'running' && run.status !== 'waiting') return execution;
  const waits = execution.approvals.some(isOpen) || isWaitingUnseen(execution);
  const closedAt = waits ? null : closedAtOf(requestOfAsk(execution));
  if (closedAt !== null) return endRun(execution, { status: 'completed', result: null, endedAt: closedAt }, closedAt);
  const status = waits ? 'waiting' : 'running';
  return status === run.status ? execution : { ...execution, run: { status } };
}

/** When a request was settled; null as long as it isn't, or if there is none. */
function closedAtOf(request: Approval | null): Millis | null {
  switch (request?.status) {
    case 'delivered':
      return request.deliveredAt;
    case 'superseded':
      return request.supersededAt;
    case 'declined':
      return request.declinedAt;
    case 'expired':
      return request.expiredAt;
    case 'pending':
    case 'decided':
    case 'sending':
    case 'failed':
    case undefined:
      return null;
  }
}

/** Whether the service says that the run waits for a person, although no request has reached us. One that was declined may wait for ever. */
export function isWaitingUnseen(execution: Execution): boolean {
  const { approvals, poll, possibleRepeats } = execution;
  const isUnseen = poll.waitingUnseen >= UNSEEN_POLLS && possibleRepeats.length === 0;
  return isUnseen && !approvals.some(isOpen) && declineOf(execution) === null;
}

const NOT_KNOWN_ALIVE: readonly Run['status'][] = ['starting', 'not-confirmed', 'not-started', 'lost'];

/** The run is alive: whatever we believed, it has started, and nothing may start it again. */
export function revive(execution: Execution, now: Millis): Execution {
  if (!NOT_KNOWN_ALIVE.includes(execution.run.status)) return execution;
  const started = execution.kickoff.status === 'due' ? closeKickoff(execution, now) : execution;
  return startPolling({ ...started, run: { status: 'running' } }, now);
}

/** Ends the run for good: open requests are settled, polling stops, and the thread is told how it ended. */
export function endRun(
  execution: Execution,
  run: Extract<Run, { status: 'completed' | 'failed' }>,
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const result = run.status === 'completed' ? run.result : null;
  const replies = hastenReplies(result ? withoutReply(execution, result) : execution, now);
  const isReported = execution.unfollowed === null && execution.origin.kind !== 'ask';
  return attachKeptTexts({
    ...closeKickoff(isReported ? addMessage(replies, ENDING, duePost(now)) : replies, now),
    run,
    approvals: execution.approvals.map((approval) => closeAtEnd(approval, run.status, now)),
    possibleRepeats: [],
    poll: { ...execution.poll, nextAt: null, waitingUnseen: 0, unpaused: 0 },
    activity: { ...execution.activity, refreshAt: null },
  });
}

/** Starts polling a run, unless following was stopped. */
export function startPolling(execution: Execution, now: Millis): Execution {
  if (execution.unfollowed) return execution;
  const poll = { ...execution.poll, nextAt: firstPollAt(now), count: 0, notFoundSince: null };
  return { ...execution, poll };
}

/** For this long, Slack takes the outcome of a start as the answer to its request, and no notice is needed. */
const ANSWER_MS = 3_000;

/** The private message to the starter about the start; who started it elsewhere, or by a workflow, learns it there. */
export function dueStarterNotice({ origin, createdAt }: Execution, now: Millis): StarterNotice {
  if (origin.kind !== 'form' && origin.kind !== 'command') return { status: 'none' };
  return { status: 'due', tries: 0, notBefore: Math.max(now, createdAt + ANSWER_MS) };
}

/** Ensures that the kickoff is never sent again, and that the starter, whose form may say "Starting…", is told. */
export function closeKickoff(execution: Execution, now: Millis): Execution {
  const { starterNotice } = execution;
  const told = starterNotice.status === 'none' ? dueStarterNotice(execution, now) : starterNotice;
  return { ...execution, kickoff: { status: 'settled' }, starterNotice: told };
}

/** A run that completed has taken whatever may have arrived; a decision that was never sent is superseded. */
function closeAtEnd(approval: Approval, end: 'completed' | 'failed', now: Millis): Approval {
  switch (approval.status) {
    case 'pending':
      return supersede(approval, 'ended', now);
    case 'sending':
      return end === 'completed' ? provenBy(approval, now) : approval;
    case 'decided':
    case 'failed':
      return end === 'completed' && isInDoubt(approval) ? provenBy(approval, now) : supersede(approval, 'ended', now);
    case 'delivered':
    case 'superseded':
    case 'declined':
    case 'expired':
      return approval;
  }
}

/** A run with more completed tasks than this counts them, but posts no further replies. */
export const MOST_TASK_REPLIES = 100;

/** A task completed: one reply in the thread at most, however often the crew reports it. */
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
  const replies = addMessage(hastenReplies(current, now), replyOf(completed), replyFor(current, completed, now));
  return { ...replies, tasks: [...current.tasks, completed] };
}

/**
 * How many tasks are done, as far as the crew has told. A task whose result is up for approval has completed for the crew,
 * but is done only once it is approved; one that was just told may still be asked about.
 */
export function tasksDone(execution: Execution): number {
  const { tasks, approvals, progress } = execution;
  const reviewed = reviewedTasks(execution);
  const unasked = tasks.filter(
    (task) => !reviewed.has(task) && !(mayBeAsked(execution, task) && !hasEnded(execution)),
  ).length;
  const newest = newestRounds(approvals);
  const approved = newest.filter(isApproved).length;
  const inReview = hasEnded(execution) ? 0 : newest.filter(isInReview).length;
  const done = Math.max(progress.completed, unasked + approved);
  return progress.total === null ? done : Math.min(done, Math.max(0, progress.total - inReview));
}

function isInReview(approval: Approval): boolean {
  return approval.status !== 'superseded' && approval.status !== 'expired' && !isApproved(approval);
}

/** The crew finished, which also proves that everything sent to it had arrived. */
export function recordCompletion(execution: Execution, crew: CrewCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const proven = recordEvidence(revive(execution, now), crew, now);
  return endRun(proven, { status: 'completed', result: crew.result, endedAt: now }, now);
}

/** Coalescing window for agent steps: the thread shows the first at once, and then only the latest one of each window. */
export const ACTIVITY_WINDOW_MS = 3_000;
/** When a status is shown again: Slack takes it away after two minutes, and an agent may think for longer. */
export const STATUS_REFRESH_MS = 100_000;

/** An agent made a step. The step itself is stored beside the record, which is touched at most once per window. */
export function recordStep(execution: Execution, event: EventIds, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const { refreshAt } = execution.activity;
  const proven = recordEvidence(revive(execution, now), event, now);
  if (execution.unfollowed || (refreshAt !== null && refreshAt <= now + ACTIVITY_WINDOW_MS)) return proven;
  const activity = { ...proven.activity, refreshAt: Math.max(now, soonestAt(execution.activity, now)) };
  return withRunStatus(postponePoll({ ...proven, activity }, now));
}

/** When a new step may be shown: the first at once. A root that tells them gathers them, too. */
function soonestAt({ seen, refreshAt }: Execution['activity'], now: Millis): Millis {
  if (refreshAt !== null) return refreshAt - STATUS_REFRESH_MS + ACTIVITY_WINDOW_MS;
  return seen === 0 ? now : now + ACTIVITY_WINDOW_MS;
}

/** Whether agents are at work, and the thread shows it. */
export function isAtWork({ run, unfollowed }: Execution): boolean {
  return run.status === 'running' && unfollowed === null;
}

/** A message has just been posted in the thread: it takes the status away, or is the first one, which a status needs. */
export function renewStatus(execution: Execution, now: Millis): Execution {
  const { activity } = execution;
  if (activity.refreshAt === null || activity.refreshAt <= now || !isAtWork(execution)) return execution;
  return { ...execution, activity: { ...activity, refreshAt: now } };
}

/** The thread's status is about to show the latest step. It will be shown again while the agents work. */
export function catchUp(execution: Execution, now: Millis): Execution {
  const { activity } = execution;
  if (activity.refreshAt === null || now < activity.refreshAt) return execution;
  return { ...execution, activity: { ...activity, refreshAt: isAtWork(execution) ? now + STATUS_REFRESH_MS : null } };
}

/** Whether the thread's status tells the latest step. `silent`: there is none that is still worth telling. */
export type StatusOutcome = 'told' | 'refused' | 'silent';

/** Where Slack takes no status, the root tells the step. */
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

/** How long evidence may prove an unanswered resume before a person is asked. */
export const EVIDENCE_MS = 20_000;

/**
 * Records what a notification proves: new ids, and that the resume arrived which gave out the address the notification came
 * in at (same hop). It proves nothing about earlier resumes: with parallel tasks those may have been lost. Returns the same
 * object if it proves nothing new.
 */
export function recordEvidence(execution: Execution, event: EventIds, now: Millis): Execution {
  const isFull = execution.kickoffIds.length >= MOST_KICKOFF_IDS;
  const kickoffIds = isFull ? execution.kickoffIds : withKickoffId(execution.kickoffIds, event.kickoffId);
  const executionId = execution.executionId ?? event.executionId ?? null;
  const approvals = execution.approvals.map((approval) => proven(approval, event.hop, now));
  const isKnown = kickoffIds === execution.kickoffIds && executionId === execution.executionId;
  if (isKnown && approvals.every((approval, i) => approval === execution.approvals[i])) return execution;
  return withRunStatus(attachKeptTexts({ ...execution, kickoffIds, executionId, approvals }));
}

/** Appends an id that isn't known yet. */
export function withKickoffId(kickoffIds: string[], kickoffId: string | null): string[] {
  return kickoffId === null || kickoffIds.includes(kickoffId) ? kickoffIds : [...kickoffIds, kickoffId];
}

function proven(approval: Approval, hop: number, now: Millis): Approval {
  const isOfHop = 'attempts' in approval && approval.attempts.some((attempt) => attempt.hop === hop);
  return isOfHop ? provenBy(approval, now) : approval;
}
