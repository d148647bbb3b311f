import type { Approval } from './approval/approval.ts';
import { isOpen } from './approval/approval.ts';
import { isHeld } from './execution/adoption-hold.ts';
import type { Execution } from './execution/execution.ts';
import { fingerprint } from './messages/fingerprint.ts';
import type { Message } from './messages/message.ts';
import type { Post } from './messages/post.ts';
import { postDueAt, tsOf } from './messages/post.ts';
import { cardFace, rootFace } from './messages/view-models.ts';
import type { Millis } from './time.ts';

/** One thing that the state of an execution owes to somebody. */
export type Duty =
  | { kind: 'resume'; approvalId: string }
  | { kind: 'kickoff' }
  | { kind: 'post'; message: Message }
  | { kind: 'update'; message: Message }
  | { kind: 'notice' }
  | { kind: 'expire' }
  | { kind: 'catch-up' }
  | { kind: 'poll' }
  | { kind: 'check-hold' };

interface Owed {
  at: Millis;
  duty: Duty;
}

/** When this execution next owes something to somebody; null exactly when it owes nothing. */
export function dueAt(execution: Execution): Millis | null {
  const owed = owes(execution);
  return owed.length === 0 ? null : Math.min(...owed.map(({ at }) => at));
}

/** What is due now, the most pressing first: decisions and cards go before everything that only reports. */
export function dutiesAt(execution: Execution, now: Millis): Duty[] {
  return owes(execution)
    .filter(({ at }) => at <= now)
    .map(({ duty }) => duty);
}

/** What a message should show now, to be compared with what it does show. */
export function wantedFor(execution: Execution, message: Message): string {
  switch (message.kind) {
    case 'root':
      return fingerprint(rootFace(execution));
    case 'card':
    case 'copy': {
      const approval = execution.approvals.find(({ id }) => id === message.approvalId);
      return approval ? fingerprint(cardFace(execution, approval)) : UNCHANGING;
    }
    case 'file':
    case 'task':
    case 'ending':
      return UNCHANGING;
  }
}

/** What a message shows that is posted once and never updated. */
const UNCHANGING = 'once';

function owes(execution: Execution): Owed[] {
  if (isHeld(execution)) return holdDuty(execution);
  return [
    ...execution.approvals.flatMap(resumeDuty),
    ...kickoffDuty(execution),
    ...execution.approvals.flatMap((approval) => cardDuties(execution, approval)),
    ...messageDuty(execution, { kind: 'root' }, execution.root),
    ...(execution.unfollowed ? [] : newsDuties(execution)),
    ...noticeDuty(execution),
    ...timer(execution.activity.refreshAt, { kind: 'catch-up' }),
    ...timer(execution.poll.nextAt, { kind: 'poll' }),
  ];
}

function holdDuty({ origin }: Execution): Owed[] {
  if (origin.kind !== 'elsewhere' || !origin.hold) return [];
  return [{ at: origin.hold.checkAt, duty: { kind: 'check-hold' } }];
}

function resumeDuty(approval: Approval): Owed[] {
  switch (approval.status) {
    case 'decided':
      return [{ at: approval.sendAt, duty: { kind: 'resume', approvalId: approval.id } }];
    case 'sending':
      return [{ at: approval.until, duty: { kind: 'expire' } }];
    case 'pending':
    case 'delivered':
    case 'failed':
    case 'superseded':
      return [];
  }
}

function kickoffDuty({ kickoff }: Execution): Owed[] {
  switch (kickoff.status) {
    case 'owed':
      return [{ at: kickoff.notBefore, duty: { kind: 'kickoff' } }];
    case 'sending':
      return [{ at: kickoff.until, duty: { kind: 'expire' } }];
    case 'settled':
      return [];
  }
}

function cardDuties(execution: Execution, approval: Approval): Owed[] {
  const { id: approvalId, card, copies } = approval;
  return [
    ...(isWorthACard(approval) ? replyDuty(execution, { kind: 'card', approvalId }, card) : []),
    ...copies.flatMap(({ ts, post }) => messageDuty(execution, { kind: 'copy', approvalId, ts }, post)),
  ];
}

/** A request that closed before its card can have been seen needs none. */
function isWorthACard(approval: Approval): boolean {
  return approval.card.status !== 'owed' || isOpen(approval) || approval.status === 'delivered';
}

/** What is posted once and only for those who follow the run. */
function newsDuties(execution: Execution): Owed[] {
  const { tasks, ending, approvals } = execution;
  return [
    ...tasks.flatMap(({ id: taskId, post }) => replyDuty(execution, { kind: 'task', taskId }, post)),
    ...replyDuty(execution, { kind: 'ending' }, ending),
    ...approvals
      .filter(isWorthACard)
      .flatMap(({ id: approvalId, file }) => replyDuty(execution, { kind: 'file', approvalId }, file)),
  ];
}

/** A reply waits for the thread that it goes into. */
function replyDuty(execution: Execution, message: Message, post: Post | null): Owed[] {
  return post === null || tsOf(execution.root) === null ? [] : messageDuty(execution, message, post);
}

function messageDuty(execution: Execution, message: Message, post: Post): Owed[] {
  const at = postDueAt(post, wantedFor(execution, message));
  if (at === null) return [];
  switch (post.status) {
    case 'owed':
    case 'unsure':
      return [{ at, duty: { kind: 'post', message } }];
    case 'posting':
      return [{ at, duty: { kind: 'expire' } }];
    case 'posted':
      return [{ at, duty: { kind: 'update', message } }];
    case 'gone':
      return [];
  }
}

/** Good news leads to the thread and so waits for it; bad news is told at once. */
function noticeDuty({ notice, run, root }: Execution): Owed[] {
  const isBad = run.status === 'not-started' || run.status === 'unconfirmed';
  const hasThread = root.status === 'posted' || root.status === 'gone';
  if (notice.status !== 'owed' || !(isBad || hasThread)) return [];
  return [{ at: notice.notBefore, duty: { kind: 'notice' } }];
}

function timer(at: Millis | null, duty: Duty): Owed[] {
  return at === null ? [] : [{ at, duty }];
}
