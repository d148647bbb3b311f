import type { Approval } from '../approval/approval.ts';
import { fingerprint } from '../messages/fingerprint.ts';
import type { TaskCompletion } from './events.ts';
import type { CompletedTask, Execution } from './execution.ts';
import { hasEnded } from './execution.ts';

/** What people say about the output of a completed task. `none`: nobody is asked, or it is approved. */
export type TaskReview = 'none' | 'open' | 'sent-back';

/** Equal for repeated reports of one completion. */
export function taskFingerprint({ hop, kickoffId, name, output, summary }: Omit<TaskCompletion, 'agent'>): string {
  return fingerprint([hop, kickoffId, name, output?.hash ?? summary]);
}

/** Whether a completion was told at the addresses of this hop. */
function isOfHop({ kickoffIds }: Execution, task: CompletedTask, hop: number): boolean {
  return [null, ...kickoffIds].some((kickoffId) => task.fingerprint === taskFingerprint({ ...task, hop, kickoffId }));
}

/**
 * The completions that people are asked about, each with its request. They have the same output, and the same name where both
 * are known, or else came in at the same addresses: a later task may pass an approved text on.
 */
export function reviewedTasks(execution: Execution): ReadonlyMap<CompletedTask, Approval> {
  const reviewed = new Map<CompletedTask, Approval>();
  for (const approval of execution.approvals) {
    const isMeant = (task: CompletedTask) => !reviewed.has(task) && mayBeReviewed(execution, task, approval);
    const found = execution.tasks.filter(isMeant);
    const task = found.findLast((each) => isOfHop(execution, each, approval.hop)) ?? found.at(-1);
    if (task) reviewed.set(task, approval);
  }
  return reviewed;
}

function mayBeReviewed(execution: Execution, task: CompletedTask, { output, taskName, hop }: Approval): boolean {
  if (task.output?.hash !== output.hash) return false;
  return task.name !== null && taskName !== null ? task.name === taskName : isOfHop(execution, task, hop);
}

/** What a task's reply tells about its output. After the end nobody is asked any more. */
export function reviewOf(execution: Execution, taskId: string): TaskReview {
  const task = execution.tasks.find(({ id }) => id === taskId);
  const approval = task && reviewedTasks(execution).get(task);
  if (!approval || isApproved(approval) || hasEnded(execution)) return 'none';
  switch (approval.status) {
    case 'pending':
      return 'open';
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
      return 'sent-back';
    case 'superseded':
      return approval.by === 'newer-round' ? 'sent-back' : 'none';
    case 'expired':
      return 'none';
  }
}

export function isApproved(approval: Approval): boolean {
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
