import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Retries `work`, which must be idempotent, until it succeeds: background work must survive Redis being down.
 * Rejects only when `signal` aborts.
 */
export async function retryUntilSuccess<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  logger: Logger,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      logger.warn({ error: String(error), pauseMs }, 'Redis call failed; retrying');
      await pause(pauseMs, undefined, { signal });
    }
  }
}
