import { z } from 'zod';
import type { History } from '../core/history/history.ts';
import type { Millis } from '../core/time.ts';
import { answerDeadline, insist, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { readDecided, readEnded } from './executions/history-members.ts';
import { daysInMs } from './executions/retention.ts';
import { NOW } from './executions/scripts.ts';
import { decidedKey, endedKey, SHARDS, type Shard } from './keys.ts';

/** A month, and a day for those who are behind the clock of Redis. */
const KEPT_DAYS = 31;

/** Of each shard, the newest are read: 128,000 in all, so that Redis and this process get by. */
const MOST_OF_SHARD = 2_000;

const TRIM = defineScript(
  'trim-history',
  z.number(),
  `
  -- KEYS: decided, ended. ARGV: milliseconds to keep them.
  ${NOW}
  local removed = 0
  for _, key in ipairs(KEYS) do removed = removed + redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[1]) end
  return removed`,
);

/** The indexes of what was decided and what has ended. Each shard is one read, however many runs there are. */
export function createHistory(redis: RedisClient): History {
  return {
    decidedSince: async (at) =>
      sorted(await readSince(redis, { keyOf: decidedKey, at, read: readDecided }), ({ decidedAt }) => decidedAt),
    endedSince: async (at) =>
      sorted(await readSince(redis, { keyOf: endedKey, at, read: readEnded }), ({ endedAt }) => endedAt),
  };
}

/** Forgets what is older than 31 days. Any process may do it at any time. @throws {StoreUnavailable} */
export async function trimHistory(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const trim = (shard: Shard) =>
    runScript(redis, TRIM, { keys: [decidedKey(shard), endedKey(shard)], args: [daysInMs(KEPT_DAYS)], until });
  await Promise.all(SHARDS.map(trim));
}

async function readSince<Item>(
  redis: RedisClient,
  {
    keyOf,
    at,
    read,
  }: { keyOf: (shard: Shard) => string; at: Millis; read: (member: string, at: Millis) => Item | null },
): Promise<Item[]> {
  const until = answerDeadline();
  const ofShard = (shard: Shard) =>
    insist(redis, until, () =>
      redis.zrevrangebyscore(keyOf(shard), '+inf', at, 'WITHSCORES', 'LIMIT', 0, MOST_OF_SHARD),
    );
  const replies = await Promise.all(SHARDS.map(ofShard));
  return replies.flatMap((reply) => membersIn(reply).flatMap(([member, score]) => read(member, score) ?? []));
}

/** Redis gives each member and then its score. */
function membersIn(reply: readonly string[]): [string, Millis][] {
  return reply.flatMap((member, i) => (i % 2 === 0 ? [[member, Number(reply[i + 1])]] : []));
}

function sorted<Item>(items: Item[], timeOf: (item: Item) => Millis): Item[] {
  return items.sort((one, other) => timeOf(one) - timeOf(other));
}
