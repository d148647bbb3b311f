import { setTimeout as delay } from 'node:timers/promises';
import type { Millis } from '../../core/values/time.ts';

/**
 * How much of Slack's three seconds others may take: Slack, and the crew.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
export const ANSWER_WITHIN_MS = 1_500;

/** A value, or `late` where it takes longer than `mostMs`: a person waits for the answer. Rejects as the value does. */
export function soon<Value, Late>(mostMs: Millis, value: Promise<Value>, late: Late): Promise<Value | Late> {
  return Promise.race([value, delay(mostMs, late, { ref: false })]);
}
