import type { RedisClient } from '../../src/redis/call.ts';
import { interceptedClient } from './intercepted-client.ts';

/** A client of a process that is so slow that others overtake it before its n-th command. */
export function overtakenClient(redis: RedisClient, step: number, overtake: () => Promise<unknown>): RedisClient {
  return interceptedClient(redis, async (command, nth) => {
    if (nth === step) await overtake();
    return command();
  });
}
