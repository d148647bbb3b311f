import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { duePost, tsOf } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import { backoffMs } from '../time.ts';
import type { Approval } from './approval.ts';
import type { DirectMessages } from './direct-messages.ts';

const RETRY = { firstMs: 2_000, mostMs: 5 * 60_000 };

/** When it is to be found out who gets direct messages; null if that isn't needed, or there is no card to link to yet. */
export function recipientsDueAt({ unfollowed }: Execution, { status, card, directMessages }: Approval): Millis | null {
  const isAsked = status === 'pending' && unfollowed === null && tsOf(card) !== null;
  return isAsked && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/** Lists the direct messages, once; `people` is null while Slack can't tell whom to send them. */
export function listRecipients(
  execution: Execution,
  approvalId: string,
  people: readonly string[] | null,
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.directMessages.status !== 'due') return execution;
  return withApproval(execution, {
    ...approval,
    directMessages: listed(approval.directMessages.tries + 1, people, now),
  });
}

function listed(tries: number, people: readonly string[] | null, now: Millis): DirectMessages {
  if (people === null) return { status: 'due', tries, notBefore: now + backoffMs(tries - 1, RETRY) };
  return { status: 'listed', list: [...new Set(people)].map((to) => ({ to, channel: null, post: duePost(now) })) };
}
