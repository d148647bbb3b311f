import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** What a Redis server has counted since it started. */
export interface RedisCounts {
  /** Every command, those inside of scripts included. */
  commands: number;
  scripts: number;
}

/** Redis' own view of itself, which knows nothing of what keys and scripts are for. */
export interface RedisMeter {
  counts(): Promise<RedisCounts>;
  /** Of all keys with their values, once two readings agree. */
  bytes(): Promise<number>;
  keys(): Promise<number>;
  close(): void;
}

const SCRIPT = /^cmdstat_(?:eval|evalsha|eval_ro|evalsha_ro|fcall|fcall_ro):calls=(\d+)/gm;
const SETTLED_MS = 2_000;
const MOST_READINGS = 10;

export function createRedisMeter(port: number): RedisMeter {
  const redis = new Redis(port);
  return {
    async counts() {
      const info = await redis.info('stats', 'commandstats');
      const scripts = [...info.matchAll(SCRIPT)].reduce((sum, [, calls]) => sum + Number(calls), 0);
      return { scripts, commands: Number(/total_commands_processed:(\d+)/.exec(info)?.[1]) };
    },
    async bytes() {
      let before = await bytesOf(redis);
      for (let reading = 1; reading < MOST_READINGS; reading++) {
        await pause(SETTLED_MS);
        const now = await bytesOf(redis);
        if (now === before) break;
        before = now;
      }
      return before;
    },
    keys: () => redis.dbsize(),
    close: () => redis.disconnect(),
  };
}

/** `SAMPLES 0` counts every element of a collection instead of guessing from a few. */
async function bytesOf(redis: Redis): Promise<number> {
  let sum = 0;
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', 1_000);
    cursor = next;
    const usages = keys.map((key) => redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    for (const bytes of await Promise.all(usages)) sum += Number(bytes ?? 0);
  } while (cursor !== '0');
  return sum;
}
