import { z } from 'zod';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, type RedisClient, runScript } from '../call.ts';
import {
  dailyKey,
  placesKey,
  SHARDS,
  type Shard,
  sealingTurnKey,
  setAsideKey,
  shardOf,
  tileKey,
  tileRootsKey,
  treeKey,
  unsealedKey,
} from '../keys.ts';
import { runPerNode } from '../per-node.ts';
import { DAY_MS, readUnsealed } from './append.ts';
import { COMMIT, FINISH, LOOK, REMOVE_SEALED, TURN } from './sealing-scripts.ts';
import { type StoredCheckpoint, storedHashes } from './tree.ts';

/** How long tiles are kept after the entries in them, whose runs may have gone on for a while. */
const TILE_MARGIN_DAYS = 30;

/** What is sealed at once is written down before it is removed from the shards, so it shouldn't be much. */
const MOST_PER_SHARD = 64;
/** Hashing more would hold up this process' acknowledgements. */
const MOST_AT_ONCE = 256;

/** Enough to see what happened. */
const MOST_SET_ASIDE = 1_000;

/** What a seal has still to remove from the shards, as `removalOf` writes it. */
const SEALED = z.array(z.string());

/** What the tree is before a process looks for new entries. A seal of them is made only while it still is that. */
export interface Turn {
  now: Millis;
  size: number;
  /** Of its last checkpoint; null if there is none. */
  note: string | null;
  /** How many entries are set aside. */
  setAside: number;
}

/**
 * Whether this process may look for new entries: one may in each period of `everyMs`, and any for null. Finishes what another process
 * has broken off. @throws {StoreUnavailable}
 */
export async function takeTurn(redis: RedisClient, everyMs: Millis | null): Promise<Turn & { isOurs: boolean }> {
  const call = { keys: [sealingTurnKey, treeKey, setAsideKey], args: [everyMs ?? ''], until: answerDeadline() };
  const [isOurs, now, size, sealed, note, setAside] = await runScript(redis, TURN, call);
  if (sealed !== null) await finishSeal(redis, sealed);
  return { isOurs: isOurs === 1, now, size, note, setAside };
}

/** Something that waits to be sealed, as it is stored. */
export interface Waiting {
  shard: Shard;
  text: string;
}

/** What isn't sealed yet; not all of it where there is much. @throws {StoreUnavailable} */
export async function lookForUnsealed(redis: RedisClient): Promise<Waiting[]> {
  const call = { keysOf: (shard: Shard) => [unsealedKey(shard)], args: [MOST_PER_SHARD] };
  const found = (await runPerNode(redis, LOOK, call)).flat();
  const shards = new Map(SHARDS.map((shard) => [unsealedKey(shard), shard]));
  const waiting = found.flatMap((text, i) => {
    const shard = i % 2 === 1 ? shards.get(found[i - 1] ?? '') : undefined;
    return shard === undefined ? [] : [{ shard, text }];
  });
  return waiting.slice(0, MOST_AT_ONCE);
}

/** A tile as it is after a seal. */
interface SealedTile {
  tile: number;
  leaves: readonly string[];
  /** As they are stored. */
  places: string;
  isFull: boolean;
}

interface Seal {
  /** Of the checkpoint that the tree has so far; null if it has none. */
  oldNote: string | null;
  size: number;
  checkpoint: StoredCheckpoint;
  tiles: readonly SealedTile[];
  newTileRoots: readonly string[];
  /** What `lookForUnsealed` gave. */
  found: readonly Waiting[];
  /** What of it can't be sealed, and why. */
  setAside: readonly { reason: string; entry: string }[];
}

/** Stores a seal, unless another process was faster. Any process can do what then remains. @throws {StoreUnavailable} */
export async function commitSeal(
  redis: RedisClient,
  { oldNote, size, checkpoint, tiles, newTileRoots, found, setAside }: Seal,
  { auditDays }: { auditDays: number },
): Promise<'sealed' | 'outrun'> {
  const text = JSON.stringify(found.map(removalOf));
  const head = [oldNote ?? '', size, checkpoint.at, checkpoint.note];
  const days = [dayOf(checkpoint.at), JSON.stringify(checkpoint), dayOf(checkpoint.at - auditDays * DAY_MS)];
  const rest = [text, storedHashes(newTileRoots), (auditDays + TILE_MARGIN_DAYS) * DAY_MS];
  const aside = setAside.map((each) => JSON.stringify({ at: checkpoint.at, ...each }));
  const stored = tiles.flatMap(({ leaves, places, isFull }) => [storedHashes(leaves), places, isFull ? 1 : 0]);
  const committed = await runScript(redis, COMMIT, {
    keys: [
      treeKey,
      tileRootsKey,
      dailyKey,
      setAsideKey,
      ...tiles.flatMap(({ tile }) => [tileKey(tile), placesKey(tile)]),
    ],
    args: [...head, ...days, ...rest, aside.length, ...aside, MOST_SET_ASIDE, ...stored],
    until: answerDeadline(),
  });
  // After a lost answer, a retry finds another checkpoint: whether it was our seal shows the next look at what isn't sealed.
  if (committed === 0) return 'outrun';
  await finishSeal(redis, text);
  return 'sealed';
}

function removalOf({ shard, text }: Waiting): string {
  return `${shard} ${text}`;
}

/** What a removal is of. An earlier version left out the shard. */
function waitingOf(removal: string): Waiting {
  const [, shard, text = ''] = /^(\d\d) (.*)$/s.exec(removal) ?? [];
  return shard === undefined ? { shard: shardOf(readUnsealed(removal)?.ref ?? ''), text: removal } : { shard, text };
}

/** Removes what is sealed from its shards; doing so again changes nothing. */
async function finishSeal(redis: RedisClient, sealed: string): Promise<void> {
  const byShard = new Map<Shard, string[]>();
  for (const { shard, text } of SEALED.parse(JSON.parse(sealed)).map(waitingOf))
    byShard.set(shard, [...(byShard.get(shard) ?? []), text]);
  const until = answerDeadline();
  await Promise.all(
    [...byShard].map(([shard, args]) => runScript(redis, REMOVE_SEALED, { keys: [unsealedKey(shard)], args, until })),
  );
  await runScript(redis, FINISH, { keys: [treeKey], args: [sealed], until });
}

/** The UTC day, as ISO 8601 writes it. */
export function dayOf(at: Millis): string {
  return new Date(at).toISOString().slice(0, 10);
}
