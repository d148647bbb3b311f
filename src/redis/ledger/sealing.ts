import { z } from 'zod';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, type RedisClient, runScript } from '../connection/call.ts';
import { runPerNode } from '../connection/per-node.ts';
import {
  dailyKey,
  placesKey,
  type Shard,
  sealingTurnKey,
  shardOf,
  tileKey,
  tileRootsKey,
  treeKey,
  unsealedKey,
} from '../keys.ts';
import { DAY_MS, readUnsealed } from './append.ts';
import { COMMIT, FINISH, LOOK, REMOVE_SEALED, TURN } from './sealing-scripts.ts';
import { type Places, type StoredCheckpoint, storedHashes } from './tree.ts';

/** How long tiles are kept after the entries in them, whose runs may have gone on for a while. */
const TILE_MARGIN_DAYS = 30;

/** What is sealed at once is written down before it is removed from the shards, so it shouldn't be much. */
const MOST_PER_SHARD = 64;

/** What a seal has still to remove from the shards: their entries as they are stored there. */
const SEALED = z.array(z.string());

/** The size that the tree has before a process looks for new entries. A seal of them is made only while it still has it. */
export interface Turn {
  now: Millis;
  size: number;
}

/**
 * Whether this process may look for new entries: one may in each period of `everyMs`, and any for null. Finishes what another process
 * has broken off. @throws {StoreUnavailable}
 */
export async function takeTurn(redis: RedisClient, everyMs: Millis | null): Promise<Turn & { isOurs: boolean }> {
  const call = { keys: [sealingTurnKey, treeKey], args: [everyMs ?? ''], until: answerDeadline() };
  const [isOurs, now, size, sealed] = await runScript(redis, TURN, call);
  if (sealed !== null) await finishSeal(redis, sealed);
  return { isOurs: isOurs === 1, now, size };
}

/** What isn't sealed yet, as it is stored; not all of it where there is much. @throws {StoreUnavailable} */
export async function lookForUnsealed(redis: RedisClient): Promise<string[]> {
  const call = { keysOf: (shard: Shard) => [unsealedKey(shard)], args: [MOST_PER_SHARD] };
  return (await runPerNode(redis, LOOK, call)).flat();
}

/** A tile as it is after a seal. */
interface SealedTile {
  tile: number;
  leaves: readonly string[];
  places: Places;
  isFull: boolean;
}

interface Seal {
  oldSize: number;
  size: number;
  checkpoint: StoredCheckpoint;
  tiles: readonly SealedTile[];
  newTileRoots: readonly string[];
  /** What `lookForUnsealed` gave. */
  sealed: readonly string[];
}

/** Stores a seal, unless another process was faster. Any process can do what then remains. @throws {StoreUnavailable} */
export async function commitSeal(
  redis: RedisClient,
  { oldSize, size, checkpoint, tiles, newTileRoots, sealed }: Seal,
  { auditDays }: { auditDays: number },
): Promise<'sealed' | 'outrun'> {
  const text = JSON.stringify(sealed);
  const head = [oldSize, size, checkpoint.at, checkpoint.note];
  const days = [dayOf(checkpoint.at), JSON.stringify(checkpoint), dayOf(checkpoint.at - auditDays * DAY_MS)];
  const rest = [text, storedHashes(newTileRoots), (auditDays + TILE_MARGIN_DAYS) * DAY_MS];
  const stored = tiles.flatMap(({ leaves, places, isFull }) => [
    storedHashes(leaves),
    JSON.stringify(places),
    isFull ? 1 : 0,
  ]);
  const committed = await runScript(redis, COMMIT, {
    keys: [treeKey, tileRootsKey, dailyKey, ...tiles.flatMap(({ tile }) => [tileKey(tile), placesKey(tile)])],
    args: [...head, ...days, ...rest, ...stored],
    until: answerDeadline(),
  });
  // After a lost answer, a retry finds another size: whether it was our seal shows the next look at what isn't sealed.
  if (committed === 0) return 'outrun';
  await finishSeal(redis, text);
  return 'sealed';
}

/** Removes what is sealed from its shards; doing so again changes nothing. */
async function finishSeal(redis: RedisClient, text: string): Promise<void> {
  const byShard = new Map<Shard, string[]>();
  for (const entry of SEALED.parse(JSON.parse(text))) {
    const shard = shardOf(readUnsealed(entry).ref);
    byShard.set(shard, [...(byShard.get(shard) ?? []), entry]);
  }
  const until = answerDeadline();
  await Promise.all(
    [...byShard].map(([shard, args]) => runScript(redis, REMOVE_SEALED, { keys: [unsealedKey(shard)], args, until })),
  );
  await runScript(redis, FINISH, { keys: [treeKey], args: [text], until });
}

/** The UTC day, as ISO 8601 writes it. */
export function dayOf(at: Millis): string {
  return new Date(at).toISOString().slice(0, 10);
}
