import { z } from 'zod';
import type { DueQueue } from '../core/ports.ts';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { answerDeadline, type Deadline, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { dueAtOf, readRecord, UnreadableRecord } from './executions/record.ts';
import { NOW } from './executions/scripts.ts';
import { loadText } from './executions/stored-record.ts';
import { dueKey, recordKeys, SHARDS, type Shard } from './keys.ts';

/** How long an unreadable record stays out of the queue: another version may be able to read it. */
const UNREADABLE_BACKOFF_MS = 60_000;

const CLAIM = defineScript(
  'claim',
  z.tuple([z.array(z.string()), z.number().nullable()]),
  `
  -- KEYS: due. ARGV: most refs, lease in milliseconds.
  -- Returns the claimed refs, and the milliseconds until the next one is due (nil = none).
  ${NOW}
  local refs = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
  for _, ref in ipairs(refs) do redis.call('ZADD', KEYS[1], now + ARGV[2], ref) end
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {refs, first[2] and math.max(0, math.ceil(first[2] - now)) or false}`,
);

const RELEASE = defineScript(
  'release',
  z.number(),
  `
  -- KEYS: record, due. ARGV: expected write ids ('' = absent), due time ('' = none), ref.
  -- Returns 0 if the record has changed since, and with it its due time.
  if (redis.call('HGET', KEYS[1], 'writes') or '') ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then redis.call('ZREM', KEYS[2], ARGV[3])
  else redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3]) end
  return 1`,
);

/** The due times of all shards as one queue. A claim while nothing is due costs one short script per shard. */
export function createDueQueue(redis: RedisClient): DueQueue {
  return {
    async claim(most, leaseMs) {
      const seen = await claimFrom(
        redis,
        SHARDS.map((shard) => [shard, 0]),
        leaseMs,
      );
      if (seen.size === 0) throw new StoreUnavailable('No shard of the due queue answers.');
      const refs: string[] = [];
      while (refs.length < most) {
        const dueShards = [...seen.keys()].filter((shard) => seen.get(shard)?.nextInMs === 0);
        if (dueShards.length === 0) break;
        const shares = evenShares(most - refs.length, rotated(dueShards));
        const claimed = await claimFrom(redis, shares, leaseMs);
        for (const [shard] of shares) seen.delete(shard);
        for (const [shard, each] of claimed) seen.set(shard, each);
        refs.push(...[...claimed.values()].flatMap((each) => each.refs));
      }
      return { refs, nextInMs: earliest([...seen.values()].map(({ nextInMs }) => nextInMs)) };
    },

    async release(ref) {
      const until = answerDeadline();
      const { text, writes, now } = await loadText(redis, ref, until);
      const dueTime = text === null ? null : dueTimeOf(ref, text, now);
      await release(redis, { ref, writes, dueTime, until });
    },
  };
}

interface Claimed {
  refs: string[];
  nextInMs: number | null;
}

/**
 * Claims up to a share from each of the given shards. A shard that doesn't answer is left out, so a Cluster node that is
 * down doesn't block the others.
 */
async function claimFrom(redis: RedisClient, shares: [Shard, number][], leaseMs: number): Promise<Map<Shard, Claimed>> {
  const until = answerDeadline();
  const claimed = new Map<Shard, Claimed>();
  const claimShare = async ([shard, share]: [Shard, number]) => {
    try {
      const [refs, nextInMs] = await runScript(redis, CLAIM, { keys: [dueKey(shard)], args: [share, leaseMs], until });
      claimed.set(shard, { refs, nextInMs });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  };
  await Promise.all(shares.map(claimShare));
  return claimed;
}

async function release(
  redis: RedisClient,
  { ref, writes, dueTime, until }: { ref: string; writes: string; dueTime: Millis | null; until: Deadline },
): Promise<void> {
  const { record, due } = recordKeys(ref);
  await runScript(redis, RELEASE, { keys: [record, due], args: [writes, dueTime ?? '', ref], until });
}

function dueTimeOf(ref: string, text: string, now: Millis): Millis | null {
  try {
    return dueAtOf(readRecord(ref, text));
  } catch (error) {
    if (error instanceof UnreadableRecord) return now + UNREADABLE_BACKOFF_MS;
    throw error;
  }
}

/** Shares that differ by at most one, without the empty ones. */
function evenShares(most: number, shards: Shard[]): [Shard, number][] {
  const whole = Math.floor(most / shards.length);
  const rest = most % shards.length;
  return shards
    .map((shard, i): [Shard, number] => [shard, whole + (i < rest ? 1 : 0)])
    .filter(([, share]) => share > 0);
}

/** The same shards from a random start, so that none is always served first. */
function rotated(shards: Shard[]): Shard[] {
  const start = Math.floor(Math.random() * shards.length);
  return [...shards.slice(start), ...shards.slice(0, start)];
}

function earliest(times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
