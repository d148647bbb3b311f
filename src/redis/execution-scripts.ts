import { z } from 'zod';
import { defineScript, NOW } from './call.ts';
import { DUE_CHANNEL, LINK_LENGTH } from './keys.ts';
import { appendEntries } from './ledger/entries.ts';
import { WRITE_ID_LENGTH } from './local-state.ts';

// The scripts that read and write a record, with all that changes in the same step.

/** A record remembers its last four write ids, so a retried write finds itself. */
const REMEMBERED = WRITE_ID_LENGTH * 4;

/** Lua: leaves in `links` the links of a record. */
const LINKS = `
  local links, own = {}, redis.call('HGET', KEYS[1], 'links') or ''
  for at = 1, #own, ${LINK_LENGTH} do links[#links + 1] = string.sub(own, at, at + ${LINK_LENGTH - 1}) end`;

/** How far the time that a change was made for may be from the time at which it is stored. */
const MOST_CLOCK_ERROR_MS = 1_000;

export const LOAD = defineScript(
  'load',
  z.tuple([z.number(), z.string().nullable(), z.string().nullable()]),
  `
  -- KEYS: record. ARGV: known write ids ('' = none).
  -- Returns now, the write ids (newest first, no separators), and the record (nil = absent, or the known one).
  -- All write ids together are the record's version for compare-and-set.
  ${NOW}
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes == ARGV[1] then return {now, writes, false} end
  return {now, writes, redis.call('HGET', KEYS[1], 'record')}`,
);

/** Where a write stands among the write ids of a record; nil if it isn't there. */
const PLACE_OF_WRITE = `
  local function placeOfWrite(writes, id)
    for at = 1, #writes, ${WRITE_ID_LENGTH} do
      if string.sub(writes, at, at + ${WRITE_ID_LENGTH - 1}) == id then return at end
    end
  end`;

// Record, due time, indexes, lifetime and ledger change in one step: a crash in between would lose what is due, or its entry.
export const SWAP = defineScript(
  'swap',
  z.tuple([
    z.enum(['written', 'conflict', 'wrong time', 'wrong chain']),
    z.number(),
    z.string().nullable(),
    z.string().nullable(),
    z.array(z.string()),
    z.number(),
  ]),
  `
  -- KEYS: record, due, activity, chain, unsealed, then the index of each entry.
  -- ARGV: expected write ids ('' = absent), own write id, record, due time ('' = none), ref,
  --       milliseconds to live ('' = for ever, 'kept' = unchanged), the time that the change was made for, process,
  --       then the member and the score of each entry ('' = not in the index), then appendArgs for the ledger.
  -- Returns the outcome, now, the write ids (nil = written by an earlier try, and others have changed it since), on a conflict
  -- the record, and otherwise the links whose lifetime must follow, with that lifetime (-1 = for ever).
  ${NOW}
  local writes = redis.call('HGET', KEYS[1], 'writes') or ''
  ${PLACE_OF_WRITE}
  local place = placeOfWrite(writes, ARGV[2])
  if place then return {'written', now, place == 1 and writes, false, {}, -1} end
  if writes ~= ARGV[1] then
    return {'conflict', now, writes ~= '' and writes, redis.call('HGET', KEYS[1], 'record'), {}, -1}
  end
  if math.abs(now - ARGV[7]) > ${MOST_CLOCK_ERROR_MS} then return {'wrong time', now, false, false, {}, -1} end
  ${appendEntries({ chain: 'KEYS[4]', unsealed: 'KEYS[5]', from: '9 + 2 * (#KEYS - 5)' })}
  if otherLength then return {'wrong chain', now, false, false, {}, -1} end
  writes = string.sub(ARGV[2] .. writes, 1, ${REMEMBERED})
  redis.call('HSET', KEYS[1], 'record', ARGV[3], 'writes', writes)
  redis.call('HDEL', KEYS[1], 'lease')
  if ARGV[4] == '' then redis.call('ZREM', KEYS[2], ARGV[5])
  else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
  for i = 6, #KEYS do
    local member, score = ARGV[2 * i - 3], ARGV[2 * i - 2]
    if score == '' then redis.call('ZREM', KEYS[i], member)
    else redis.call('ZADD', KEYS[i], score, member) end
  end
  -- Where publishing is forbidden, others find it a little later.
  redis.pcall('PUBLISH', '${DUE_CHANNEL}', ARGV[8] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
  if ARGV[6] == 'kept' then return {'written', now, writes, false, {}, -1} end
  ${setLifetime({ record: 'KEYS[1]', beside: ['KEYS[3]'], liveMs: 'ARGV[6]' })}
  if live < 0 and left < 0 then return {'written', now, writes, false, {}, live} end
  ${LINKS}
  return {'written', now, writes, false, links, live}`,
);

// WAIT covers only writes on its own connection, which may have been opened after the real write.
export const WRITE_AGAIN = `
  -- KEYS: record. ARGV: a write id that it must have ('' = any).
  -- Returns 1, or 0 if it doesn't have it: a failover has lost that write.
  ${PLACE_OF_WRITE}
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes then redis.call('HSET', KEYS[1], 'writes', writes) end
  return (ARGV[1] == '' or placeOfWrite(writes or '', ARGV[1])) and 1 or 0`;

export const REMOVE = defineScript(
  'remove',
  z.tuple([z.enum(['removed', 'kept']), z.array(z.string())]),
  `
  -- KEYS: record, due, activity, then the index of each entry.
  -- ARGV: expected write ids, ref, then the member of each entry.
  -- Returns whether it was removed, and the links that led here.
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes and writes ~= ARGV[1] then return {'kept', {}} end
  ${LINKS}
  redis.call('DEL', KEYS[1], KEYS[3])
  redis.call('ZREM', KEYS[2], ARGV[2])
  for i = 4, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i - 1]) end
  return {'removed', links}`,
);

/** An expired record is still in its index. */
export const LEAVE_IF_ABSENT = defineScript(
  'leave-if-absent',
  z.number(),
  `
  -- KEYS: record, index. ARGV: ref.
  if redis.call('HEXISTS', KEYS[1], 'record') == 1 then return 0 end
  return redis.call('ZREM', KEYS[2], ARGV[1])`,
);

/**
 * Lua: sets the lifetime of a record and of what lies beside it, in milliseconds ('' = for ever), and leaves in `live` the
 * one that now applies (-1 = for ever) and in `left` the one before. A record that is already expiring gets no more time:
 * otherwise a message that Slack never accepts would keep it for ever.
 */
function setLifetime({ record, beside, liveMs }: { record: string; beside: string[]; liveMs: string }): string {
  return `
  local left, live = redis.call('PTTL', ${record}), tonumber(${liveMs}) or -1
  if live >= 0 and left >= 0 then live = math.min(live, left) end
  for _, key in ipairs({${[record, ...beside].join(', ')}}) do
    if live < 0 then redis.call('PERSIST', key)
    else redis.call('PEXPIRE', key, live) end
  end`;
}

/**
 * Lua: lets a key live as long as the record beside it. A key written before its record exists waits for it as long as
 * given; the script that creates the record then sets its lifetime.
 */
export function liveLikeRecord({ key, record, waitMs }: { key: string; record: string; waitMs: string }): string {
  return `
  local left = redis.call('PTTL', ${record})
  if left == -2 then redis.call('PEXPIRE', ${key}, ${waitMs})
  elseif left >= 0 then redis.call('PEXPIRE', ${key}, left) end`;
}
