import { afterAll, beforeAll } from 'vitest';
import { startRedis, type TestRedis } from '../support/redis.ts';

/** Returns what the tests of a file, or of a `describe`, share: it starts before the first of them and ends after the last. */
export function shared<Thing extends object>(start: () => Promise<Thing>, end: (thing: Thing) => unknown): Thing {
  const thing = {} as Thing;
  beforeAll(async () => void Object.assign(thing, await start()));
  afterAll(() => end(thing));
  return thing;
}

export function sharedRedis(options: Parameters<typeof startRedis>[0] = {}): TestRedis {
  return shared(
    () => startRedis(options),
    (redis) => redis.stop(),
  );
}
