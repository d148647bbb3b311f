import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Repeats `work` until it succeeds: for writes that nobody else would repeat while Redis is away. `work` must be safe to
 * repeat. Rejects only when `signal` aborts.
 */
export async function persistently<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  logger: Logger,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      logger.warn({ error: String(error), pauseMs }, 'the store did not answer; trying again');
      await pause(pauseMs, undefined, { signal });
    }
  }
}
