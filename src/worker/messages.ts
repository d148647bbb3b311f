import type { Logger } from 'pino';
import type { DueAction } from '../core/due-actions.ts';
import { dueActionsAt } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import {
  claimMessage,
  postpone,
  settleMessage,
  settleRefresh,
  settleStarterNotice,
} from '../core/messages/delivery.ts';
import type { Message } from '../core/messages/message.ts';
import { messageKey, postOf } from '../core/messages/message.ts';
import type { ExecutionStore, ThreadPort } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { change, changeAt, settle } from './change.ts';

export interface Deliveries {
  store: ExecutionStore;
  thread: ThreadPort;
  log: Logger;
}

/** Waits for the turn of a message under Slack's limits; false where it was put off, since that is far away. */
export async function takeTurn(
  { store, thread }: Deliveries,
  execution: Execution,
  { kind, message }: Extract<DueAction, { message: Message }>,
): Promise<boolean> {
  const waitMs = await thread.turn(kind, execution, message);
  if (waitMs === null) return true;
  await change(store, execution.ref, (each, now) => postpone(each, message, waitMs, now));
  return false;
}

export async function post({ store, thread, log }: Deliveries, ref: string, message: Message): Promise<void> {
  const lookUp: { wanted: 'look-up' | 'new' } = { wanted: 'new' };
  const claimed = await changeAt(store, ref, (execution, now) => {
    lookUp.wanted = postOf(execution, message)?.status === 'unsure' ? 'look-up' : 'new';
    return claimMessage(execution, message, now);
  });
  const claim = claimed && postOf(claimed.execution, message);
  if (!claimed || claim?.status !== 'posting') return;
  const { execution, now } = claimed;
  const outcome = await thread.post(execution, message, { lookUp: lookUp.wanted, now });
  const { attempt } = claim;
  await settle(() => change(store, ref, (each, at) => settleMessage(each, { message, attempt, outcome }, at)));
  log.info({ ref, message: messageKey(message), outcome: outcome.kind }, 'posted');
}

export async function update({ store, thread, log }: Deliveries, ref: string, message: Message): Promise<void> {
  const found = await store.load(ref);
  if (!found || !isUpdateDue(found, message)) return;
  const outcome = await thread.update(found.execution, message, found.now);
  await change(store, ref, (execution, now) => settleRefresh(execution, { message, outcome }, now));
  log.debug({ ref, message: messageKey(message), outcome: outcome.kind }, 'updated');
}

/** While this waited for its turn, another process may have done it: Slack counts each update. */
function isUpdateDue({ execution, now }: { execution: Execution; now: Millis }, message: Message): boolean {
  const key = messageKey(message);
  return dueActionsAt(execution, now).some((action) => action.kind === 'update' && messageKey(action.message) === key);
}

export async function notifyStarter({ store, thread }: Deliveries, ref: string): Promise<void> {
  const found = await store.load(ref);
  if (!found) return;
  const outcome = await thread.notify(found.execution);
  await change(store, ref, (execution, now) => settleStarterNotice(execution, outcome, now));
}
