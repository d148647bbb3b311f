import type { RedisClient } from '../../src/redis/connection/call.ts';
import { isCommand } from './killed-client.ts';

/** A client of a process that is so slow that others overtake it before its n-th command. */
export function overtakenClient(redis: RedisClient, step: number, overtake: () => Promise<unknown>): RedisClient {
  let left = step;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      if (!isCommand(name)) return value.bind(target);
      return async (...args: unknown[]) => {
        left -= 1;
        if (left === 0) await overtake();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
