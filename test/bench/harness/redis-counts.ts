import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** What a Redis server has counted since it started. */
export interface RedisCounts {
  /** Every command, those inside of scripts included. */
  commands: number;
  scripts: number;
  /** Changes of executions: the script that stores one also counts it, and is the only one that increments a number. */
  writes: number;
}

/** Redis' own view of itself, which knows nothing of what keys and scripts are for. */
export interface RedisMeter {
  counts(): Promise<RedisCounts>;
  /** Of the keys whose names match, with their values, once two readings agree. */
  bytes(names?: RegExp): Promise<number>;
  keys(): Promise<number>;
  /** How many elements the lists have whose names match. */
  elements(names: RegExp): Promise<number>;
  remove(names: RegExp): Promise<void>;
  /** Resolves when there is no key whose name matches. @throws after a minute and a half */
  untilGone(names: RegExp): Promise<void>;
  close(): void;
}

const SCRIPT = /^cmdstat_(?:eval|evalsha|eval_ro|evalsha_ro|fcall|fcall_ro):calls=(\d+)/gm;
const WRITE = /^cmdstat_incr:calls=(\d+)/m;
const SETTLED_MS = 2_000;
const MOST_READINGS = 10;
const MOST_WAIT_MS = 90_000;
const LOOK_MS = 500;
const ANY = /(?:)/;

/** The names of the ledger's keys, and of all others: entries outlive what they are about, and have a budget of their own. */
export const LEDGER = /:ledger\b/;
export const BESIDE_LEDGER = /^(?!.*:ledger\b)/;
/** Those of its lists of entries, and of what isn't sealed yet. */
export const CHAINS = /:ledger:/;
export const UNSEALED = /:ledger-unsealed$/;

export function createRedisMeter(port: number): RedisMeter {
  const redis = new Redis(port);
  return {
    async counts() {
      const info = await redis.info('stats', 'commandstats');
      const scripts = [...info.matchAll(SCRIPT)].reduce((sum, [, calls]) => sum + Number(calls), 0);
      const commands = Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
      return { scripts, commands, writes: Number(WRITE.exec(info)?.[1] ?? 0) };
    },
    async bytes(names = ANY) {
      // `SAMPLES 0` counts every element of a collection instead of guessing from a few.
      const reading = () => sumOver(redis, names, (key) => redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
      let before = await reading();
      for (let readings = 1; readings < MOST_READINGS; readings++) {
        await pause(SETTLED_MS);
        const now = await reading();
        if (now === before) break;
        before = now;
      }
      return before;
    },
    keys: () => redis.dbsize(),
    elements: (names) => sumOver(redis, names, (key) => redis.llen(key)),
    remove: async (names) => void (await sumOver(redis, names, (key) => redis.del(key))),
    async untilGone(names) {
      const deadline = performance.now() + MOST_WAIT_MS;
      while ((await sumOver(redis, names, async () => 1)) > 0) {
        if (performance.now() > deadline) throw new Error(`waited in vain until no key matches ${names}`);
        await pause(LOOK_MS);
      }
    },
    close: () => redis.disconnect(),
  };
}

/** What a command says of each key whose name matches, added up. */
async function sumOver(redis: Redis, names: RegExp, ask: (key: string) => Promise<unknown>): Promise<number> {
  let sum = 0;
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', 1_000);
    cursor = next;
    for (const number of await Promise.all(keys.filter((key) => names.test(key)).map(ask))) sum += Number(number ?? 0);
  } while (cursor !== '0');
  return sum;
}
