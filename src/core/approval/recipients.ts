import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { duePost, tsOf } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import { backoffMs } from '../time.ts';
import type { Approval } from './approval.ts';
import type { DirectMessage, DirectMessages } from './direct-messages.ts';
import type { Recipient, Recipients } from './recipient.ts';

const RETRY = { firstMs: 2_000, mostMs: 5 * 60_000 };

/** After more than an hour, what Slack can't tell isn't worth asking for any more. */
const MOST_TRIES = 20;

/** When it is to be found out who gets direct messages; null if that isn't needed, or there is no card to link to yet. */
export function recipientsDueAt({ unfollowed }: Execution, { status, card, directMessages }: Approval): Millis | null {
  const isAsked = status === 'pending' && unfollowed === null && tsOf(card) !== null;
  return isAsked && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/** Lists the direct messages that were due to be, and asks again later while Slack can't tell of everybody. */
export function listRecipients(
  execution: Execution,
  approvalId: string,
  { people, isComplete }: Recipients,
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.directMessages.status !== 'due') return execution;
  const { tries, ...due } = approval.directMessages;
  const list = withMore(due.list, people, now);
  const isOver = isComplete || tries + 1 >= MOST_TRIES;
  const notBefore = now + backoffMs(tries, RETRY);
  const directMessages: DirectMessages = isOver
    ? { status: 'listed', list }
    : { status: 'due', tries: tries + 1, notBefore, list };
  return withApproval(execution, { ...approval, directMessages });
}

/** These people, too, get a direct message about an open request, but nobody a second one. */
export function addRecipients(
  execution: Execution,
  approvalId: string,
  { people, isComplete }: Recipients,
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.status !== 'pending') return execution;
  const { directMessages } = approval;
  const list = withMore(directMessages.list, people, now);
  if (directMessages.status === 'listed' && !isComplete) {
    const due: DirectMessages = { status: 'due', tries: 0, notBefore: now + RETRY.firstMs, list };
    return withApproval(execution, { ...approval, directMessages: due });
  }
  if (list === directMessages.list) return execution;
  return withApproval(execution, { ...approval, directMessages: { ...directMessages, list } });
}

/** One to each person; the same list if nobody is new. */
function withMore(
  list: readonly DirectMessage[],
  recipients: readonly Recipient[],
  now: Millis,
): readonly DirectMessage[] {
  const known = new Set(list.map(({ to }) => to));
  const added = recipients.filter(({ to }) => !known.has(to) && known.add(to));
  if (added.length === 0) return list;
  return [...list, ...added.map((each) => ({ ...each, channel: null, post: duePost(now) }))];
}
