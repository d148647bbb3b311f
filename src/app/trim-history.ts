import type { Logger } from 'pino';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { trimHistory } from '../redis/history.ts';
import { type Repeated, repeat } from './repeat.ts';

const EVERY_MS = 60 * 60_000;

/** Forgets the history that nobody is shown any more: now, and once an hour. Processes that do it at once do no harm. */
export function startTrimmingHistory(redis: RedisClient, log: Logger, everyMs: Millis = EVERY_MS): Repeated {
  const failed = 'could not forget the old history; trying again in an hour';
  return repeat(() => trimHistory(redis), { everyMs, first: 'now', log, failed });
}
