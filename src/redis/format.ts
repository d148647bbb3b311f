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

// One key says how the data in Redis is laid out, so that a start finds out in one round trip whether it can read what is there. Where
// the key is missing, the data itself tells: it may be of a build that didn't write the key, or of a process that went on after all of
// Redis was lost.

const FORMAT = '6';

/** How many runs of each index a look takes in, as records expire before their places in it. */
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

/**
 * Whether this version can work with what Redis holds; if it is empty, it is this version's from now on.
 * @throws {StoreUnavailable}
 */
export async function checkFormat(redis: RedisClient): Promise<'ours' | 'foreign'> {
  const format = await storedFormat(redis);
  if (format !== null) return format === FORMAT ? 'ours' : 'foreign';
  if (!(await isReadable(redis))) {
    // A process that has started at the same moment may have written already.
    return (await storedFormat(redis)) === FORMAT ? 'ours' : 'foreign';
  }
  await markFormat(redis);
  return 'ours';
}

/** Says it again where it was lost with everything else. @throws {StoreUnavailable} */
export async function markFormat(redis: RedisClient): Promise<void> {
  await insist(redis, answerDeadline(), () => redis.set(formatKey, FORMAT, 'NX'));
}

function storedFormat(redis: RedisClient): Promise<string | null> {
  return insist(redis, answerDeadline(), () => redis.get(formatKey));
}

/** By its records; without any, a ledger tells that Signoff has been here. */
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
