import type { Approval } from '../approval/approval.ts';
import { recordEvidence } from '../approval/evidence.ts';
import { fingerprint } from '../messages/fingerprint.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { CrewCompletion, StatusReading, TaskCompletion } from './events.ts';
import type { CompletedTask, Execution } from './execution.ts';
import { hasEnded } from './execution.ts';
import { mayBePaused, nextPoll, postponePoll } from './poll.ts';
import { endRun, revive, withRunStatus } from './run.ts';

/** How long agent steps are gathered before the root message shows the latest one. */
export const ACTIVITY_WINDOW_MS = 3_000;
/** How long a service may not know a run before the thread says that it is lost. */
export const NOT_FOUND_GRACE_MS = 2 * 60_000;
/** For how long a lost run is asked for once in a while. */
export const LOST_FOR_GOOD_MS = 24 * 60 * 60_000;
/** A run with more completed tasks than this says so in its progress; the thread gets no further replies. */
export const MOST_TASK_REPLIES = 100;

/** A task completed: one reply in the thread, however often it is told. */
export function recordTask(execution: Execution, task: TaskCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const proven = recordEvidence(revive(execution, now), task, now);
  if (execution.unfollowed) return proven;
  const signed = withRunStatus(postponePoll(proven, now));
  const { name, agent, summary, output } = task;
  const mark = taskFingerprint(task);
  if (signed.tasks.some((each) => each.fingerprint === mark)) return signed;
  if (signed.tasks.length >= MOST_TASK_REPLIES) return { ...signed, progress: countUp(signed) };
  const id = String(signed.tasks.length + 1);
  const completed: CompletedTask = { id, name, agent, summary, output, fingerprint: mark, post: duePost(now) };
  return { ...signed, tasks: [...signed.tasks, completed] };
}

/** The same for each notice of one completion. */
export function taskFingerprint({ hop, kickoffId, name, output, summary }: Omit<TaskCompletion, 'agent'>): string {
  return fingerprint([hop, kickoffId, name, output?.hash ?? summary]);
}

/**
 * How many tasks are done, as far as the service or its notifications say: a task whose result a person is asked about
 * has completed for the crew, and is done once it is approved.
 */
export function tasksDone({ tasks, approvals, progress }: Execution): number {
  const asked = new Set(approvals.map(({ output }) => output.hash));
  const unasked = tasks.filter(({ output }) => output === null || !asked.has(output.hash)).length;
  const approved = approvals.filter(isApproved).length;
  const done = Math.max(progress.completed, unasked + approved);
  return progress.total === null ? done : Math.min(done, progress.total);
}

/** An agent made a step. The record is touched at most once a window; the step itself lies beside it. */
export function recordStep(
  execution: Execution,
  sign: { hop: number; kickoffId: string | null },
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const { refreshAt } = execution.activity;
  const signed = recordEvidence(revive(execution, now), sign, now);
  if (execution.unfollowed || refreshAt !== null) return signed;
  const activity = { ...signed.activity, refreshAt: now + ACTIVITY_WINDOW_MS };
  return withRunStatus(postponePoll({ ...signed, activity }, now));
}

/** The thread catches up with the agent steps so far. */
export function catchUp(execution: Execution, now: Millis): Execution {
  const { seen, refreshAt } = execution.activity;
  if (refreshAt === null || now < refreshAt) return execution;
  return { ...execution, activity: { seen: seen + 1, refreshAt: null } };
}

/** The crew finished, and everything that was sent to it had arrived. */
export function recordCompletion(execution: Execution, crew: CrewCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const signed = recordEvidence(revive(execution, now), crew, now);
  return endRun(signed, { status: 'completed', result: crew.result, endedAt: now }, now);
}

/** Plans the next poll before this one is made, so that a poll whose process dies is simply made at the next time. */
export function claimPoll(execution: Execution, now: Millis): Execution {
  const { nextAt } = execution.poll;
  return nextAt === null || now < nextAt ? execution : { ...execution, poll: nextPoll(execution, now) };
}

/** Takes what a poll found out; only a notification revives a run that is not polled any more. */
export function recordStatus(execution: Execution, reading: StatusReading, now: Millis): Execution {
  if (execution.poll.nextAt === null) return execution;
  const polled = giveUpLost({ ...execution, poll: { ...execution.poll, trouble: null } }, now);
  switch (reading.kind) {
    case 'running':
    case 'waiting':
      return recordAlive(revive(polled, now), reading);
    case 'completed':
      return endRun(polled, { status: 'completed', result: reading.result, endedAt: now }, now);
    case 'failed':
      return endRun(polled, { status: 'failed', error: reading.error, endedAt: now }, now);
    case 'not-found':
      return recordNotFound(polled, now);
    case 'unauthorized':
    case 'unreachable':
      return { ...polled, poll: { ...polled.poll, trouble: reading.kind } };
  }
}

/** Whatever a poll of a run says that has been lost for a day, it is the last one, unless it finds the run. */
function giveUpLost(execution: Execution, now: Millis): Execution {
  const { run, poll } = execution;
  const isForGood = run.status === 'lost' && now - run.lostAt >= LOST_FOR_GOOD_MS;
  return isForGood ? { ...execution, poll: { ...poll, nextAt: null } } : execution;
}

function recordAlive(
  execution: Execution,
  reading: Extract<StatusReading, { kind: 'running' | 'waiting' }>,
): Execution {
  const { progress, poll } = execution;
  const completed = Math.max(progress.completed, reading.completed ?? 0);
  return withRunStatus({
    ...execution,
    progress: { completed, total: reading.total ?? progress.total, current: reading.current ?? progress.current },
    poll: { ...poll, notFoundSince: null, waitingUnseen: reading.kind === 'waiting' ? poll.waitingUnseen + 1 : 0 },
  });
}

function recordNotFound(execution: Execution, now: Millis): Execution {
  const { run, poll, approvals } = execution;
  if (run.status === 'lost' || mayBePaused(approvals)) return execution;
  const notFoundSince = poll.notFoundSince ?? now;
  const asked = { ...execution, poll: { ...poll, notFoundSince } };
  return now - notFoundSince < NOT_FOUND_GRACE_MS ? asked : { ...asked, run: { status: 'lost', lostAt: now } };
}

function isApproved(approval: Approval): boolean {
  switch (approval.status) {
    case 'pending':
    case 'superseded':
      return false;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
      return approval.decision.verdict === 'approve';
  }
}

/** The count of what gets no reply of its own. */
function countUp(execution: Execution): Execution['progress'] {
  return { ...execution.progress, completed: tasksDone(execution) + 1 };
}
