import type { Approval } from '../approval/approval.ts';
import { recordEvidence } from '../approval/evidence.ts';
import type { Millis } from '../time.ts';
import type { TaskCompletion } from './events.ts';
import type { Execution, Progress } from './execution.ts';
import { hasEnded } from './execution.ts';
import { postponePoll } from './poll-schedule.ts';
import { isApproved, reviewedTasks, taskFingerprint } from './reviewed-tasks.ts';
import { revive, withRunStatus } from './run.ts';
import { hastenReplies, mayBeAsked, replyFor } from './task-replies.ts';

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
  if (current.tasks.length >= MOST_TASK_REPLIES) return { ...current, progress: countUp(current) };
  const id = String(current.tasks.length + 1);
  const completed = { id, name, agent, summary, output, fingerprint: mark };
  const post = replyFor(current, completed, now);
  return { ...current, tasks: [...hastenReplies(current.tasks, now), { ...completed, post }] };
}

/**
 * How many tasks are done, as far as the crew has told. A task whose result is up for approval has completed for the crew,
 * but is done only once it is approved; one that was just told may still be asked about.
 */
export function tasksDone(execution: Execution): number {
  const { tasks, approvals, progress } = execution;
  const reviewed = reviewedTasks(execution);
  const unasked = tasks.filter((task) => !reviewed.has(task) && !(mayBeAsked(task) && !hasEnded(execution))).length;
  const newest = newestRounds(approvals);
  const approved = newest.filter(isApproved).length;
  const inReview = hasEnded(execution) ? 0 : newest.filter(isInReview).length;
  const done = Math.max(progress.completed, unasked + approved);
  return progress.total === null ? done : Math.min(done, Math.max(0, progress.total - inReview));
}

function newestRounds(approvals: readonly Approval[]): Approval[] {
  return [...new Map(approvals.map((approval) => [approval.taskId, approval])).values()];
}

function isInReview(approval: Approval): boolean {
  return approval.status !== 'superseded' && approval.status !== 'expired' && !isApproved(approval);
}

function countUp(execution: Execution): Progress {
  return { ...execution.progress, completed: tasksDone(execution) + 1 };
}
