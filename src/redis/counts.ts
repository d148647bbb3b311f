import { z } from 'zod';
import type { HourlyCounts } from '../core/ports.ts';
import { HOUR_MS, type Millis } from '../core/values/time.ts';
import { answerDeadline, defineScript, NOW, type RedisClient, runScript } from './call.ts';
import { COUNTED_RUNS, UNDELIVERED } from './indexes.ts';
import { dueKey, hourlyCountKey, pendingKey, runsKey, SHARDS, type Shard, undeliveredKey } from './keys.ts';

// Counts over all processes: the state of things from the indexes, and what a crew or a run does within an hour.

/** Counts over all processes at one moment. */
export interface StoreCounts {
  runs: Record<(typeof COUNTED_RUNS)[number], number>;
  /** Number of pending requests that are at least as old as each given age. */
  pendingOver: number[];
  /** Age of the oldest pending request; 0 if there is none. */
  oldestPendingMs: Millis;
  /** Decisions that a person can send again. */
  undelivered: Record<(typeof UNDELIVERED)[number], number>;
  /** Executions that are due and that no worker has claimed. */
  overdue: number;
  /** Time for which the longest overdue execution has been due. */
  dueLagMs: Millis;
}

const COUNTS = z.array(z.number());

const COUNT = defineScript(
  'count',
  z.tuple([z.number(), z.number(), z.number(), COUNTS, COUNTS, COUNTS]),
  `
  -- KEYS: due, runs, pending, undelivered. ARGV: number of run scores, number of undelivered scores, ages in milliseconds.
  -- Returns the number overdue, the longest time overdue, the longest time pending, then counts by run, reason and age.
  ${NOW}
  local function longest(key)
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    return first[2] and math.max(0, now - math.floor(first[2])) or 0
  end
  local function byScore(key, scores)
    local counts = {}
    for score = 0, scores - 1 do counts[score + 1] = redis.call('ZCOUNT', key, score, score) end
    return counts
  end
  local byAge = {}
  for i = 3, #ARGV do byAge[i - 2] = redis.call('ZCOUNT', KEYS[3], '-inf', now - ARGV[i]) end
  local overdue = redis.call('ZCOUNT', KEYS[1], '-inf', now)
  return {overdue, longest(KEYS[1]), longest(KEYS[3]), byScore(KEYS[2], ARGV[1]), byScore(KEYS[4], ARGV[2]), byAge}`,
);

/**
 * Counts by the indexes: one script of a few logarithmic steps per shard, however many executions there are.
 * @param agesMs the ages to count pending requests by @throws {StoreUnavailable}
 */
export async function countStored(redis: RedisClient, agesMs: readonly Millis[]): Promise<StoreCounts> {
  const until = answerDeadline();
  const args = [COUNTED_RUNS.length, UNDELIVERED.length, ...agesMs];
  const countShard = (shard: Shard) => {
    const keys = [dueKey(shard), runsKey(shard), pendingKey(shard), undeliveredKey(shard)];
    return runScript(redis, COUNT, { keys, args, until });
  };
  const shards = await Promise.all(SHARDS.map(countShard));
  const [starting = 0, running = 0, waiting = 0] = sumsOf(shards.map(([, , , runs]) => runs));
  const [refused = 0, notConfirmed = 0] = sumsOf(shards.map(([, , , , reasons]) => reasons));
  return {
    overdue: shards.reduce((sum, [overdue]) => sum + overdue, 0),
    dueLagMs: Math.max(...shards.map(([, lag]) => lag)),
    oldestPendingMs: Math.max(...shards.map(([, , oldest]) => oldest)),
    runs: { starting, running, waiting },
    undelivered: { refused, 'not-confirmed': notConfirmed },
    pendingOver: sumsOf(shards.map(([, , , , , byAge]) => byAge)),
  };
}

function sumsOf(lists: number[][]): number[] {
  return (lists[0] ?? []).map((_, i) => lists.reduce((sum, list) => sum + (list[i] ?? 0), 0));
}

const ADD = defineScript(
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
      const [count, endsInMs] = await runScript(redis, ADD, { keys, args: [amount, HOUR_MS] });
      return { count, endsInMs };
    },
  };
}
