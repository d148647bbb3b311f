import { setTimeout as delay } from 'node:timers/promises';
import type { Millis } from '../../core/values/time.ts';

/**
 * The time for all that we first ask of Slack or the crew, together, of the three seconds in which we have to answer Slack.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
export const ANSWER_WITHIN_MS = 1_500;

/** Resolves to a value, or to `late` after `mostMs`. Rejects if the value does; `within` of the directory logs that and gives null. */
export function soon<Value, Late>(mostMs: Millis, value: Promise<Value>, late: Late): Promise<Value | Late> {
  return Promise.race([value, delay(mostMs, late, { ref: false })]);
}
