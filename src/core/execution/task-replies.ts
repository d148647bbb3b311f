import type { Output } from '../approval/approval.ts';
import type { Post } from '../messages/post.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { CompletedTask, Execution } from './execution.ts';
import { reviewedTasks } from './reviewed-tasks.ts';

/**
 * How long a task's reply waits for a request or a result with the same output, which is shown instead: nobody should read that
 * it is done before they are asked about it. Services send these just before or just after the task's own notification.
 */
export const REPLY_WAIT_MS = 5_000;

/** Stands for a reply that would show what another message shows. */
const LEFT_OUT: Post = { status: 'gone', ts: null };

/** The reply for a task that has just completed. Without an output there is nothing to recognise it by, so it doesn't wait. */
export function replyFor(execution: Execution, completed: Omit<CompletedTask, 'post'>, now: Millis): Post {
  if (completed.output === null) return duePost(now);
  const waiting = duePost(now + REPLY_WAIT_MS);
  const task = { ...completed, post: waiting };
  return reviewedTasks({ ...execution, tasks: [...execution.tasks, task] }).has(task) ? LEFT_OUT : waiting;
}

/** Whether a request about a task may still be on its way: its reply isn't shown yet. */
export function mayBeAsked({ output, post }: CompletedTask): boolean {
  return output !== null && post.status === 'due' && post.tries === 0;
}

/** Another message shows this output: the reply of the task that it comes from is left out, unless it is posted already. */
export function withoutReply(tasks: CompletedTask[], output: Output): CompletedTask[] {
  const shownAgain = tasks.findLast(({ post, ...task }) => post.status === 'due' && task.output?.hash === output.hash);
  return tasks.map((task) => (task === shownAgain ? { ...task, post: LEFT_OUT } : task));
}

/** The run has moved on, so nothing that shows the same output is to be expected: replies no longer wait. */
export function hastenReplies(tasks: CompletedTask[], now: Millis): CompletedTask[] {
  return tasks.map((task) => {
    const isWaiting = task.post.status === 'due' && task.post.tries === 0 && task.post.notBefore > now;
    return isWaiting ? { ...task, post: duePost(now) } : task;
  });
}
