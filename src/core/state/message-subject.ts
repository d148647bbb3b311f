// What a message is about, and to whom it goes. Messages are delivered and rendered by it.

import type { Millis } from '../values/time.ts';
import { type Alert, type Approval, type DirectMessage, isTextKept } from './approval.ts';
import { type Execution, findApproval, withApproval } from './execution.ts';
import { attachText, cardTsOf, type Message } from './message.ts';
import type { Notice } from './notices.ts';

/** Returns the request that a message is about; null if it is about the run. */
export function requestOf(execution: Execution, message: Message): Approval | null {
  const about = message.kind === 'notice' ? noticeOf(execution, message)?.about : message;
  const approvalId = about && 'approvalId' in about ? about.approvalId : null;
  return approvalId === null ? null : findApproval(execution, approvalId);
}

export function alertOf(
  execution: Execution,
  { approvalId, alertId }: Extract<Message, { kind: 'alert' }>,
): Alert | null {
  return findApproval(execution, approvalId)?.alerts.find(({ id }) => id === alertId) ?? null;
}

export function directMessageOf(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
): DirectMessage | null {
  return findApproval(execution, approvalId)?.directMessages.list.find((each) => each.to === to) ?? null;
}

export function noticeOf({ notices }: Execution, { noticeId }: Extract<Message, { kind: 'notice' }>): Notice | null {
  return notices.find(({ id }) => id === noticeId) ?? null;
}

/** Returns the id of the person who gets a direct message; null for a message that goes into the channel. */
export function recipientOf(execution: Execution, message: Message): string | null {
  if (message.kind === 'direct-message') return message.to;
  return message.kind === 'notice' ? (noticeOf(execution, message)?.to ?? null) : null;
}

/** Records the conversation that a direct message is in. */
export function withDirectChannel(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
  channel: string | null,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (!approval) return execution;
  const { directMessages } = approval;
  const list = directMessages.list.map((each) => (each.to === to ? { ...each, channel } : each));
  return withApproval(execution, { ...approval, directMessages: { ...directMessages, list } });
}

export function messageOfAlert({ id: approvalId }: Pick<Approval, 'id'>, { id: alertId }: Pick<Alert, 'id'>): Message {
  return { kind: 'alert', approvalId, alertId };
}

/** Returns the time from which people could read a request: Slack's time of its card, or when it was asked or edited. */
export function shownAt(execution: Execution, approval: Approval): Millis {
  const ts = cardTsOf(execution, approval);
  return Math.max(approval.askedAt, approval.edited?.at ?? 0, ts === null ? 0 : Math.floor(Number(ts) * 1000));
}

/** Attaches the approved texts that are to be kept in the thread, once their decisions have arrived. */
export function attachKeptTexts(execution: Execution): Execution {
  return execution.approvals.reduce(
    (each, approval) =>
      approval.status === 'delivered' && isTextKept(approval)
        ? attachText(each, approval.id, approval.deliveredAt)
        : each,
    execution,
  );
}
