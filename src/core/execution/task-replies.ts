// Replies in the thread about completed tasks, and which task each request reviews. A task whose output people review, or that is the
// run's result, gets no reply of its own.

import { type CompletedTask, type Execution, hasEnded } from '../state/execution.ts';
import { type Message, postOf, withPost, withPosts } from '../state/message.ts';
import { duePost, type Post } from '../state/post.ts';
import { askedText, finalNo, type HumanRequest, type Output } from '../state/request.ts';
import { fingerprint } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import type { TaskCompletion } from './events.ts';

/**
 * A task's reply waits this long for a request or result with the same output, which is shown instead: nobody should read that a task
 * is done before the request appears. Services send these just before or just after the task's own notification.
 */
export const REPLY_WAIT_MS = 5_000;

/** A reply that would show the same as another message. */
const LEFT_OUT: Post = { status: 'gone', ts: null };

/** Returns the reply for a task that has just completed. Without an output, no other message can show it, so it doesn't wait. */
export function replyFor(execution: Execution, task: CompletedTask, now: Millis): Post {
  if (task.output === null) return duePost(now);
  const isReviewed = reviewedTasks({ ...execution, tasks: [...execution.tasks, task] }).has(task);
  return isReviewed ? LEFT_OUT : duePost(now + REPLY_WAIT_MS);
}

export function replyOf(task: Pick<CompletedTask, 'id'>): Message {
  return { kind: 'task', taskId: task.id };
}

/** Returns true while a request about a task may still be on its way, since its reply waits. */
export function mayBeAsked(execution: Execution, task: CompletedTask): boolean {
  const post = postOf(execution, replyOf(task));
  return task.output !== null && post?.status === 'due' && post.tries === 0;
}

/** Leaves out the reply of the task whose output another message shows, unless the reply is posted already. */
export function withoutReply(execution: Execution, output: Output): Execution {
  const isWaiting = (task: CompletedTask) => postOf(execution, replyOf(task))?.status === 'due';
  const shownAgain = execution.tasks.findLast((task) => task.output?.hash === output.hash && isWaiting(task));
  return shownAgain ? withPost(execution, replyOf(shownAgain), () => LEFT_OUT) : execution;
}

/** Posts waiting replies now: the run has moved on, so no request will show the same output. */
export function postRepliesSoon(execution: Execution, now: Millis): Execution {
  return withPosts(execution, execution.tasks.map(replyOf), (post) =>
    post.status === 'due' && post.tries === 0 && post.notBefore > now ? duePost(now) : post,
  );
}

/** The review of a completed task's output. `none`: there is no request, or it is approved or declined. */
export type TaskReview = 'none' | 'open' | 'sent-back';

/** Returns the same text for repeated reports of one completion. */
export function taskFingerprint({ hop, kickoffId, name, output, summary }: Omit<TaskCompletion, 'agent'>): string {
  return fingerprint([hop, kickoffId, name, output?.hash ?? summary]);
}

/** Returns true if a completion was reported at the addresses of this hop. */
function isOfHop({ kickoffIds }: Execution, task: CompletedTask, hop: number): boolean {
  return [null, ...kickoffIds].some((kickoffId) => task.fingerprint === taskFingerprint({ ...task, hop, kickoffId }));
}

/** A cache: an execution object never changes, and several functions need its reviewed tasks. */
const REVIEWED = new WeakMap<Execution, ReadonlyMap<CompletedTask, HumanRequest>>();

/**
 * Returns the completed tasks that people review, each with its request. Both have the same output and the same name or, if a name is
 * missing, arrived at the same addresses: a later task may pass an approved text on.
 */
export function reviewedTasks(execution: Execution): ReadonlyMap<CompletedTask, HumanRequest> {
  const reviews = REVIEWED.get(execution) ?? findReviewed(execution);
  REVIEWED.set(execution, reviews);
  return reviews;
}

function findReviewed(execution: Execution): ReadonlyMap<CompletedTask, HumanRequest> {
  const reviewed = new Map<CompletedTask, HumanRequest>();
  for (const request of execution.requests) {
    const tasks = execution.tasks.filter((task) => !reviewed.has(task) && mayBeReviewed(execution, task, request));
    const task = tasks.findLast((each) => isOfHop(execution, each, request.question.hop)) ?? tasks.at(-1);
    if (task) reviewed.set(task, request);
  }
  return reviewed;
}

function mayBeReviewed(execution: Execution, task: CompletedTask, request: HumanRequest): boolean {
  const { taskName, hop } = request.question;
  if (task.output?.hash !== askedText(request.question).hash) return false;
  return task.name !== null && taskName !== null ? task.name === taskName : isOfHop(execution, task, hop);
}

/** Returns the approved request about a task that has now ended with another text: a guardrail may change it after the decision. */
export function approvedOtherwise(execution: Execution, task: CompletedTask): HumanRequest | null {
  const reviewed = reviewedTasks(execution);
  if (task.name === null || task.output === null || reviewed.has(task)) return null;
  const earlier = execution.tasks.slice(0, execution.tasks.indexOf(task)).findLast(({ name }) => name === task.name);
  const ofSameName = execution.requests.findLast(({ question: { taskName } }) => taskName === task.name);
  const request = ofSameName ?? (earlier && reviewed.get(earlier));
  return request && isApproved(request) && request.question.output.hash !== task.output.hash ? request : null;
}

/** Returns the review that a task's reply shows. After the end there is none any more. */
export function reviewOf(execution: Execution, taskId: string): TaskReview {
  const task = execution.tasks.find(({ id }) => id === taskId);
  const request = task && reviewedTasks(execution).get(task);
  if (!request || isApproved(request) || finalNo(request) || hasEnded(execution)) return 'none';
  switch (request.state.status) {
    case 'pending':
      return 'open';
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
      return 'sent-back';
    case 'superseded':
      return request.state.by === 'newer-round' ? 'sent-back' : 'none';
    case 'declined':
    case 'expired':
      return 'none';
  }
}

/** Returns the last round of each task that has asked. */
export function newestRounds(requests: readonly HumanRequest[]): HumanRequest[] {
  return [...new Map(requests.map((request) => [request.question.taskId, request])).values()];
}

export function isApproved(request: HumanRequest): boolean {
  return (
    'decision' in request.state && request.state.status !== 'superseded' && request.state.decision.verdict === 'approve'
  );
}
