import type { Logger } from 'pino';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { trimHistory } from '../redis/history.ts';

const EVERY_MS = 60 * 60_000;

interface RunningTrim {
  /** Resolves when one in progress has ended. */
  stop(): Promise<void>;
}

/** Forgets the history that nobody is shown any more: now, and once an hour. Processes that do it at once do no harm. */
export function startTrimmingHistory(redis: RedisClient, log: Logger, everyMs: Millis = EVERY_MS): RunningTrim {
  const trim = async () => {
    try {
      await trimHistory(redis);
    } catch (error) {
      const passes = error instanceof StoreUnavailable;
      log[passes ? 'warn' : 'error']({ err: error }, 'could not forget the old history; trying again in an hour');
    }
  };
  let trimming = trim();
  const timer = setInterval(() => {
    trimming = trimming.then(trim);
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await trimming;
    },
  };
}
