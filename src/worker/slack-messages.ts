import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { DueAction } from '../core/due-actions.ts';
import { catchUp, isAtWork, settleStatus } from '../core/execution/run.ts';
import {
  claimMessage,
  postpone,
  recheckMessages,
  settleMessage,
  settleRefresh,
  settleStarterNotice,
} from '../core/messages/delivery.ts';
import { isUpdateDue, withoutPostponement } from '../core/messages/due-messages.ts';
import { answerTo, claimAnswer, settleAnswer } from '../core/messages/private-answers.ts';
import type { ExecutionStore, ThreadPort } from '../core/ports.ts';
import { listRecipients, recipientsDueAt } from '../core/request/alerts.ts';
import { type Execution, findRequest } from '../core/state/execution.ts';
import { type Message, messageKey, postOf } from '../core/state/message.ts';
import { contentOf } from '../core/state/post.ts';
import type { Millis } from '../core/values/time.ts';
import { type ClaimCall, change, soon, storeOutcome } from './change.ts';

// Carries out the due actions that concern Slack: posts and updates, statuses, recipients, and private answers.

/** Time for which a changed execution is left to the process that changed it. Long enough to start a call, too short to notice. */
export const HEAD_START_MS = 300;

/** Long enough that the updates of a card and of its thread's first message are stored together. */
const UPDATES_MS = 4_000;

export interface MessagePorts {
  claimCall: ClaimCall;
  store: ExecutionStore;
  thread: ThreadPort;
  updates: RecentUpdates;
  log: Logger;
}

/** Waits for a message's turn under Slack's rate limits; false if that is far off and the message was postponed. */
export async function takeTurn(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  execution: Execution,
  { kind, message }: Extract<DueAction, { message: Message }>,
): Promise<boolean> {
  const waitMs = await thread.turn(kind, execution, message);
  // A posting that was claimed but never made (`unmadeCalls`) can't be put off.
  if (waitMs === null || postOf(execution, message)?.status === 'posting') return true;
  await change(store, execution.ref, (each, now) => postpone(each, message, waitMs, now));
  return false;
}

export async function post(
  { store, thread, claimCall, log }: MessagePorts,
  before: Execution,
  message: Message,
): Promise<void> {
  const { ref } = before;
  const claimed = await claimCall(ref, { kind: 'post', message }, (execution, process, now) =>
    claimMessage(withoutPostponement(execution, before, message), message, process, now),
  );
  const claim = claimed && postOf(claimed.execution, message);
  // Another process may have posted it while this one waited for its turn.
  if (!claimed || claim?.status !== 'posting') return thread.leaveTurn('post', before, message);
  const { execution, now } = claimed;
  const outcome = await thread.post(execution, message, { posting: claim.mayExist ? 'again' : 'new', now });
  const { attempt } = claim;
  await storeOutcome(() => change(store, ref, (each, at) => settleMessage(each, { message, attempt, outcome }, at)));
  log.info({ ref, message: messageKey(message), outcome: outcome.kind }, 'posted');
}

export async function update(
  { store, thread, updates, log }: Omit<MessagePorts, 'claimCall'>,
  before: Execution,
  message: Message,
): Promise<void> {
  const { ref } = before;
  const stored = await store.load(ref, { mostAgeMs: HEAD_START_MS });
  // Another process may have updated it while this one waited for its turn. Slack rate-limits each update.
  if (!stored || !isUpdateDue(withoutPostponement(stored.execution, before, message), message, stored.now))
    return thread.leaveTurn('update', before, message);
  const replaced = contentOf(postOf(stored.execution, message));
  const outcome = await thread.update(stored.execution, message, stored.now);
  updates.add(ref, message);
  const settle = (execution: Execution, now: Millis) => settleRefresh(execution, { message, outcome, replaced }, now);
  // The outcome must be stored some time: nothing else would show that this update may have overlapped another one. A new card or a
  // follow-up may depend on a refusal, so that is stored at once.
  await storeOutcome(() => change(outcome.kind === 'posted' ? soon(store, UPDATES_MS) : store, ref, settle));
  log.debug({ ref, message: messageKey(message), outcome: outcome.kind }, 'updated');
}

/** Shows the agents' latest step in the thread's status, or takes it away where nothing else does. */
export async function showStatus(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  ref: string,
): Promise<void> {
  const execution = await change(store, ref, catchUp);
  if (!execution) return;
  if (!isAtWork(execution)) return execution.unfollowed ? thread.clearStatus(execution) : undefined;
  const outcome = await thread.showStatus(execution);
  if (outcome !== 'told') return void (await change(store, ref, (execution) => settleStatus(execution, outcome)));
  // A card or the end may have been posted first, and no message follows it.
  const stored = await store.load(ref);
  if (stored && !isAtWork(stored.execution)) await thread.clearStatus(stored.execution);
}

/** Finds who gets direct messages about a request. Another process may do so, too: only the first result is stored. */
export async function findRecipients(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  ref: string,
  approvalId: string,
): Promise<void> {
  const stored = await store.load(ref, { mostAgeMs: HEAD_START_MS });
  const request = stored && findRequest(stored.execution, approvalId);
  if (!stored || !request || recipientsDueAt(stored.execution, request) === null) return;
  const recipients = await thread.recipients(stored.execution, request, stored.now);
  await change(store, ref, (execution, now) => listRecipients(execution, approvalId, recipients, now));
}

export async function notifyStarter(
  { store, thread }: Pick<MessagePorts, 'store' | 'thread'>,
  ref: string,
): Promise<void> {
  const stored = await store.load(ref);
  if (stored?.execution.starterNotice.status !== 'due') return;
  const outcome = await thread.notify(stored.execution, stored.now);
  // If the starter were notified twice, the form of this start could replace the form of their next try.
  await storeOutcome(() => change(store, ref, (execution, now) => settleStarterNotice(execution, outcome, now)));
}

/** Tries again to answer a person privately. Slack may have taken an earlier try, so that they may see it twice. */
export async function tellPrivately(
  { store, thread, log }: Pick<MessagePorts, 'store' | 'thread' | 'log'>,
  ref: string,
  to: string,
): Promise<void> {
  const claimed = await change(store, ref, (execution, now) => claimAnswer(execution, to, now));
  if (!claimed) return;
  const answer = answerTo(claimed, to);
  if (!answer) return log.warn({ ref, to }, 'gave up a private answer that Slack did not take for a minute');
  const outcome = await thread.tell(answer);
  await change(store, ref, (execution, now) => settleAnswer(execution, answer, outcome, now));
}

/** Longer than it takes until a process is known to be gone. */
const REMEMBERED_MS = 60_000;
/** Far more than Slack's rate limits allow in that time. */
const MOST_UPDATES = 1_000;

interface Updated {
  ref: string;
  message: Message;
}

/** The messages that this process has updated in the last minute, while there were others that may have updated them, too. */
export class RecentUpdates {
  readonly #isAlone: () => boolean;
  readonly #updated = new LRUCache<string, Updated & { at: number }>({
    max: MOST_UPDATES,
    ttl: REMEMBERED_MS,
    ttlAutopurge: true,
  });

  constructor(isAlone: () => boolean) {
    this.#isAlone = isAlone;
  }

  add(ref: string, message: Message): void {
    if (this.#isAlone()) return;
    this.#updated.set(`${ref} ${messageKey(message)}`, { ref, message, at: performance.now() });
  }

  /** Returns the updates of the last `agoMs`, each message once. */
  since(agoMs: Millis): Updated[] {
    const earliest = performance.now() - agoMs;
    return [...this.#updated.values()].filter(({ at }) => at >= earliest);
  }
}

interface RepeatPorts {
  store: ExecutionStore;
  updates: RecentUpdates;
  log: Logger;
}

/** Longer than a process takes from the state that an update shows until the outcome of its call is stored. */
const UPDATE_MS = 20_000;

/**
 * Makes the messages that this process has updated due once more after another one has ended. That one may have been updating
 * them from an older state at the same time, and Slack may have carried out its update last, which nobody has stored.
 * The promise never rejects.
 * @param silentMs how long nothing has been heard of the one that ended
 */
export async function repeatUpdates({ store, updates, log }: RepeatPorts, silentMs: Millis): Promise<void> {
  for (const { ref, message } of updates.since(silentMs + UPDATE_MS)) {
    try {
      await storeOutcome(() => change(store, ref, (execution, now) => recheckMessages(execution, [message], now)));
    } catch (error) {
      log.error({ ref, err: error }, "couldn't make a message due for an update");
    }
  }
}
