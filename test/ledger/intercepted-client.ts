import type { RedisClient } from '../../src/redis/call.ts';

/** Whether a method of a client sends what a seal asks of Redis. */
const isCommand = (name: string) =>
  name.startsWith('signoff:') || ['hmget', 'get', 'getBuffer', 'hvals', 'lrangeBuffer'].includes(name);

/** A client that leaves each command to `around`, with its number, from 1. */
export function interceptedClient(
  redis: RedisClient,
  around: (command: () => Promise<unknown>, nth: number) => Promise<unknown>,
): RedisClient {
  let sent = 0;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      if (!isCommand(name)) return value.bind(target);
      return async (...args: unknown[]) => {
        sent += 1;
        return around(async () => Reflect.apply(value, target, args), sent);
      };
    },
  });
}
