import { z } from 'zod';
import type { OpenBucket } from '../core/ports.ts';
import { defineScript, NOW, type RedisClient, runScript } from './call.ts';
import { rateKey } from './keys.ts';

// Token buckets for Slack's rate limits, shared by all processes. A bucket is stored as its debt: the milliseconds until it is
// full again, counted from the time of storing, so that a changed clock of Redis holds nobody up.

/** Lua: sets `debt` to the debt of the bucket, to which each call adds `everyMs`. */
const DEBT = `
  ${NOW}
  local everyMs = tonumber(ARGV[1])
  local bucket = redis.call('HMGET', KEYS[1], 'debt', 'at')
  local debt = math.max(0, (bucket[1] or 0) - math.max(0, now - (bucket[2] or now)))`;

const STORE = `
  if debt > 0 then
    redis.call('HSET', KEYS[1], 'debt', debt, 'at', now)
    redis.call('PEXPIRE', KEYS[1], math.ceil(debt))
  else redis.call('DEL', KEYS[1]) end`;

const TAKE = defineScript(
  'take-tokens',
  z.tuple([z.number(), z.number()]),
  `
  -- KEYS: bucket. ARGV: milliseconds a token, burst, then for each call how many tokens it needs to be there.
  -- Returns how many calls have a token, and the debt. Where it runs again after a broken connection, their tokens are lost.
  ${DEBT}
  local count = 0
  for i = 3, #ARGV do
    if debt > (ARGV[2] - ARGV[i]) * everyMs then break end
    debt = debt + everyMs
    count = count + 1
  end
  ${STORE}
  return {count, debt}`,
);

const OWE = defineScript(
  'owe-tokens',
  z.number(),
  `
  -- KEYS: bucket. ARGV: milliseconds a token, how many milliseconds more are owed, how many at least.
  ${DEBT}
  debt = math.max(debt + ARGV[2], ARGV[3])
  ${STORE}
  return debt`,
);

/** Opens buckets, each of which expires once it is full. */
export function createOpenBucket(redis: RedisClient): OpenBucket {
  return (limit, { everyMs, burst }) => {
    const keys = [rateKey(limit)];
    return {
      async take(least) {
        const [count, debtMs] = await runScript(redis, TAKE, { keys, args: [everyMs, burst, ...least] });
        return { count, tokens: burst - debtMs / everyMs };
      },
      async putBack() {
        await runScript(redis, OWE, { keys, args: [everyMs, -everyMs, 0] });
      },
      async drain(waitMs) {
        await runScript(redis, OWE, { keys, args: [everyMs, 0, waitMs + (burst - 1) * everyMs] });
      },
    };
  };
}
