import type { Logger } from 'pino';
import { Agent } from 'undici';
import { retryUntilSuccess } from '../redis/retry-until-success.ts';
import type { Store } from '../redis/store.ts';
import type { Faults, WebhookFault } from '../sandbox-api/faults.ts';
import type { Records } from '../sandbox-api/records.ts';
import { createStopController } from '../stop-controller.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { postWebhook } from './post-webhook.ts';
import { reshaped } from './reshape-payload.ts';

export type WebhookRetry = {
  readonly attempts: number;
  /** The delay after the first failure; it doubles each time. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How long a receiver may take to respond. */
  readonly timeoutMs: number;
};

/** Delivers stored notifications: in order within an execution, with exponential backoff between retries. */
export interface Deliverer {
  /** Resumes everything still pending when the service stopped. */
  start(): Promise<void>;
  /** Ignores deliveries that are already in progress or done. */
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

type Send = (delivery: Delivery) => Promise<void>;

export function createDeliverer(parts: DelivererParts): Deliverer {
  const { store, logger } = parts;
  const agent = new Agent({ connect: { timeout: parts.retry.timeoutMs } });
  const stopping = createStopController();
  const queues = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const swapped = new Map<string, Delivery[]>();
  const inProgress = new Set<string>();

  function take(delivery: Delivery): void {
    if (delivery.status !== 'pending' || inProgress.has(delivery.id)) return;
    inProgress.add(delivery.id);
    const delayMs = delivery.nextAttemptAt - Date.now();
    const sendNow = delivery.attempts.length === 0 ? sendFirst : send;
    if (delayMs > 0) later(delivery, delayMs, sendNow);
    else enqueue(delivery, sendNow);
  }

  async function save(delivery: Delivery): Promise<void> {
    await retryUntilSuccess(() => store.saveDelivery(delivery), stopping.signal, logger);
    if (delivery.status !== 'pending') inProgress.delete(delivery.id);
  }

  /** Queues behind everything already queued for the same execution. */
  function enqueue(delivery: Delivery, send: Send): void {
    const before = queues.get(delivery.executionId) ?? Promise.resolve();
    const now = before
      .then(() => send(delivery))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          logger.error({ delivery: delivery.id, error: String(error) }, 'webhook delivery failed unexpectedly');
      });
    queues.set(delivery.executionId, now);
    void now.then(() => queues.get(delivery.executionId) === now && queues.delete(delivery.executionId));
  }

  function later(delivery: Delivery, delayMs: number, send: Send): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(delivery, send);
    }, delayMs);
    timers.add(timer);
  }

  /** Faults apply to the first attempt only. */
  async function sendFirst(delivery: Delivery): Promise<void> {
    const fault = parts.faults.forWebhook(delivery);
    await (fault ? sendWithFault(fault.effect, delivery) : send(delivery));
  }

  async function sendWithFault(effect: WebhookFault['effect'], delivery: Delivery): Promise<void> {
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
    const latest = await attempt(delivery);
    const after = settled({ ...delivery, attempts: [...delivery.attempts, latest] }, parts.retry);
    await save(after);
    logger.info(
      { delivery: delivery.id, kind: delivery.kind, ...latest.outcome, status: after.status },
      'webhook sent',
    );
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

/** Retries receivers that are down or busy, but not ones that refuse. */
function settled(delivery: Delivery, retry: WebhookRetry): Delivery {
  const outcome = delivery.attempts.at(-1)?.outcome;
  const status = outcome && 'status' in outcome ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { ...delivery, status: 'delivered' };
  const isRetryable = status === undefined || status >= 500 || status === 408 || status === 429;
  if (!isRetryable || delivery.attempts.length >= retry.attempts) return { ...delivery, status: 'given-up' };
  const pauseMs = Math.min(retry.firstPauseMs * 2 ** (delivery.attempts.length - 1), retry.longestPauseMs);
  return { ...delivery, nextAttemptAt: Date.now() + pauseMs };
}

function recorded({ crew, kind, executionId, runId, url, body }: Delivery) {
  return { at: Date.now(), crew, kind, executionId, runId, url, body };
}
