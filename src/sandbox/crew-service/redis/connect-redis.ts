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
