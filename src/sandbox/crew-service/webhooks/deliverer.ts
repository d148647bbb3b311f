import type { Logger } from 'pino';
import { Agent } from 'undici';
import { persistently } from '../redis/retry-until-success.ts';
import type { Store } from '../redis/store.ts';
import type { Faults, WebhookFault } from '../sandbox-api/faults.ts';
import type { Records } from '../sandbox-api/records.ts';
import { createStopping } from '../stop-controller.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { postWebhook } from './post-webhook.ts';
import { reshaped } from './reshape-payload.ts';

export type WebhookRetry = {
  readonly attempts: number;
  /** The pause after the first failure; it doubles each time. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number;
};

/** Brings stored notifications to their receivers: each execution's in their order, retries after growing pauses. */
export interface Deliverer {
  /** Takes up everything that was still owed when the service stopped. */
  start(): Promise<void>;
  /** Those that are in hand already, or done, may be among them. */
  deliver(deliveries: readonly Delivery[]): void;
  close(): Promise<void>;
}

type DelivererParts = {
  readonly store: Store;
  readonly retry: WebhookRetry;
  readonly faults: Faults;
  readonly records: Records;
  readonly logger: Logger;
};

type Bring = (delivery: Delivery) => Promise<void>;

export function createDeliverer(parts: DelivererParts): Deliverer {
  const { store, logger } = parts;
  const agent = new Agent({ connect: { timeout: parts.retry.timeoutMs } });
  const stopping = createStopping();
  const queues = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const swapped = new Map<string, Delivery[]>();
  const inHand = new Set<string>();

  function take(delivery: Delivery): void {
    if (delivery.status !== 'pending' || inHand.has(delivery.id)) return;
    inHand.add(delivery.id);
    const delayMs = delivery.nextAttemptAt - Date.now();
    const bring = delivery.attempts.length === 0 ? sendFirst : send;
    if (delayMs > 0) later(delivery, delayMs, bring);
    else enqueue(delivery, bring);
  }

  async function save(delivery: Delivery): Promise<void> {
    await persistently(() => store.saveDelivery(delivery), stopping.signal, logger);
    if (delivery.status !== 'pending') inHand.delete(delivery.id);
  }

  /** Behind everything of the same execution that was queued before. */
  function enqueue(delivery: Delivery, bring: Bring): void {
    const before = queues.get(delivery.executionId) ?? Promise.resolve();
    const now = before
      .then(() => bring(delivery))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          logger.error({ delivery: delivery.id, error: String(error) }, 'a webhook could not be handled');
      });
    queues.set(delivery.executionId, now);
    void now.then(() => queues.get(delivery.executionId) === now && queues.delete(delivery.executionId));
  }

  function later(delivery: Delivery, delayMs: number, bring: Bring): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(delivery, bring);
    }, delayMs);
    timers.add(timer);
  }

  /** Faults meet a notification when it is sent for the first time. */
  async function sendFirst(delivery: Delivery): Promise<void> {
    const fault = parts.faults.forWebhook(delivery);
    await (fault ? sendUnder(fault.effect, delivery) : send(delivery));
  }

  async function sendUnder(effect: WebhookFault['effect'], delivery: Delivery): Promise<void> {
    if (effect === 'drop') {
      parts.records.sent({ ...recorded(delivery), outcome: 'dropped' });
      return save({ ...delivery, status: 'dropped' });
    }
    if (effect === 'swap') {
      swapped.set(delivery.executionId, [...(swapped.get(delivery.executionId) ?? []), delivery]);
      return;
    }
    if ('delayMs' in effect) return later(delivery, effect.delayMs, send);
    if ('duplicates' in effect) {
      for (let copy = 0; copy < effect.duplicates; copy++) await attempt(delivery);
      return send(delivery);
    }
    return send({ ...delivery, body: reshaped(delivery.body, effect) });
  }

  async function send(delivery: Delivery): Promise<void> {
    stopping.signal.throwIfAborted();
    const made = await attempt(delivery);
    const after = settled({ ...delivery, attempts: [...delivery.attempts, made] }, parts.retry);
    await save(after);
    logger.info({ delivery: delivery.id, kind: delivery.kind, ...made.outcome, status: after.status }, 'webhook sent');
    if (after.status === 'pending') later(after, after.nextAttemptAt - Date.now(), send);
    const heldBack = swapped.get(delivery.executionId) ?? [];
    swapped.delete(delivery.executionId);
    for (const held of heldBack) await send(held);
  }

  async function attempt(delivery: Delivery): Promise<DeliveryAttempt> {
    const at = Date.now();
    const outcome = await postWebhook(delivery, agent, parts.retry.timeoutMs, stopping.signal);
    parts.records.sent({ ...recorded(delivery), outcome });
    return { at, durationMs: Date.now() - at, outcome };
  }

  return {
    async start() {
      for (const delivery of await store.pendingDeliveries()) take(delivery);
    },
    deliver: (deliveries) => deliveries.forEach(take),
    async close() {
      stopping.abort(new Error('the crew service is stopping'));
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(queues.values());
      await agent.destroy();
    },
  };
}

/** Receivers that are away or busy are asked again; one that refuses is not. */
function settled(delivery: Delivery, retry: WebhookRetry): Delivery {
  const outcome = delivery.attempts.at(-1)?.outcome;
  const status = outcome && 'status' in outcome ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { ...delivery, status: 'delivered' };
  const worthAgain = status === undefined || status >= 500 || status === 408 || status === 429;
  if (!worthAgain || delivery.attempts.length >= retry.attempts) return { ...delivery, status: 'given-up' };
  const pauseMs = Math.min(retry.firstPauseMs * 2 ** (delivery.attempts.length - 1), retry.longestPauseMs);
  return { ...delivery, nextAttemptAt: Date.now() + pauseMs };
}

function recorded({ crew, kind, executionId, runId, url, body }: Delivery) {
  return { at: Date.now(), crew, kind, executionId, runId, url, body };
}
