import type { Approval } from './approval/approval.ts';
import { isOpen } from './approval/approval.ts';
import { isHeld } from './execution/adoption-hold.ts';
import type { Execution } from './execution/execution.ts';
import { fingerprint } from './messages/fingerprint.ts';
import type { Message } from './messages/message.ts';
import { messageKey, messagesOf, postOf } from './messages/message.ts';
import { tsOf } from './messages/post.ts';
import { cardModel, rootModel } from './messages/view-models.ts';
import type { Millis } from './time.ts';

/** What an execution needs done next: the state is its own outbox. */
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

/** When the next action is due; null if there is none. */
export function dueAt(execution: Execution): Millis | null {
  const scheduled = scheduledActions(execution);
  return scheduled.length === 0 ? null : Math.min(...scheduled.map(({ at }) => at));
}

/** What is due now, most urgent first: decisions and cards go before anything that only reports. */
export function dueActionsAt(execution: Execution, now: Millis): DueAction[] {
  return scheduledActions(execution)
    .filter(({ at }) => at <= now)
    .map(({ action }) => action);
}

/** Identifies an action among those of its execution. */
export function dueActionKey(action: DueAction): string {
  switch (action.kind) {
    case 'post':
    case 'update':
      return `${action.kind} ${messageKey(action.message)}`;
    case 'resume':
      return `resume ${action.approvalId}`;
    case 'kickoff':
    case 'starter-notice':
    case 'expire':
    case 'catch-up':
    case 'poll':
    case 'check-adoption':
      return action.kind;
  }
}

/** Fingerprint of what a message should show now; an update is due while it differs from what the message does show. */
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

/** Stands for the content of a message that is posted once and never updated. */
const UNCHANGING = 'once';

function scheduledActions(execution: Execution): ScheduledAction[] {
  if (isHeld(execution)) return adoptionHoldActions(execution);
  return [
    ...execution.approvals.flatMap(resumeActions),
    ...kickoffActions(execution),
    ...messageActions(execution),
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

function messageActions(execution: Execution): ScheduledAction[] {
  return messagesOf(execution)
    .filter((message) => isWanted(execution, message))
    .flatMap((message) => postActions(execution, message));
}

/** Replies wait for their thread, and those that only report are for runs that are still followed. */
function isWanted(execution: Execution, message: Message): boolean {
  const hasThread = tsOf(execution.root) !== null;
  const isFollowed = execution.unfollowed === null;
  switch (message.kind) {
    case 'root':
    case 'copy':
      return true;
    case 'card':
      return hasThread && isWorthACard(execution, message.approvalId);
    case 'file':
      return hasThread && isFollowed && isWorthACard(execution, message.approvalId);
    case 'task':
    case 'ending':
      return hasThread && isFollowed;
  }
}

/** A request that closed before its card was posted needs none. */
function isWorthACard({ approvals }: Execution, approvalId: string): boolean {
  const approval = approvals.find(({ id }) => id === approvalId);
  return (
    approval !== undefined && (approval.card.status !== 'due' || isOpen(approval) || approval.status === 'delivered')
  );
}

function postActions(execution: Execution, message: Message): ScheduledAction[] {
  const post = postOf(execution, message);
  switch (post?.status) {
    case 'due':
    case 'unsure':
      return [{ at: post.notBefore, action: { kind: 'post', message } }];
    case 'posting':
      return [{ at: post.until, action: { kind: 'expire' } }];
    case 'posted':
      return post.shown === wantedFor(execution, message)
        ? []
        : [{ at: post.notBefore, action: { kind: 'update', message } }];
    case 'gone':
    case undefined:
      return [];
  }
}

/** Good news links to the thread and so waits for it; bad news is told at once. */
function starterNoticeActions({ starterNotice, run, root }: Execution): ScheduledAction[] {
  const isBad = run.status === 'not-started' || run.status === 'unconfirmed';
  const hasThread = root.status === 'posted' || root.status === 'gone';
  if (starterNotice.status !== 'due' || !(isBad || hasThread)) return [];
  return [{ at: starterNotice.notBefore, action: { kind: 'starter-notice' } }];
}

function timer(at: Millis | null, action: DueAction): ScheduledAction[] {
  return at === null ? [] : [{ at, action }];
}
