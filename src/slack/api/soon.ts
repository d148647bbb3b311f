import { setTimeout as delay } from 'node:timers/promises';
import type { Millis } from '../../core/values/time.ts';

/**
 * The share of Slack's three seconds that Slack's own answers and the crew's may take.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
export const ANSWER_WITHIN_MS = 1_500;

/** Resolves to a value, or to `late` if it takes longer than `mostMs`. Rejects if the value does. */
export function soon<Value, Late>(mostMs: Millis, value: Promise<Value>, late: Late): Promise<Value | Late> {
  return Promise.race([value, delay(mostMs, late, { ref: false })]);
}
