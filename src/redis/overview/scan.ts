import { z } from 'zod';
import type { DecidedRequest, EndedRun } from '../../core/history.ts';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, type RedisClient, runScript } from '../connection/call.ts';
import { defineScript, NOW } from '../connection/script.ts';
import { readDecided, readEnded } from '../executions/history-members.ts';
import { daysInMs } from '../executions/retention.ts';

import { decidedKey, endedKey, pendingKey, recordKeyPrefix, runsKey, type Shard } from '../keys.ts';
import { WRITE_ID_LENGTH } from '../local/write-ids.ts';

/** How far back lists of what was decided and has ended go. */
export const SHOWN_MS = daysInMs(7);

/** Of each shard, the newest decisions and ends: some 10,000 of each in all. */
export const MOST_OF_SHARD = 150;

const SCAN = defineScript(
  'scan',
  z.tuple([z.number(), z.string(), z.string().nullable(), z.array(z.string()), z.array(z.string())]),
  `
  -- KEYS: runs, pending, decided, ended of a shard. ARGV: the names of records up to their refs, the digest of the known list
  --       ('' = none), since when to tell what was decided and has ended ('' = all that is shown, '+inf' = nothing).
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
  local since = ARGV[3] == '' and now - ${SHOWN_MS} or ARGV[3]
  local function newest(key)
    return redis.call('ZREVRANGEBYSCORE', key, '+inf', since, 'WITHSCORES', 'LIMIT', 0, ${MOST_OF_SHARD})
  end
  return {now, digest, digest ~= ARGV[2] and text, newest(KEYS[3]), newest(KEYS[4])}`,
);

/** What a scan of a shard knows already. */
interface KnownShard {
  digest: string;
  /** Null for everything that is shown, `none` for nothing of what was decided and has ended. */
  since: Millis | 'none' | null;
}

export interface ScannedShard {
  now: Millis;
  digest: string;
  /** The newest write id of each record in progress, by ref; null if the list is the known one. */
  writes: ReadonlyMap<string, string> | null;
  /** Newest first. */
  decided: readonly DecidedRequest[];
  ended: readonly EndedRun[];
}

/** Lists the records of a shard with open runs or requests, and what was decided and has ended lately. @throws {StoreUnavailable} */
export async function scanShard(
  redis: RedisClient,
  shard: Shard,
  { digest: known, since }: KnownShard,
): Promise<ScannedShard> {
  const [now, digest, text, decided, ended] = await runScript(redis, SCAN, {
    keys: [runsKey(shard), pendingKey(shard), decidedKey(shard), endedKey(shard)],
    args: [recordKeyPrefix(shard), known, since === 'none' ? '+inf' : (since ?? '')],
    until: answerDeadline(),
  });
  return {
    ...{ now, digest, writes: text === null ? null : writesIn(text) },
    decided: pairsOf(decided).flatMap(([member, at]) => readDecided(member, at) ?? []),
    ended: pairsOf(ended).flatMap(([member, at]) => readEnded(member, at) ?? []),
  };
}

function writesIn(text: string): Map<string, string> {
  const lines = text === '' ? [] : text.split('\n');
  return new Map(lines.map((line) => [line.slice(WRITE_ID_LENGTH), line.slice(0, WRITE_ID_LENGTH)]));
}

/** Redis gives each member and then its score. */
function pairsOf(reply: readonly string[]): [string, Millis][] {
  return reply.flatMap((member, i) => (i % 2 === 0 ? [[member, Number(reply[i + 1])]] : []));
}
