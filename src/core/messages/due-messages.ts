import { isOpen } from '../approval/approval.ts';
import { nextCheckAt } from '../claim.ts';
import type { Execution, Run } from '../execution/execution.ts';
import { findApproval } from '../execution/execution.ts';
import { missesCrew } from '../execution/missing-crew.ts';
import { reviewOf } from '../execution/reviewed-tasks.ts';
import type { Millis } from '../time.ts';
import { cardFingerprint, directMessageFingerprint } from './card-change.ts';
import type { Message } from './message.ts';
import { directMessageOf, messagesOf, postOf } from './message.ts';
import type { Post } from './post.ts';
import { tsOf } from './post.ts';
import { rootFingerprint, rootStateFingerprint } from './root-change.ts';
import { updateAt } from './update-at.ts';

type DirectMessage = Extract<Message, { kind: 'direct-message' }>;

/** When a message is to be posted or updated, or when the claim of its posting is to be checked. */
interface DueMessage {
  at: Millis;
  kind: 'post' | 'update' | 'check-claims';
  message: Message;
}

/** The messages of an execution that are due at some time, most urgent first. */
export function dueMessages(execution: Execution): DueMessage[] {
  return messagesOf(execution)
    .filter((message) => isWanted(execution, message))
    .flatMap((message) => due(execution, message));
}

/** Fingerprint of what a message should show now; an update is due while it differs from what the message does show. */
export function wantedFor(execution: Execution, message: Message): string {
  switch (message.kind) {
    case 'root':
      return rootFingerprint(execution);
    case 'card':
    case 'copy': {
      const approval = findApproval(execution, message.approvalId);
      return approval ? cardFingerprint(execution, approval) : UNCHANGING;
    }
    case 'follow-up': {
      const approval = message.approvalId === null ? null : findApproval(execution, message.approvalId);
      return approval ? cardFingerprint(execution, approval) : rootStateFingerprint(execution);
    }
    case 'task': {
      const review = reviewOf(execution, message.taskId);
      return review === 'none' ? UNCHANGING : `${UNCHANGING} ${review}`;
    }
    case 'direct-message':
      return wantedDirectly(execution, message);
    case 'alert':
    case 'file':
    case 'ending':
      return UNCHANGING;
  }
}

/** One that an earlier version has posted stays as it is: nobody knows where it is. */
function wantedDirectly(execution: Execution, message: DirectMessage): string {
  const approval = findApproval(execution, message.approvalId);
  const sent = directMessageOf(execution, message);
  if (!approval || (sent?.post.status === 'posted' && sent.channel === null)) return UNCHANGING;
  return directMessageFingerprint(execution, approval, message.to);
}

/** Stands for the content of a message that is posted once and not updated. */
const UNCHANGING = 'once';

/** The thread waits for its run, replies wait for their thread, and those that only report are for runs that are still followed. */
function isWanted(execution: Execution, message: Message): boolean {
  const hasThread = tsOf(execution.root) !== null;
  const isFollowed = execution.unfollowed === null;
  switch (message.kind) {
    case 'root':
      return hasBegun(execution.run) || execution.root.status !== 'due';
    case 'copy':
      return true;
    case 'card':
      return hasThread && isWorthACard(execution, message.approvalId);
    case 'follow-up':
      return hasThread;
    case 'file':
      return hasThread && isWorthAFile(execution, message.approvalId);
    case 'alert':
      // Whom it mentions, the rules of the crew say.
      return hasThread && isFollowed && !missesCrew(execution) && isPending(execution, message);
    case 'direct-message':
      return isDirectMessageWanted(execution, message);
    case 'task':
    case 'ending':
      return hasThread && isFollowed;
  }
}

function isPending(execution: Execution, { approvalId }: { approvalId: string }): boolean {
  return findApproval(execution, approvalId)?.status === 'pending';
}

/** Nobody is asked any more once the request isn't pending; but what has been posted says what became of it. */
function isDirectMessageWanted(execution: Execution, message: DirectMessage): boolean {
  const status = postOf(execution, message)?.status;
  if (status !== 'due' && status !== 'unsure') return true;
  const card = findApproval(execution, message.approvalId)?.card;
  const hasCard = card !== undefined && tsOf(card) !== null;
  const isAsked = execution.unfollowed === null && !missesCrew(execution);
  return hasCard && isAsked && isPending(execution, message);
}

/** Whether the crew has taken the start, or may have. Others learn nothing of one that failed. */
function hasBegun({ status }: Run): boolean {
  switch (status) {
    case 'starting':
    case 'not-started':
      return false;
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
    case 'lost':
    case 'unconfirmed':
      return true;
  }
}

/** A request that closed before its card was posted needs none. */
function isWorthACard(execution: Execution, approvalId: string): boolean {
  const approval = findApproval(execution, approvalId);
  return approval !== null && (approval.card.status !== 'due' || isOpen(approval) || approval.status === 'delivered');
}

/** A text is attached once. One that was approved and is to be kept is attached although nobody tracks the run any more. */
function isWorthAFile(execution: Execution, approvalId: string): boolean {
  const approval = findApproval(execution, approvalId);
  if (!approval || !isWorthACard(execution, approvalId)) return false;
  if (execution.unfollowed && !(approval.keepsText && approval.status === 'delivered')) return false;
  const same = execution.approvals.find(({ file, output }) => hasFile(file) && output.hash === approval.output.hash);
  return same === undefined || same.id === approvalId || !hasFile(approval.file) || approval.file?.status !== 'due';
}

function hasFile(file: Post | null): boolean {
  return file !== null && !(file.status === 'gone' && file.ts === null);
}

function due(execution: Execution, message: Message): DueMessage[] {
  const post = postOf(execution, message);
  if (!post) return [];
  switch (post.status) {
    case 'due':
    case 'unsure':
      return [{ at: post.notBefore, kind: 'post', message }];
    case 'posting':
      return [{ at: nextCheckAt(post), kind: 'check-claims', message }];
    case 'posted':
      if (post.shown === wantedFor(execution, message)) return [];
      return [{ at: updateAt(execution, message, post), kind: 'update', message }];
    case 'gone':
      return [];
  }
}
