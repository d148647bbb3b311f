import { StoreUnavailable } from '../../src/core/ports.ts';
import type { RedisClient } from '../../src/redis/connection/call.ts';

/** Whether a method of a client sends what a seal asks of Redis. */
export const isCommand = (name: string) =>
  name.startsWith('signoff:') || ['hmget', 'get', 'getBuffer', 'hvals', 'lrangeBuffer'].includes(name);

/**
 * A client of a process that is killed at its n-th command: before Redis gets it, or after Redis has carried it out. Throws from
 * then on.
 */
export function killedClient(redis: RedisClient, steps: number, when: 'before' | 'after'): RedisClient {
  let left = steps;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      if (!isCommand(name)) return value.bind(target);
      return async (...args: unknown[]) => {
        left -= 1;
        if (left > 0) return Reflect.apply(value, target, args);
        if (left === 0 && when === 'after') await Reflect.apply(value, target, args);
        throw new StoreUnavailable('This process was killed.');
      };
    },
  });
}
