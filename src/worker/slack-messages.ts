import type { Logger } from 'pino';
import { listRecipients, recipientsDueAt } from '../core/approval/recipients.ts';
import type { DueAction } from '../core/due-actions.ts';
import { dueActionsAt } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import { findApproval } from '../core/execution/execution.ts';
import {
  claimMessage,
  postpone,
  settleMessage,
  settleRefresh,
  settleStarterNotice,
} from '../core/messages/delivery.ts';
import type { Message } from '../core/messages/message.ts';
import { messageKey, postOf } from '../core/messages/message.ts';
import { contentOf } from '../core/messages/post.ts';
import type { ExecutionStore, ThreadPort } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { change, storeOutcome } from './change.ts';
import type { ClaimCall } from './claim-calls.ts';
import { HEAD_START_MS } from './head-start.ts';
import type { RecentUpdates } from './recent-updates.ts';

interface UpdatePorts {
  store: ExecutionStore;
  thread: ThreadPort;
  updates: RecentUpdates;
  log: Logger;
}

export interface MessagePorts extends UpdatePorts {
  claimCall: ClaimCall;
}

/** Waits for a message's turn under Slack's rate limits; false if that is far off and the message was postponed. */
export async function takeTurn(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  execution: Execution,
  { kind, message }: Extract<DueAction, { message: Message }>,
): Promise<boolean> {
  const waitMs = await thread.turn(kind, execution, message);
  // One that is claimed, but wasn't posted, can't be put off.
  if (waitMs === null || postOf(execution, message)?.status === 'posting') return true;
  await change(store, execution.ref, (each, now) => postpone(each, message, waitMs, now));
  return false;
}

export async function post(
  { store, thread, claimCall, log }: MessagePorts,
  ref: string,
  message: Message,
): Promise<void> {
  const claimed = await claimCall(ref, { kind: 'post', message }, (execution, process, now) =>
    claimMessage(execution, message, process, now),
  );
  const claim = claimed && postOf(claimed.execution, message);
  if (!claimed || claim?.status !== 'posting') return;
  const { execution, now } = claimed;
  const outcome = await thread.post(execution, message, { lookUp: claim.mayExist ? 'look-up' : 'new', now });
  const { attempt } = claim;
  await storeOutcome(() => change(store, ref, (each, at) => settleMessage(each, { message, attempt, outcome }, at)));
  log.info({ ref, message: messageKey(message), outcome: outcome.kind }, 'posted');
}

export async function update(
  { store, thread, updates, log }: UpdatePorts,
  ref: string,
  message: Message,
): Promise<void> {
  const found = await store.load(ref, { mostAgeMs: HEAD_START_MS });
  if (!found || !isUpdateDue(found, message)) return;
  const replaced = contentOf(postOf(found.execution, message));
  const outcome = await thread.update(found.execution, message, found.now);
  updates.add(ref, message);
  // Otherwise nothing would show that it may have overlapped another update.
  await storeOutcome(() =>
    change(store, ref, (execution, now) => settleRefresh(execution, { message, outcome, replaced }, now)),
  );
  log.debug({ ref, message: messageKey(message), outcome: outcome.kind }, 'updated');
}

/** Another process may have updated it while this one waited for its turn. Slack rate-limits each update. */
function isUpdateDue({ execution, now }: { execution: Execution; now: Millis }, message: Message): boolean {
  const key = messageKey(message);
  return dueActionsAt(execution, now).some((action) => action.kind === 'update' && messageKey(action.message) === key);
}

/** Another process may find them, too: the first to store them lists the direct messages. */
export async function findRecipients(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  ref: string,
  approvalId: string,
): Promise<void> {
  const found = await store.load(ref, { mostAgeMs: HEAD_START_MS });
  const approval = found && findApproval(found.execution, approvalId);
  if (!found || !approval || recipientsDueAt(found.execution, approval) === null) return;
  const recipients = await thread.recipients(found.execution, approval, found.now);
  await change(store, ref, (execution, now) => listRecipients(execution, approvalId, recipients, now));
}

export async function notifyStarter(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  ref: string,
): Promise<void> {
  const found = await store.load(ref);
  if (found?.execution.starterNotice.status !== 'due') return;
  const outcome = await thread.notify(found.execution);
  // Told twice, the form of this start could replace the one of the starter's next try.
  await storeOutcome(() => change(store, ref, (execution, now) => settleStarterNotice(execution, outcome, now)));
}
