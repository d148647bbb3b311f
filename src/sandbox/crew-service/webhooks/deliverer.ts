import type { Logger } from 'pino';
import { Agent, request } from 'undici';
import { errorMessage } from '../error-message.ts';
import { isObject, parseJson } from '../json.ts';
import { retryUntilSuccess } from '../redis/connection.ts';
import type { Store } from '../redis/store.ts';
import type { Faults, WebhookFault } from '../sandbox-api/faults.ts';
import type { Records } from '../sandbox-api/records.ts';
import { createStopController, settlesWithin, withTimeLimit } from '../waiting.ts';
import { type Delivery, type DeliveryAttempt, settled, type WebhookRetry } from './delivery.ts';
import { createDeliveryOrder } from './delivery-order.ts';
import { proofOf } from './notification.ts';
import { createSlots, MOST_PER_SERVER } from './slots.ts';

/**
 * Delivers stored notifications, a bounded number at once: in order within an execution (see `DeliveryOrder`), with
 * exponential backoff between retries.
 */
export interface Deliverer {
  /** Resumes everything still pending when the service stopped. */
  start(): Promise<void>;
  /** Ignores deliveries that are already in progress or done. */
  deliver(deliveries: readonly Delivery[]): void;
  /** Sends nothing new, and waits for answers to what was sent, but not for long. The next start sends the rest. */
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

const LONGEST_CLOSE_MS = 2_000;

export function createDeliverer(parts: DelivererParts): Deliverer {
  const { store, logger } = parts;
  const agent = new Agent({ connect: { timeout: parts.retry.timeoutMs }, connections: MOST_PER_SERVER });
  /** Nothing is sent any more. */
  const ending = createStopController();
  /** Nothing is waited for any more. */
  const stopping = createStopController();
  const slots = createSlots();
  const order = createDeliveryOrder(ending.signal);
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

  function enqueue(delivery: Delivery, send: Send): void {
    order.enqueue(delivery, () =>
      send(delivery).catch((error: unknown) => {
        if (!ending.signal.aborted)
          logger.error({ delivery: delivery.id, error: String(error) }, 'webhook delivery failed unexpectedly');
      }),
    );
  }

  function later(delivery: Delivery, delayMs: number, send: Send): void {
    if (ending.signal.aborted) return;
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
    const latest = await attempt(delivery);
    const after = settled({ ...delivery, attempts: [...delivery.attempts, latest] }, parts.retry);
    await save(after);
    logAttempt(logger, after);
    if (after.status === 'pending') later(after, after.nextAttemptAt - Date.now(), send);
    const heldBack = swapped.get(delivery.executionId) ?? [];
    swapped.delete(delivery.executionId);
    for (const notification of heldBack) await send(notification);
  }

  function attempt(delivery: Delivery): Promise<DeliveryAttempt> {
    // People wait for what is asked of them.
    const urgency = /^human-/.test(delivery.kind) ? 'urgent' : 'normal';
    return slots.use(new URL(delivery.url).origin, urgency, async () => {
      ending.signal.throwIfAborted();
      const at = Date.now();
      const outcome = await postWebhook(delivery, agent, parts.retry.timeoutMs, stopping.signal);
      parts.records.sent({ ...recorded(delivery), outcome });
      return { at, durationMs: Date.now() - at, outcome };
    });
  }

  return {
    async start() {
      for (const delivery of await store.pendingDeliveries()) take(delivery);
    },
    deliver: (deliveries) => deliveries.forEach(take),
    async close() {
      ending.abort(new Error('the crew service is stopping'));
      for (const timer of timers) clearTimeout(timer);
      await settlesWithin(LONGEST_CLOSE_MS, order.done());
      stopping.abort(ending.signal.reason);
      await order.done();
      await agent.destroy();
    },
  };
}

function recorded({ crew, kind, executionId, runId, url, body }: Delivery) {
  return { at: Date.now(), crew, kind, executionId, runId, url, body };
}

/**
 * Posts a notification once, without following redirects.
 * Rejects only when `stopping` aborts; it is then unknown whether the notification arrived.
 */
async function postWebhook(
  delivery: Delivery,
  agent: Agent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<DeliveryAttempt['outcome']> {
  try {
    const words = `no answer within ${timeoutMs} ms`;
    return await withTimeLimit({
      ms: timeoutMs,
      words,
      stopping,
      work: async (signal) => {
        const answer = await request(delivery.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'crew-service',
            ...proofOf(delivery, Date.now()),
          },
          body: delivery.body,
          dispatcher: agent,
          signal,
        });
        await answer.body.dump({ limit: 65_536, signal });
        return { status: answer.statusCode };
      },
    });
  } catch (error) {
    // Interrupted by a shutdown: it stays pending and is sent after the next start.
    stopping.throwIfAborted();
    return { error: errorMessage(error) };
  }
}

/** Returns the notification in the form of another deployment. */
function reshaped(
  body: string,
  { wrapIn, rename }: { wrapIn?: string | undefined; rename: Readonly<Record<string, string>> },
): string {
  const payload = parseJson(body);
  const fields = Object.entries(isObject(payload) ? payload : {});
  const renamed = Object.fromEntries(fields.map(([name, value]) => [rename[name] ?? name, value]));
  return JSON.stringify(wrapIn === undefined ? renamed : { [wrapIn]: renamed });
}

/** Logs a delivery after an attempt, without its address: the path of a webhook may be its secret. */
function logAttempt(logger: Logger, delivery: Delivery): void {
  const { id, kind, url, attempts, status, nextAttemptAt } = delivery;
  const { outcome, durationMs } = attempts.at(-1) ?? {};
  const facts = { delivery: id, kind, to: new URL(url).origin, attempt: attempts.length, durationMs, outcome };
  switch (status) {
    case 'delivered':
      logger.info(facts, 'webhook sent');
      return;
    case 'pending':
      logger.warn(
        { ...facts, nextAttemptAt: new Date(nextAttemptAt).toISOString() },
        'webhook failed, will be retried',
      );
      return;
    case 'given-up':
      logger.error(facts, 'webhook failed, given up');
      return;
    case 'dropped':
      logger.info(facts, 'webhook dropped by a test');
      return;
  }
}
