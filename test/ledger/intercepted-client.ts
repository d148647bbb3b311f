import { StoreUnavailable } from '../../src/core/ports.ts';
import type { RedisClient } from '../../src/redis/connection/call.ts';

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

/** A client of a process that is so slow that others overtake it before its n-th command. */
export function overtakenClient(redis: RedisClient, step: number, overtake: () => Promise<unknown>): RedisClient {
  return interceptedClient(redis, async (command, nth) => {
    if (nth === step) await overtake();
    return command();
  });
}

/** Whether a method of a client sends what a seal asks of Redis. */
const isCommand = (name: string, [key]: unknown[]) =>
  name.startsWith('signoff:') ||
  ['hmget', 'get', 'getBuffer', 'hvals'].includes(name) ||
  (name === 'lrange' && String(key).includes(':ledger:'));

/** A client that leaves each command to `around`, with its number, from 1. */
function interceptedClient(
  redis: RedisClient,
  around: (command: () => Promise<unknown>, nth: number) => Promise<unknown>,
): RedisClient {
  let sent = 0;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args: unknown[]) => {
        if (!isCommand(name, args)) return Reflect.apply(value, target, args);
        sent += 1;
        return around(async () => Reflect.apply(value, target, args), sent);
      };
    },
  });
}
