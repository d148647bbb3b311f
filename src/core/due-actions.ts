import type { Approval } from './approval/approval.ts';
import { isOpen } from './approval/approval.ts';
import { isHeld } from './execution/adoption-hold.ts';
import type { Execution } from './execution/execution.ts';
import { fingerprint } from './messages/fingerprint.ts';
import type { Message } from './messages/message.ts';
import type { Post } from './messages/post.ts';
import { postDueAt, tsOf } from './messages/post.ts';
import { cardModel, rootModel } from './messages/view-models.ts';
import type { Millis } from './time.ts';

/** One thing that the state of an execution owes to somebody. */
export type DueAction =
  | { kind: 'resume'; approvalId: string }
  | { kind: 'kickoff' }
  | { kind: 'post'; message: Message }
  | { kind: 'update'; message: Message }
  | { kind: 'starter-notice' }
  | { kind: 'expire' }
  | { kind: 'catch-up' }
  | { kind: 'poll' }
  | { kind: 'check-adoption' };

interface ScheduledAction {
  at: Millis;
  action: DueAction;
}

/** When this execution next owes something to somebody; null exactly when it owes nothing. */
export function dueAt(execution: Execution): Millis | null {
  const owed = scheduledActions(execution);
  return owed.length === 0 ? null : Math.min(...owed.map(({ at }) => at));
}

/** What is due now, the most pressing first: decisions and cards go before everything that only reports. */
export function dueActionsAt(execution: Execution, now: Millis): DueAction[] {
  return scheduledActions(execution)
    .filter(({ at }) => at <= now)
    .map(({ action }) => action);
}

/** What a message should show now, to be compared with what it does show. */
export function wantedFor(execution: Execution, message: Message): string {
  switch (message.kind) {
    case 'root':
      return fingerprint(rootModel(execution));
    case 'card':
    case 'copy': {
      const approval = execution.approvals.find(({ id }) => id === message.approvalId);
      return approval ? fingerprint(cardModel(execution, approval)) : UNCHANGING;
    }
    case 'file':
    case 'task':
    case 'ending':
      return UNCHANGING;
  }
}

/** What a message shows that is posted once and never updated. */
const UNCHANGING = 'once';

function scheduledActions(execution: Execution): ScheduledAction[] {
  if (isHeld(execution)) return adoptionHoldActions(execution);
  return [
    ...execution.approvals.flatMap(resumeActions),
    ...kickoffActions(execution),
    ...execution.approvals.flatMap((approval) => cardActions(execution, approval)),
    ...messageActions(execution, { kind: 'root' }, execution.root),
    ...(execution.unfollowed ? [] : followerActions(execution)),
    ...starterNoticeActions(execution),
    ...timer(execution.activity.refreshAt, { kind: 'catch-up' }),
    ...timer(execution.poll.nextAt, { kind: 'poll' }),
  ];
}

function adoptionHoldActions({ origin }: Execution): ScheduledAction[] {
  if (origin.kind !== 'elsewhere' || !origin.adoptionHold) return [];
  return [{ at: origin.adoptionHold.checkAt, action: { kind: 'check-adoption' } }];
}

function resumeActions(approval: Approval): ScheduledAction[] {
  switch (approval.status) {
    case 'decided':
      return [{ at: approval.sendAt, action: { kind: 'resume', approvalId: approval.id } }];
    case 'sending':
      return [{ at: approval.until, action: { kind: 'expire' } }];
    case 'pending':
    case 'delivered':
    case 'failed':
    case 'superseded':
      return [];
  }
}

function kickoffActions({ kickoff }: Execution): ScheduledAction[] {
  switch (kickoff.status) {
    case 'due':
      return [{ at: kickoff.notBefore, action: { kind: 'kickoff' } }];
    case 'sending':
      return [{ at: kickoff.until, action: { kind: 'expire' } }];
    case 'settled':
      return [];
  }
}

function cardActions(execution: Execution, approval: Approval): ScheduledAction[] {
  const { id: approvalId, card, copies } = approval;
  return [
    ...(isWorthACard(approval) ? replyActions(execution, { kind: 'card', approvalId }, card) : []),
    ...copies.flatMap(({ ts, post }) => messageActions(execution, { kind: 'copy', approvalId, ts }, post)),
  ];
}

/** A request that closed before its card can have been seen needs none. */
function isWorthACard(approval: Approval): boolean {
  return approval.card.status !== 'due' || isOpen(approval) || approval.status === 'delivered';
}

/** What is posted once and only for those who follow the run. */
function followerActions(execution: Execution): ScheduledAction[] {
  const { tasks, ending, approvals } = execution;
  return [
    ...tasks.flatMap(({ id: taskId, post }) => replyActions(execution, { kind: 'task', taskId }, post)),
    ...replyActions(execution, { kind: 'ending' }, ending),
    ...approvals
      .filter(isWorthACard)
      .flatMap(({ id: approvalId, file }) => replyActions(execution, { kind: 'file', approvalId }, file)),
  ];
}

/** A reply waits for the thread that it goes into. */
function replyActions(execution: Execution, message: Message, post: Post | null): ScheduledAction[] {
  return post === null || tsOf(execution.root) === null ? [] : messageActions(execution, message, post);
}

function messageActions(execution: Execution, message: Message, post: Post): ScheduledAction[] {
  const at = postDueAt(post, wantedFor(execution, message));
  if (at === null) return [];
  switch (post.status) {
    case 'due':
    case 'unsure':
      return [{ at, action: { kind: 'post', message } }];
    case 'posting':
      return [{ at, action: { kind: 'expire' } }];
    case 'posted':
      return [{ at, action: { kind: 'update', message } }];
    case 'gone':
      return [];
  }
}

/** Good news leads to the thread and so waits for it; bad news is told at once. */
function starterNoticeActions({ starterNotice, run, root }: Execution): ScheduledAction[] {
  const isBad = run.status === 'not-started' || run.status === 'unconfirmed';
  const hasThread = root.status === 'posted' || root.status === 'gone';
  if (starterNotice.status !== 'due' || !(isBad || hasThread)) return [];
  return [{ at: starterNotice.notBefore, action: { kind: 'starter-notice' } }];
}

function timer(at: Millis | null, action: DueAction): ScheduledAction[] {
  return at === null ? [] : [{ at, action }];
}
