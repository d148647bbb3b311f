import { z } from 'zod';
import { defineScript } from '../connection/script.ts';

/** Milliseconds since 1970 by the clock of this Redis. */
export const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** The length of a write id; a record remembers its last eight, so that a repeated write finds itself. */
export const WRITE_ID_LENGTH = 16;
const REMEMBERED = WRITE_ID_LENGTH * 8;

/** The write ids of a record, newest first without separators; the whole of them is its version for compare-and-set. */
const LOADED = z.tuple([z.string().nullable(), z.string().nullable(), z.number()]);

export const LOAD = defineScript(
  LOADED,
  `
  -- KEYS: record.
  -- Returns write ids and record (nil = absent), now.
  ${NOW}
  local stored = redis.call('HMGET', KEYS[1], 'writes', 'record')
  return {stored[1], stored[2], now}`,
);

// Record, due time, indexes and lifetime change in one step, or a crash between them would lose what is owed.
export const SWAP = defineScript(
  z.tuple([z.enum(['written', 'conflict']), z.array(z.string()), z.number()]),
  `
  -- KEYS: record, due, outputs, activity, links, then the index of each entry.
  -- ARGV: expected write ids ('' = absent), own write id, record, due time ('' = none), ref,
  --       milliseconds to live ('' = for ever), then the member and the score of each entry ('' = not in the index).
  -- Returns whether it is written, the links whose lifetime has to follow, and that lifetime (-1 = for ever).
  local writes = redis.call('HGET', KEYS[1], 'writes') or ''
  local left = redis.call('PTTL', KEYS[1])
  if string.find(writes, ARGV[2], 1, true) then return {'written', {}, -1} end
  if writes ~= ARGV[1] then return {'conflict', {}, -1} end
  redis.call('HSET', KEYS[1], 'record', ARGV[3], 'writes', string.sub(ARGV[2] .. writes, 1, ${REMEMBERED}))
  if ARGV[4] == '' then redis.call('ZREM', KEYS[2], ARGV[5])
  else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
  for i = 6, #KEYS do
    local member, score = ARGV[2 * i - 5], ARGV[2 * i - 4]
    if score == '' then redis.call('ZREM', KEYS[i], member)
    else redis.call('ZADD', KEYS[i], score, member) end
  end
  -- What is expiring already gets no more time, or a message that Slack never takes would keep it for ever.
  local live = tonumber(ARGV[6]) or -1
  if live >= 0 and left >= 0 then live = math.min(live, left) end
  for _, i in ipairs({1, 3, 4, 5}) do
    if live < 0 then redis.call('PERSIST', KEYS[i])
    else redis.call('PEXPIRE', KEYS[i], live) end
  end
  if live < 0 and left < 0 then return {'written', {}, live} end
  return {'written', redis.call('SMEMBERS', KEYS[5]), live}`,
);

// WAIT counts the replicas that have the last write of its own connection, which may be new since the real write.
export const WRITE_AGAIN = `
  -- KEYS: record.
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes then redis.call('HSET', KEYS[1], 'writes', writes) end
  return 1`;

export const REMOVE = defineScript(
  z.tuple([z.enum(['removed', 'kept']), z.array(z.string())]),
  `
  -- KEYS: record, due, outputs, activity, links, then the index of each entry.
  -- ARGV: expected write ids, ref, then the member of each entry.
  -- Returns whether it is gone, and the links that led here.
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes and writes ~= ARGV[1] then return {'kept', {}} end
  local links = redis.call('SMEMBERS', KEYS[5])
  redis.call('DEL', KEYS[1], KEYS[3], KEYS[4], KEYS[5])
  redis.call('ZREM', KEYS[2], ARGV[2])
  for i = 6, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i - 3]) end
  return {'removed', links}`,
);

/** A record expires without leaving its index. */
export const LEAVE_IF_ABSENT = defineScript(
  z.number(),
  `
  -- KEYS: record, index. ARGV: ref.
  if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  return redis.call('ZREM', KEYS[2], ARGV[1])`,
);
