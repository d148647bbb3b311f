import type { Approval } from '../approval/approval.ts';
import { recordEvidence } from '../approval/evidence.ts';
import { fingerprint } from '../messages/fingerprint.ts';
import type { Millis } from '../time.ts';
import type { TaskCompletion } from './events.ts';
import type { CompletedTask, Execution, Progress } from './execution.ts';
import { hasEnded } from './execution.ts';
import { postponePoll } from './poll-schedule.ts';
import { revive, withRunStatus } from './run.ts';
import { hastenReplies, replyFor } from './task-replies.ts';

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
  const post = replyFor(current, output, now);
  const completed: CompletedTask = { id, name, agent, summary, output, fingerprint: mark, post };
  return { ...current, tasks: [...hastenReplies(current.tasks, now), completed] };
}

/** Equal for repeated reports of one completion. */
export function taskFingerprint({ hop, kickoffId, name, output, summary }: Omit<TaskCompletion, 'agent'>): string {
  return fingerprint([hop, kickoffId, name, output?.hash ?? summary]);
}

/**
 * How many tasks are done, as far as the crew has told. A task whose result is up for approval has completed for the crew,
 * but is done only once it is approved.
 */
export function tasksDone({ tasks, approvals, progress }: Execution): number {
  const asked = new Set(approvals.map(({ output }) => output.hash));
  const unasked = tasks.filter(({ output }) => output === null || !asked.has(output.hash)).length;
  const approved = approvals.filter(isApproved).length;
  const done = Math.max(progress.completed, unasked + approved);
  return progress.total === null ? done : Math.min(done, progress.total);
}

function isApproved(approval: Approval): boolean {
  switch (approval.status) {
    case 'pending':
    case 'superseded':
    case 'expired':
      return false;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
      return approval.decision.verdict === 'approve';
  }
}

function countUp(execution: Execution): Progress {
  return { ...execution.progress, completed: tasksDone(execution) + 1 };
}
