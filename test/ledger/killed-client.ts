import { StoreUnavailable } from '../../src/core/ports.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { interceptedClient } from './intercepted-client.ts';

/**
 * A client of a process that is killed at its n-th command: before Redis gets it, or after Redis has carried it out. Throws from
 * then on.
 */
export function killedClient(redis: RedisClient, step: number, when: 'before' | 'after'): RedisClient {
  return interceptedClient(redis, async (command, nth) => {
    if (nth < step) return command();
    if (nth === step && when === 'after') await command();
    throw new StoreUnavailable('This process was killed.');
  });
}
