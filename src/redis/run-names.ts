import { z } from 'zod';
import { type Execution, threadTsOf } from '../core/state/execution.ts';
import { inParallel } from '../core/values/in-parallel.ts';
import { parseJson } from '../core/values/json.ts';
import { answerDeadline, insist, type RedisClient } from './call.ts';
import { ledgerKey, recordKeys, runNamesKey, SHARDS } from './keys.ts';
import { chainLifetimeMs } from './ledger/entries.ts';
import { redisNow } from './ledger/policies.ts';

// Other names than its ref by which people know a run: its thread in Slack, and the ids from the crew's service. Each shard
// indexes its runs by start time. The index outlives the records and lasts as long as the ledger entries.

const RUN_NAMES = z.object({
  ref: z.string(),
  thread: z.object({ channel: z.string(), ts: z.string() }).nullable(),
  kickoffIds: z.array(z.string()),
});

export type RunNames = z.infer<typeof RUN_NAMES>;

/** A run with more resumes is found by its first ids only. */
const MOST_KICKOFF_IDS = 20;
const MOST_ID_LENGTH = 200;

/** Returns the member of a run in the index of its shard; null as long as it has no other name than its ref. */
export function writeRunNames(execution: Execution): string | null {
  const { ref, channel, kickoffIds } = execution;
  const ts = threadTsOf(execution);
  const ids = kickoffIds.slice(0, MOST_KICKOFF_IDS).filter((id) => id.length <= MOST_ID_LENGTH);
  if (ts === null && ids.length === 0) return null;
  return JSON.stringify(RUN_NAMES.encode({ ref, thread: ts === null ? null : { channel, ts }, kickoffIds: ids }));
}

/** Returns null for a member of another format. */
export function readRunNames(member: string): RunNames | null {
  return RUN_NAMES.safeParse(parseJson(member)).data ?? null;
}

const SHARDS_AT_ONCE = 8;

/** Further members wait for the next call. */
const MOST_TRIMMED = 1_000;

/** Forgets runs without a record and ledger entries. Any process may call it. @throws {StoreUnavailable} */
export async function trimRunNames(redis: RedisClient, auditDays: number): Promise<void> {
  const until = answerDeadline();
  const before = (await redisNow(redis)) - chainLifetimeMs(auditDays);
  await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
    const key = runNamesKey(shard);
    const old = await insist(redis, until, () => redis.zrangebyscore(key, '-inf', before, 'LIMIT', 0, MOST_TRIMMED));
    for (const member of old) {
      const ref = readRunNames(member)?.ref;
      const isLeft =
        ref !== undefined &&
        (await insist(redis, until, () => redis.exists(recordKeys(ref).record, ledgerKey(ref)))) > 0;
      if (!isLeft) await insist(redis, until, () => redis.zrem(key, member));
    }
  });
}
