import { z } from 'zod';
import type { HourlyCounts } from '../core/ports.ts';
import { answerDeadline, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { hourlyCountKey } from './keys.ts';

const HOUR_MS = 3_600_000;

const COUNT = defineScript(
  'count-in-hour',
  z.tuple([z.number(), z.number()]),
  `
  -- KEYS: count. ARGV: how much to add, milliseconds that it lives.
  -- Returns the count, and how long it still lives.
  local count = redis.call('INCRBY', KEYS[1], ARGV[1])
  if count == tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {count, redis.call('PTTL', KEYS[1])}`,
);

/** Counts over all processes, each for an hour from its first. */
export function createHourlyCounts(redis: RedisClient): HourlyCounts {
  return {
    async add(kind, owner, amount) {
      const keys = [hourlyCountKey(kind, owner)];
      const [count, endsInMs] = await runScript(redis, COUNT, {
        keys,
        args: [amount, HOUR_MS],
        until: answerDeadline(),
      });
      return { count, endsInMs };
    },
  };
}
