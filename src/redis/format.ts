import { z } from 'zod';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import {
  dueKey,
  formatKey,
  pendingKey,
  policiesKey,
  recordKeyPrefix,
  runsKey,
  SHARDS,
  type Shard,
  treeKey,
} from './keys.ts';
import { readableRecord } from './record.ts';

// The version of the layout of the data in Redis. A start reads it from one key, so one round trip says whether this build can
// read what is there. If the key is missing, the data itself decides: an older build may have written it, or a process may have
// gone on after all of Redis was lost.

const FORMAT = '7';

/** Members of each index to look at, because records expire before their members. */
const MOST_LOOKED_AT = 10;

const FIND = defineScript(
  'find-records',
  z.array(z.tuple([z.string(), z.string()])),
  `
  -- KEYS: due, runs, pending, and the names of the records up to their refs, of one shard.
  -- Returns some refs with their records.
  local found = {}
  for i = 1, 3 do
    for _, member in ipairs(redis.call('ZRANGE', KEYS[i], 0, ${MOST_LOOKED_AT - 1})) do
      local ref = i == 3 and string.match(member, '^(.*):') or member
      local record = redis.pcall('HGET', KEYS[4] .. ref, 'record')
      if type(record) == 'string' then found[#found + 1] = {ref, record} end
    end
  end
  return found`,
);

/** Returns `ours` if this version can read Redis, and claims an empty Redis for it. @throws {StoreUnavailable} */
export async function checkFormat(redis: RedisClient): Promise<'ours' | 'foreign'> {
  const format = await storedFormat(redis);
  if (format !== null) return format === FORMAT ? 'ours' : 'foreign';
  if (!(await isReadable(redis))) {
    // Another process that started at the same moment may have written the key.
    return (await storedFormat(redis)) === FORMAT ? 'ours' : 'foreign';
  }
  await markFormat(redis);
  return 'ours';
}

/** Writes the version, unless it is there. @throws {StoreUnavailable} */
export async function markFormat(redis: RedisClient): Promise<void> {
  await insist(redis, answerDeadline(), () => redis.set(formatKey, FORMAT, 'NX'));
}

function storedFormat(redis: RedisClient): Promise<string | null> {
  return insist(redis, answerDeadline(), () => redis.get(formatKey));
}

/** Judges by the records. Without records, Redis is readable if it has no ledger either. */
async function isReadable(redis: RedisClient): Promise<boolean> {
  const until = answerDeadline();
  const find = (shard: Shard) => {
    const keys = [dueKey(shard), runsKey(shard), pendingKey(shard), recordKeyPrefix(shard)];
    return runScript(redis, FIND, { keys, until });
  };
  const records = (await Promise.all(SHARDS.map(find))).flat();
  if (records.length > 0) return records.every(([ref, record]) => readableRecord(ref, record) !== null);
  return (await insist(redis, until, () => redis.exists(policiesKey, treeKey))) === 0;
}
