// A notification to a webhook: its receiver, its payload, and its next attempt.
import type { Dialect } from '../dialects/dialect.ts';
import type { Change } from '../executions/advance-run.ts';
import { type AddressedEvent, isFlow, type Run, type RunEvent } from '../executions/run.ts';
import type { Dashboard } from './dashboard.ts';
import { streamed } from './event-stream.ts';
import type { Notification } from './notification.ts';

export type DeliveryAttempt = {
  readonly at: number;
  readonly durationMs: number;
  readonly outcome: { readonly status: number } | { readonly error: string };
};

/** One notification to a webhook. */
export type Delivery = {
  readonly id: string;
  /** Ascending in the order in which notifications became due. */
  readonly order: number;
  readonly kind: Notification['kind'];
  readonly crew: string;
  readonly executionId: string;
  readonly runId: string;
  readonly url: string;
  readonly authentication?: Notification['authentication'];
  readonly body: string;
  readonly createdAt: number;
  readonly nextAttemptAt: number;
  readonly status: 'pending' | 'delivered' | 'given-up' | 'dropped';
  readonly attempts: readonly DeliveryAttempt[];
};

let lastOrder = 0;

/** Increases over time, across processes too, and never repeats within one. */
function nextOrder(now: number): number {
  lastOrder = Math.max(lastOrder + 1, now * 1000);
  return lastOrder;
}

/** The delivery of a run's changes to others. */
export type Notify = {
  /** To be stored with the change. @param before undefined at kickoff */
  readonly deliveriesFor: (change: Change, before: Run | undefined) => Delivery[];
  /** Once they are stored. */
  readonly deliver: (deliveries: readonly Delivery[]) => void;
};

type NotificationParts = { readonly dialect: Dialect; readonly dashboard: Dashboard };

/**
 * The notifications due after a change, to the run's current addresses and that of the dashboard.
 * @param before undefined at kickoff
 */
export function deliveriesFor(
  change: Change,
  before: Run | undefined,
  parts: NotificationParts,
  now: number,
): Delivery[] {
  const { run, events } = change;
  const addressed = events.flatMap((event) => notificationOf(event, run, parts) ?? []);
  return [...addressed, ...streamed(change, before, now)].map(({ body, ...notification }) => {
    const order = nextOrder(now);
    return {
      id: `${run.id}.${order}`,
      order,
      crew: run.crew,
      executionId: run.executionId,
      runId: run.id,
      ...notification,
      body: JSON.stringify(body),
      createdAt: now,
      nextAttemptAt: now,
      status: 'pending' as const,
      attempts: [],
    };
  });
}

function notificationOf(
  event: RunEvent,
  run: Run,
  { dialect, dashboard }: NotificationParts,
): Notification | undefined {
  if (event.type === 'human-feedback') return dashboard.notificationOf(event.request, run);
  // The methods of a flow are no tasks of a crew.
  if (event.type === 'failed' || isFlow(run.plan)) return undefined;
  const receiver = receiverOf(event, run);
  return receiver && { kind: event.type, ...receiver, body: dialect.payload(event, run) };
}

function receiverOf(
  event: AddressedEvent,
  { addresses }: Run,
): Pick<Notification, 'url' | 'authentication'> | undefined {
  switch (event.type) {
    case 'human-input':
      return addresses.humanInput;
    case 'task':
      return addresses.task === undefined ? undefined : { url: addresses.task };
    case 'step':
      return addresses.step === undefined ? undefined : { url: addresses.step };
    case 'crew':
      return addresses.crew === undefined ? undefined : { url: addresses.crew };
  }
}

export type WebhookRetry = {
  readonly attempts: number;
  /** The delay after the first failure; it doubles each time. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** The time that a receiver may take to respond. */
  readonly timeoutMs: number;
};

/** A delivery after its latest attempt. Receivers that are down or busy are tried again, but not ones that refuse. */
export function settled(delivery: Delivery, retry: WebhookRetry): Delivery {
  const outcome = delivery.attempts.at(-1)?.outcome;
  const status = outcome && 'status' in outcome ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { ...delivery, status: 'delivered' };
  const isRetryable = status === undefined || status >= 500 || status === 408 || status === 429;
  if (!isRetryable || delivery.attempts.length >= retry.attempts) return { ...delivery, status: 'given-up' };
  const pauseMs = Math.min(retry.firstPauseMs * 2 ** (delivery.attempts.length - 1), retry.longestPauseMs);
  return { ...delivery, nextAttemptAt: Date.now() + pauseMs };
}
