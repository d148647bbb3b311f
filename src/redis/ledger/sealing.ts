import { z } from 'zod';
import { groupBy } from '../../core/values/group-by.ts';
import { DAY_MS, type Millis } from '../../core/values/time.ts';
import { answerDeadline, defineScript, NOW, pairsIn, type RedisClient, runScript } from '../call.ts';
import {
  dailyKey,
  placesKey,
  SHARDS,
  type Shard,
  sealingTurnKey,
  setAsideKey,
  tileKey,
  tileRootsKey,
  treeKey,
  unsealedKey,
} from '../keys.ts';
import { runPerNode, shardKeys } from '../per-node.ts';
import { dayOf, type StoredCheckpoint, storedHashes } from './tree.ts';

// The steps of a seal: a process takes its turn, looks for unsealed entries, commits the tree that has them, and removes them
// from the lists of unsealed entries. The next process finishes what is left undone.

/** Days for which tiles outlive their entries, whose runs may have gone on for a while. */
const TILE_MARGIN_DAYS = 30;

/** Each seal stores the entries to remove from the shards, so this shouldn't be much. */
const MOST_PER_SHARD = 64;
/** Hashing more would hold up this process' acknowledgements. */
const MOST_AT_ONCE = 256;

/** Enough to see what happened. */
const MOST_SET_ASIDE = 1_000;

/** The tree before a process looks for new entries. A seal only succeeds while the tree is still the same. */
export interface Turn {
  now: Millis;
  size: number;
  /** Note of its last checkpoint; null if there is none. */
  note: string | null;
  /** Number of entries that are set aside. */
  setAside: number;
}

const TURN = defineScript(
  'sealing-turn',
  z.tuple([z.number(), z.number(), z.number(), z.string().nullable(), z.string().nullable(), z.number()]),
  `
  -- KEYS: turn, tree, set aside. ARGV: milliseconds that a turn takes ('' = take no turn).
  -- Returns whether it is our turn (0 = no), now, the size of the tree, what a seal has still to remove from the shards, the
  -- note of the last checkpoint, and how many entries are set aside.
  ${NOW}
  if ARGV[1] ~= '' and not redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[1]) then
    return {0, now, 0, false, false, 0}
  end
  local field = function(name) return redis.call('HGET', KEYS[2], name) end
  return {1, now, tonumber(field('size') or 0), field('sealed'), field('note'), redis.call('LLEN', KEYS[3])}`,
);

/**
 * Takes a turn: in each period of `everyMs`, one process gets one; null always grants one. Finishes what another process left
 * undone. @throws {StoreUnavailable}
 */
export async function takeTurn(redis: RedisClient, everyMs: Millis | null): Promise<Turn & { isOurs: boolean }> {
  const call = { keys: [sealingTurnKey, treeKey, setAsideKey], args: [everyMs ?? ''] };
  const [isOurs, now, size, sealed, note, setAside] = await runScript(redis, TURN, call);
  if (sealed !== null) await finishSeal(redis, sealed);
  return { isOurs: isOurs === 1, now, size, note, setAside };
}

/** An unsealed entry as it is stored. */
export interface Waiting {
  shard: Shard;
  text: string;
}

/** The entries that a seal still has to remove from the shards. */
const SEALED: z.ZodType<Waiting[]> = z.array(z.strictObject({ shard: z.string(), text: z.string() }));

const LOOK = defineScript(
  'look-for-unsealed',
  z.array(z.string()),
  `
  -- KEYS: unsealed of each shard. ARGV: most entries of a shard, then more of the KEYS.
  -- Returns what isn't sealed, each shard's in its order, each after the key that it lies under.
  ${shardKeys(1)}
  local found = {}
  -- One command tells that there is nothing. In a Cluster it fails, since the shards lie in several slots; then each key is looked at.
  if redis.pcall('EXISTS', unpack(shardKeys)) == 0 then return found end
  for _, key in ipairs(shardKeys) do
    for _, entry in ipairs(redis.call('LRANGE', key, 0, ARGV[1] - 1)) do
      found[#found + 1] = key
      found[#found + 1] = entry
    end
  end
  return found`,
);

/** Returns unsealed entries; not all of them if there are many. @throws {StoreUnavailable} */
export async function lookForUnsealed(redis: RedisClient): Promise<Waiting[]> {
  const call = { keysOf: (shard: Shard) => [unsealedKey(shard)], args: [MOST_PER_SHARD] };
  const stored = (await runPerNode(redis, LOOK, call)).flat();
  const shards = new Map(SHARDS.map((shard) => [unsealedKey(shard), shard]));
  const waiting = pairsIn(stored).flatMap(([key, text]) => {
    const shard = shards.get(key);
    return shard === undefined ? [] : [{ shard, text }];
  });
  return waiting.slice(0, MOST_AT_ONCE);
}

/** A tile after a seal. */
interface SealedTile {
  tile: number;
  leaves: readonly string[];
  /** Stored form of the places. */
  places: string;
  isFull: boolean;
}

interface Seal {
  /** Note of the current checkpoint; null if there is none. */
  oldNote: string | null;
  size: number;
  checkpoint: StoredCheckpoint;
  tiles: readonly SealedTile[];
  newTileRoots: readonly string[];
  /** Result of `lookForUnsealed`. */
  waiting: readonly Waiting[];
  /** Entries that can't be sealed, with the reason. */
  setAside: readonly { reason: string; entry: string }[];
}

// Size, checkpoint, tiles and what has to be removed from the shards change in one step: whatever breaks off afterwards, the
// next process removes it before it looks for more.
const COMMIT = defineScript(
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
  -- The newest checkpoint that is older than all kept entries stays: it proves how old the expired ones are.
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

/** Stores a seal, unless another process was faster. Any process can finish it. @throws {StoreUnavailable} */
export async function commitSeal(
  redis: RedisClient,
  { oldNote, size, checkpoint, tiles, newTileRoots, waiting, setAside }: Seal,
  { auditDays }: { auditDays: number },
): Promise<'sealed' | 'outrun'> {
  const sealed: z.input<typeof SEALED> = waiting.map(({ shard, text }) => ({ shard, text }));
  const removal = JSON.stringify(sealed);
  const aside = setAside.map((each) => JSON.stringify({ at: checkpoint.at, ...each }));
  const committed = await runScript(redis, COMMIT, {
    keys: [
      treeKey,
      tileRootsKey,
      dailyKey,
      setAsideKey,
      ...tiles.flatMap(({ tile }) => [tileKey(tile), placesKey(tile)]),
    ],
    args: [
      oldNote ?? '',
      size,
      checkpoint.at,
      checkpoint.note,
      dayOf(checkpoint.at),
      JSON.stringify(checkpoint),
      dayOf(checkpoint.at - auditDays * DAY_MS),
      removal,
      storedHashes(newTileRoots),
      (auditDays + TILE_MARGIN_DAYS) * DAY_MS,
      aside.length,
      ...aside,
      MOST_SET_ASIDE,
      ...tiles.flatMap(({ leaves, places, isFull }) => [storedHashes(leaves), places, isFull ? 1 : 0]),
    ],
  });
  // A retry after a lost answer finds another checkpoint. The next look for unsealed entries then shows whether it was ours.
  if (committed === 0) return 'outrun';
  await finishSeal(redis, removal);
  return 'sealed';
}

const REMOVE_SEALED = defineScript(
  'remove-sealed',
  z.number(),
  `
  -- KEYS: unsealed. ARGV: entries that are sealed, in order.
  for _, entry in ipairs(ARGV) do
    if redis.call('LINDEX', KEYS[1], 0) == entry then redis.call('LPOP', KEYS[1]) end
  end
  return 1`,
);

const FINISH = defineScript(
  'finish-seal',
  z.number(),
  `
  -- KEYS: tree. ARGV: what had to be removed.
  if redis.call('HGET', KEYS[1], 'sealed') ~= ARGV[1] then return 0 end
  return redis.call('HDEL', KEYS[1], 'sealed')`,
);

/** Removes the sealed entries from their shards. Repeating it changes nothing. */
async function finishSeal(redis: RedisClient, sealed: string): Promise<void> {
  const byShard = groupBy(SEALED.parse(JSON.parse(sealed)), ({ shard }) => shard);
  const until = answerDeadline();
  const remove = ([shard, waiting]: [Shard, Waiting[]]) =>
    runScript(redis, REMOVE_SEALED, { keys: [unsealedKey(shard)], args: waiting.map(({ text }) => text), until });
  await Promise.all([...byShard].map(remove));
  await runScript(redis, FINISH, { keys: [treeKey], args: [sealed], until });
}
