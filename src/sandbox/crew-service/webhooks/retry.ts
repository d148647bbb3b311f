import type { Delivery } from './delivery.ts';

export type WebhookRetry = {
  readonly attempts: number;
  /** The delay after the first failure; it doubles each time. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How long a receiver may take to respond. */
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
