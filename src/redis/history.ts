import { z } from 'zod';
import type { DecidedRequest, Outcome } from '../core/history/decided-request.ts';
import type { EndedRun } from '../core/history/ended-run.ts';
import type { History } from '../core/history/history.ts';
import { inParallel } from '../core/in-parallel.ts';
import { parseJson } from '../core/json.ts';
import { characterEnd } from '../core/text.ts';
import { daysInMs, type Millis } from '../core/time.ts';
import { answerDeadline, type Deadline, defineScript, insist, NOW, type RedisClient, runScript } from './call.ts';
import { decidedKey, endedKey, SHARDS, type Shard } from './keys.ts';

// What was decided and which runs have ended, in two indexes of each shard that outlive the records.

/** There may be hundreds of thousands of them, and a name is only shown. */
const MOST_OF_TASK = 40;

/** By their numbers, which are never changed. */
const OUTCOMES = ['approve', 'reject', 'closed'] as const satisfies readonly Outcome[];

const count = z.number().int().nonnegative();

/** Ref, approval, crew, task, round, rounds, outcome, milliseconds from the request to its end, and who decided. */
const DECIDED = z
  .tuple([z.string(), z.string(), z.string(), z.string(), count, count, z.literal([0, 1, 2]), z.number()])
  .rest(z.string());

/** Ref, and who started it, unless it was started elsewhere. */
const ENDED = z.tuple([z.string(), z.string().nullable()]);

/** The name of a decided request in its index, whose score is the time of the decision. Names are foreign text, hence JSON. */
export function writeDecided(request: DecidedRequest): string {
  const { ref, approvalId, crew, task, round, rounds, outcome, by, askedAt, decidedAt } = request;
  const name = task.slice(0, characterEnd(task, MOST_OF_TASK));
  const head = [ref, approvalId, crew, name, round, rounds, OUTCOMES.indexOf(outcome), decidedAt - askedAt];
  return JSON.stringify([...head, ...by]);
}

/** Null for one that this version can't read. */
export function readDecided(member: string, decidedAt: Millis): DecidedRequest | null {
  const read = DECIDED.safeParse(parseJson(member));
  if (!read.success) return null;
  const [ref, approvalId, crew, task, round, rounds, outcome, afterMs, ...by] = read.data;
  const askedAt = decidedAt - afterMs;
  return { ref, approvalId, crew, task, round, rounds, outcome: OUTCOMES[outcome], by, askedAt, decidedAt };
}

/** The name of a run in the index of those that have ended, whose score is the time of the end. */
export function writeEnded({ ref, startedBy }: EndedRun): string {
  return JSON.stringify([ref, startedBy]);
}

/** Null for one that this version can't read. */
export function readEnded(member: string, endedAt: Millis): EndedRun | null {
  const read = ENDED.safeParse(parseJson(member));
  if (!read.success) return null;
  const [ref, startedBy] = read.data;
  return { ref, startedBy, endedAt };
}

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

/** Redis gives each member and then its score. */
function membersIn(reply: readonly string[]): [string, Millis][] {
  return reply.flatMap((member, i) => (i % 2 === 0 ? [[member, Number(reply[i + 1])]] : []));
}
