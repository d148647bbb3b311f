// Reads the records and indexes of one shard for the overview.
import { z } from 'zod';
import type { DecidedRequest, EndedRun } from '../../core/inbox/history.ts';
import type { Execution } from '../../core/state/execution.ts';
import { DAY_MS, type Millis } from '../../core/values/time.ts';
import { defineScript, NOW, type RedisClient, runScript } from '../call.ts';
import { membersIn, readDecided, readEnded, SHOWN_DAYS } from '../indexes.ts';
import { decidedKey, endedKey, pendingKey, recordKeyPrefix, recordKeys, runsKey, type Shard } from '../keys.ts';
import { type LocalState, WRITE_ID_LENGTH } from '../local-state.ts';
import { readableRecord } from '../record.ts';

export const SHOWN_MS = SHOWN_DAYS * DAY_MS;

/** Most decisions and ends of each shard: some 10,000 of each in all. */
export const MOST_OF_SHARD = 150;

const SCAN = defineScript(
  'scan',
  z.tuple([z.number(), z.string(), z.string().nullable(), z.array(z.string()), z.array(z.string())]),
  `
  -- KEYS: runs, pending, decided, ended of a shard. ARGV: the names of records up to their refs, the digest of the known list
  --       ('' = none), since when to tell what was decided and has ended (milliseconds, or all-shown, or nothing).
  -- Returns now, the digest of the list of records and, unless it is the known one, the list, a line each: the newest write id
  -- and the ref. Then what was decided and what has ended, newest first, each with its time. The records lie in the same slot.
  ${NOW}
  local lines, seen = {}, {}
  local function list(ref)
    if seen[ref] then return end
    seen[ref] = true
    local writes = redis.call('HGET', ARGV[1] .. ref, 'writes')
    if writes then lines[#lines + 1] = string.sub(writes, 1, ${WRITE_ID_LENGTH}) .. ref end
  end
  for _, ref in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do list(ref) end
  for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do list(string.match(member, '^(.*):')) end
  local text = table.concat(lines, '\\n')
  local digest = redis.sha1hex(text)
  local since = ARGV[3]
  if since == 'all-shown' then since = now - ${SHOWN_MS} elseif since == 'nothing' then since = '+inf' end
  local function newest(key)
    return redis.call('ZREVRANGEBYSCORE', key, '+inf', since, 'WITHSCORES', 'LIMIT', 0, ${MOST_OF_SHARD})
  end
  return {now, digest, digest ~= ARGV[2] and text, newest(KEYS[3]), newest(KEYS[4])}`,
);

/** Start of the decisions and ends that a scan returns. */
export type Since = Millis | 'all-shown' | 'nothing';

export interface ScannedShard {
  now: Millis;
  digest: string;
  /** Newest write id of each record in progress, by ref; null if the known list hasn't changed. */
  writes: ReadonlyMap<string, string> | null;
  /** Newest first. */
  decided: readonly DecidedRequest[];
  ended: readonly EndedRun[];
}

/** Lists the records of a shard with open runs or requests, and its recent decisions and ends. @throws {StoreUnavailable} */
export async function scanShard(
  redis: RedisClient,
  shard: Shard,
  { digest: lastDigest, since }: { digest: string; since: Since },
): Promise<ScannedShard> {
  const [now, digest, text, decided, ended] = await runScript(redis, SCAN, {
    keys: [runsKey(shard), pendingKey(shard), decidedKey(shard), endedKey(shard)],
    args: [recordKeyPrefix(shard), lastDigest, since],
  });
  return {
    now,
    digest,
    writes: text === null ? null : writesIn(text),
    decided: membersIn(decided).flatMap(([member, at]) => readDecided(member, at) ?? []),
    ended: membersIn(ended).flatMap(([member, at]) => readEnded(member, at) ?? []),
  };
}

function writesIn(text: string): Map<string, string> {
  const lines = text === '' ? [] : text.split('\n');
  return new Map(lines.map((line) => [line.slice(WRITE_ID_LENGTH), line.slice(0, WRITE_ID_LENGTH)]));
}

/** One script then returns some 50 kB, which are parsed without holding up a click. */
const BATCH = 24;

const LOAD_RECORDS = defineScript(
  'load-records',
  z.array(z.string().nullable()),
  `
  -- KEYS: records.
  -- Returns each of them (nil = absent).
  local records = {}
  for i, key in ipairs(KEYS) do records[i] = redis.call('HGET', key, 'record') end
  return records`,
);

/** The two places of records: Redis, and for some of them this process. */
export interface StoredIn {
  redis: RedisClient;
  local: LocalState;
}

/** `writeId`: the newest write known. A copy in memory is used only if it is of that write; null: Redis is read in any case. */
export interface RecordToLoad {
  ref: string;
  writeId: string | null;
}

/**
 * Calls back with each record of one shard, or null for one that is gone or unreadable, which the worker reports. Uses the
 * records in the memory of this process, but adds none to them: the worker's own records would fall out. @throws {StoreUnavailable}
 */
export async function loadRecords(
  { redis, local }: StoredIn,
  records: readonly RecordToLoad[],
  onRecord: (record: RecordToLoad, execution: Execution | null) => void,
): Promise<void> {
  const missing = records.filter((each) => {
    const execution = cachedCopy(local, each);
    if (execution) onRecord(each, execution);
    return execution === null;
  });
  for (const batch of inBatches(missing)) {
    const keys = batch.map(({ ref }) => recordKeys(ref).record);
    const texts = await runScript(redis, LOAD_RECORDS, { keys });
    batch.forEach((each, i) => {
      const text = texts[i] ?? null;
      onRecord(each, text === null ? null : readableRecord(each.ref, text));
    });
  }
}

function cachedCopy({ records }: LocalState, { ref, writeId }: RecordToLoad): Execution | null {
  const cached = writeId === null ? undefined : records.get(ref);
  return cached?.writes.slice(0, WRITE_ID_LENGTH) === writeId ? (cached?.execution ?? null) : null;
}

function inBatches(records: readonly RecordToLoad[]): RecordToLoad[][] {
  const count = Math.ceil(records.length / BATCH);
  return Array.from({ length: count }, (_, i) => records.slice(i * BATCH, (i + 1) * BATCH));
}
