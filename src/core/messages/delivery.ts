import { isOpen } from '../approval/approval.ts';
import { expireResume } from '../approval/resume.ts';
import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { expireKickoff } from '../execution/kickoff.ts';
import type { Millis } from '../time.ts';
import { backoffMs } from '../time.ts';
import type { Message } from './message.ts';
import { withPost } from './message.ts';
import type { Post, PostOutcome } from './post.ts';
import { claimPosting, duePost, expirePosting, settlePosting, settleUpdate, tsOf } from './post.ts';

/** Changes of the root message gather so long before it is updated again; cards never wait. */
const ROOT_QUIET_MS = 2_000;

/** Only the worker whose claim is stored may post; anybody else gets the same execution back. */
export function claimMessage(execution: Execution, message: Message, now: Millis): Execution {
  return withPost(execution, message, (post) => (isDue(post, now) ? claimPosting(post, now) : post));
}

/** A message whose turn under Slack's limits is far away is looked at again later. */
export function postpone(execution: Execution, message: Message, waitMs: Millis, now: Millis): Execution {
  return withPost(execution, message, (post) =>
    'notBefore' in post ? { ...post, notBefore: Math.max(post.notBefore, now + waitMs) } : post,
  );
}

/**
 * Takes the outcome of a posting, matched by its attempt. A card that was posted is never forgotten: where a later attempt
 * made another one meanwhile, it is a copy.
 */
export function settleMessage(
  execution: Execution,
  { message, attempt, outcome }: { message: Message; attempt: number; outcome: PostOutcome },
  now: Millis,
): Execution {
  const posted = withPost(execution, message, (post) => settlePosting(post, attempt, outcome, now, quietMs(message)));
  const settled = outcome.kind === 'posted' ? moveThread(posted, outcome) : posted;
  if (message.kind !== 'card' || outcome.kind !== 'posted') return settled;
  return learnCopy(settled, { approvalId: message.approvalId, ts: outcome.ts }, now);
}

/**
 * A thread was deleted as a whole, and Slack put a reply to it into the channel: what comes next is replied to that one, or
 * each would stand in the channel by itself.
 */
function moveThread(execution: Execution, { ts, lostThread }: { ts: string; lostThread?: string }): Execution {
  const isCurrent = lostThread !== undefined && tsOf(execution.root) === lostThread;
  return isCurrent ? { ...execution, root: { status: 'gone', ts } } : execution;
}

/** Somebody asks where the open requests are: their cards are updated although nothing changed, which shows whether they are there. */
export function recheckCards(execution: Execution, now: Millis): Execution {
  return execution.approvals
    .filter(isOpen)
    .reduce(
      (each, { id: approvalId }) =>
        withPost(each, { kind: 'card', approvalId }, (post) =>
          post.status === 'posted' ? { ...post, shown: '', notBefore: Math.max(post.notBefore, now) } : post,
        ),
      execution,
    );
}

/** Takes the outcome of an update. An open request whose card was deleted gets a new one. */
export function settleRefresh(
  execution: Execution,
  { message, outcome }: { message: Message; outcome: PostOutcome },
  now: Millis,
): Execution {
  const open = message.kind === 'card' && outcome.kind === 'gone' && findApproval(execution, message.approvalId);
  return withPost(execution, message, (post) =>
    open && isOpen(open) ? duePost(now) : settleUpdate(post, outcome, now, quietMs(message)),
  );
}

/**
 * A card turned up that we didn't know, by a click or by a late answer. If the card's own posting is in doubt, this is it; else it is a
 * further copy, to be kept as true as the card.
 */
export function learnCopy(
  execution: Execution,
  { approvalId, ts }: { approvalId: string; ts: string },
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (!approval || approval.copies.some((copy) => copy.ts === ts)) return execution;
  const found: Post = { status: 'posted', ts, shown: '', tries: 0, notBefore: now };
  switch (approval.card.status) {
    case 'due':
    case 'unsure':
    case 'posting':
      return withApproval(execution, { ...approval, card: found });
    case 'posted':
    case 'gone':
      if (approval.card.ts === ts) return execution;
      return withApproval(execution, { ...approval, copies: [...approval.copies, { ts, post: found }] });
  }
}

/** Ends all claims whose calls can't come back any more. */
export function expireClaims(execution: Execution, now: Millis): Execution {
  const resumed = execution.approvals.reduce((each, approval) => expireResume(each, approval, now), execution);
  return messagesOf(resumed).reduce(
    (each, message) => withPost(each, message, (post) => expirePosting(post, now)),
    expireKickoff(resumed, now),
  );
}

/** Takes the outcome of the private word to the starter. It is said once: a lost one stands in the thread as well. */
export function settleStarterNotice(execution: Execution, outcome: 'told' | 'later', now: Millis): Execution {
  const { starterNotice } = execution;
  if (starterNotice.status !== 'due') return execution;
  const tries = starterNotice.tries + 1;
  if (outcome === 'told' || tries > 3) return { ...execution, starterNotice: { status: 'told' } };
  const notBefore = now + backoffMs(tries, { firstMs: 1_000, mostMs: 30_000 });
  return { ...execution, starterNotice: { status: 'due', tries, notBefore } };
}

function messagesOf(execution: Execution): Message[] {
  const ofApprovals = execution.approvals.flatMap(({ id: approvalId }): Message[] => [
    { kind: 'card', approvalId },
    { kind: 'file', approvalId },
  ]);
  const ofTasks = execution.tasks.map(({ id: taskId }): Message => ({ kind: 'task', taskId }));
  return [{ kind: 'root' }, { kind: 'ending' }, ...ofApprovals, ...ofTasks];
}

function isDue(post: Post, now: Millis): boolean {
  return (post.status === 'due' || post.status === 'unsure') && post.notBefore <= now;
}

function quietMs(message: Message): number {
  return message.kind === 'root' ? ROOT_QUIET_MS : 0;
}
