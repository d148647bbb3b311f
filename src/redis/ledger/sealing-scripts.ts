import { z } from 'zod';
import { defineScript } from '../call.ts';
import { shardKeys } from '../per-node.ts';

export const TURN = defineScript(
  'sealing-turn',
  z.tuple([z.number(), z.number(), z.number(), z.string().nullable(), z.string().nullable(), z.number()]),
  `
  -- KEYS: turn, tree, set aside. ARGV: milliseconds that a turn takes ('' = take no turn).
  -- Returns whether it is our turn (0 = no), now, the size of the tree, what a seal has still to remove from the shards, the
  -- note of the last checkpoint, and how many entries are set aside.
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if ARGV[1] ~= '' and not redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[1]) then
    return {0, now, 0, false, false, 0}
  end
  local field = function(name) return redis.call('HGET', KEYS[2], name) end
  return {1, now, tonumber(field('size') or 0), field('sealed'), field('note'), redis.call('LLEN', KEYS[3])}`,
);

export const LOOK = defineScript(
  'look-for-unsealed',
  z.array(z.string()),
  `
  -- KEYS: unsealed of each shard. ARGV: most entries of a shard, then more of the KEYS.
  -- Returns what isn't sealed, each shard's in its order, each after the key that it lies under.
  ${shardKeys(1)}
  local found = {}
  -- One command tells that there is nothing, but in a Cluster, where it fails since the shards lie in several slots.
  if redis.pcall('EXISTS', unpack(shardKeys)) == 0 then return found end
  for _, key in ipairs(shardKeys) do
    for _, entry in ipairs(redis.call('LRANGE', key, 0, ARGV[1] - 1)) do
      found[#found + 1] = key
      found[#found + 1] = entry
    end
  end
  return found`,
);

// Size, checkpoint, tiles and what has to be removed from the shards change in one step: whatever breaks off afterwards, the
// next process removes it before it looks for more.
export const COMMIT = defineScript(
  'seal',
  z.number(),
  `
  -- KEYS: tree, tile roots, checkpoints of days, set aside, then two of each tile: its leaves, its places.
  -- ARGV: expected note ('' = none), new size, now, new note, day, the checkpoint of that day, the first day that is kept, what has
  --       to be removed, roots of new full tiles, milliseconds to live, the number of entries to set aside, these entries, most
  --       of them that are kept, then two of each tile, and whether it is full (1 = yes).
  -- Returns 0 if the tree has another checkpoint, or a seal isn't finished.
  if (redis.call('HGET', KEYS[1], 'note') or '') ~= ARGV[1] then return 0 end
  if redis.call('HEXISTS', KEYS[1], 'sealed') == 1 then return 0 end
  redis.call('HSET', KEYS[1], 'size', ARGV[2], 'at', ARGV[3], 'note', ARGV[4], 'sealed', ARGV[8])
  redis.call('APPEND', KEYS[2], ARGV[9])
  -- The newest of those that are older than all entries proves how old what has expired is.
  local days, last = redis.call('HKEYS', KEYS[3]), ''
  for _, day in ipairs(days) do
    if day < ARGV[7] and day > last then last = day end
  end
  for _, day in ipairs(days) do
    if day < last then redis.call('HDEL', KEYS[3], day) end
  end
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[6])
  local aside = tonumber(ARGV[11])
  for i = 12, 11 + aside do redis.call('RPUSH', KEYS[4], ARGV[i]) end
  if aside > 0 then redis.call('LTRIM', KEYS[4], -ARGV[12 + aside], -1) end
  for i = 5, #KEYS, 2 do
    local at = 13 + aside + (i - 5) / 2 * 3
    redis.call('SET', KEYS[i], ARGV[at])
    redis.call('SET', KEYS[i + 1], ARGV[at + 1])
    if ARGV[at + 2] == '1' then
      redis.call('PEXPIRE', KEYS[i], ARGV[10])
      redis.call('PEXPIRE', KEYS[i + 1], ARGV[10])
    end
  end
  return 1`,
);

export const REMOVE_SEALED = defineScript(
  'remove-sealed',
  z.number(),
  `
  -- KEYS: unsealed. ARGV: entries that are sealed, in order.
  for _, entry in ipairs(ARGV) do
    if redis.call('LINDEX', KEYS[1], 0) == entry then redis.call('LPOP', KEYS[1]) end
  end
  return 1`,
);

export const FINISH = defineScript(
  'finish-seal',
  z.number(),
  `
  -- KEYS: tree. ARGV: what had to be removed.
  if redis.call('HGET', KEYS[1], 'sealed') ~= ARGV[1] then return 0 end
  return redis.call('HDEL', KEYS[1], 'sealed')`,
);
