// The connection to Redis, and what is done while it is away.
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Requests fail fast without Redis; background work retries until it is back. Rejects if Redis can't be reached. */
export async function connectRedis(redisUrl: string, logger: Logger): Promise<Redis> {
  const address = redisUrl.replace(/^unix:\/\//, '');
  if (/^rediss?:/.test(address) && !URL.canParse(address))
    throw new Error('The Redis address is not a valid URL. Percent-encode special characters in the password.');
  const redis = new Redis(address, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', (error) => logger.debug({ error: error.message }, 'Redis connection'));
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new Error(`The crew service can't reach Redis at ${withoutPassword(redisUrl)}.`, { cause: error });
  }
  return redis;
}

/** A password may contain any character, including @, and may also be in the query string. */
function withoutPassword(redisUrl: string): string {
  return redisUrl.replace(/\/\/.*@/, '//').replace(/\?.*$/, '');
}

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
