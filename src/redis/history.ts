// What was decided and what has ended, kept for a month in indexes by time: each member is JSON, its score the time.

import { z } from 'zod';
import type { DecidedRequest, EndedRun, History } from '../core/history.ts';
import { inParallel } from '../core/in-parallel.ts';
import { characterEnd } from '../core/text.ts';
import { daysInMs, type Millis } from '../core/time.ts';
import { answerDeadline, type Deadline, defineScript, insist, NOW, type RedisClient, runScript } from './call.ts';
import { decidedKey, endedKey, SHARDS, type Shard } from './keys.ts';

/** A month, and a day for those who are behind the clock of Redis. */
const KEPT_DAYS = 31;

/** Of each shard, the newest are read, at most 128,000 in all: some 4,000 decisions a day. */
const MOST_OF_SHARD = 2_000;
/** Reading two thousand takes some milliseconds; clicks get their turn in between. */
const SHARDS_AT_ONCE = 8;

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

/** The index of what was decided. Each shard is one read, however many runs there are. */
export function createHistory(redis: RedisClient): History {
  return {
    async decidedSince(at) {
      const until = answerDeadline();
      const found: DecidedRequest[] = [];
      await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
        found.push(...(await readShard(redis, { shard, at, until })));
      });
      return found.sort((one, other) => one.decidedAt - other.decidedAt);
    },
  };
}

/** Forgets what is older than 31 days. Any process may do it at any time. @throws {StoreUnavailable} */
export async function trimHistory(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const trim = (shard: Shard) =>
    runScript(redis, TRIM, { keys: [decidedKey(shard), endedKey(shard)], args: [daysInMs(KEPT_DAYS)], until });
  await Promise.all(SHARDS.map(trim));
}

async function readShard(
  redis: RedisClient,
  { shard, at, until }: { shard: Shard; at: Millis; until: Deadline },
): Promise<DecidedRequest[]> {
  const reply = await insist(redis, until, () =>
    redis.zrevrangebyscore(decidedKey(shard), '+inf', at, 'WITHSCORES', 'LIMIT', 0, MOST_OF_SHARD),
  );
  return membersIn(reply).flatMap(([member, score]) => readDecided(member, score) ?? []);
}

/** There may be hundreds of thousands of them, and a name is only shown. */
const MOST_OF_TASK = 40;

const DECIDED = z.object({
  ref: z.string(),
  approvalId: z.string(),
  crew: z.string(),
  task: z.string(),
  round: z.number(),
  rounds: z.number(),
  outcome: z.enum(['approve', 'reject', 'closed']),
  by: z.array(z.string()),
  askedAt: z.number(),
}) satisfies z.ZodType<Omit<DecidedRequest, 'decidedAt'>>;

const ENDED = z.object({
  ref: z.string(),
  startedBy: z.string().nullable(),
}) satisfies z.ZodType<Omit<EndedRun, 'endedAt'>>;

/** The member of a decided request in its index, whose score is the time of the decision. */
export function writeDecided({ decidedAt: _, ...request }: DecidedRequest): string {
  const task = request.task.slice(0, characterEnd(request.task, MOST_OF_TASK));
  return JSON.stringify(DECIDED.encode({ ...request, task, by: [...request.by] }));
}

/** Null for one that isn't as it is written here. */
export function readDecided(member: string, decidedAt: Millis): DecidedRequest | null {
  const request = DECIDED.safeParse(jsonIn(member));
  return request.success ? { ...request.data, decidedAt } : null;
}

/** The member of a run in the index of those that have ended, whose score is the time of the end. */
export function writeEnded({ endedAt: _, ...run }: EndedRun): string {
  return JSON.stringify(ENDED.encode(run));
}

/** Null for one that isn't as it is written here. */
export function readEnded(member: string, endedAt: Millis): EndedRun | null {
  const run = ENDED.safeParse(jsonIn(member));
  return run.success ? { ...run.data, endedAt } : null;
}

function jsonIn(member: string): unknown {
  try {
    return JSON.parse(member);
  } catch {
    return null;
  }
}

/** What Redis replies of an index: each member and then its score. */
export function membersIn(reply: readonly string[]): [string, Millis][] {
  return reply.flatMap((member, i) => (i % 2 === 0 ? [[member, Number(reply[i + 1])]] : []));
}
