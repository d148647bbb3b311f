import { rangeRoots, rootOfLeaves, TILE } from '../core/ledger/merkle-tree.ts';
import { leafHash } from '../core/ledger/sha256.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { readUnsealed, type UnsealedEntry } from '../redis/ledger/append.ts';
import { commitSeal, lookForUnsealed, type Turn, takeTurn } from '../redis/ledger/sealing.ts';
import {
  NO_PLACES,
  type Places,
  readPlaces,
  readTile,
  readTree,
  type StoredCheckpoint,
  withPlace,
} from '../redis/ledger/tree.ts';
import { signCheckpoint } from './note/checkpoint.ts';
import type { Signer } from './note/keys.ts';

export interface SealOptions {
  /** Newest first. */
  signers: readonly Signer[];
  auditDays: number;
}

/** Each round seals some thousands of entries; new ones may come as fast as they are sealed. */
const MOST_ROUNDS = 1_000;

/**
 * Seals every entry that isn't sealed yet, each exactly once, with any number of processes that do so at the same time.
 * @param turn the turn that this process has taken just now, if it has
 * @returns the last checkpoint that this process has made, or null @throws {StoreUnavailable}
 */
export async function sealNew(redis: RedisClient, options: SealOptions, turn?: Turn): Promise<StoredCheckpoint | null> {
  let last: StoredCheckpoint | null = null;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const taken = round === 0 && turn ? turn : await takeTurn(redis, null);
    const unsealed = await lookForUnsealed(redis);
    if (unsealed.length === 0) break;
    last = (await seal(redis, { ...options, unsealed, turn: taken })) ?? last;
  }
  return last;
}

/** One more checkpoint; null if another process was faster. */
async function seal(
  redis: RedisClient,
  { signers, auditDays, unsealed, turn }: SealOptions & { unsealed: readonly string[]; turn: Turn },
): Promise<StoredCheckpoint | null> {
  const { now, size: oldSize } = turn;
  const tree = await readTree(redis);
  // What was found may be sealed by now.
  if (tree.size !== oldSize) return null;
  const { tileRoots } = tree;
  const tiles = await lastTile(redis, oldSize);
  for (const [i, entry] of unsealed.map(readUnsealed).entries()) addEntry(tiles, oldSize + i, entry);
  const fullRoots = tiles.filter(isFull).map(({ leaves }) => rootOfLeaves(leaves));
  const roots = [...tileRoots, ...fullRoots];
  const size = oldSize + unsealed.length;
  const leaf = (index: number) =>
    tiles.find(({ tile }) => tile === Math.floor(index / TILE))?.leaves[index % TILE] ?? '';
  const root = rangeRoots((tile) => roots[tile] ?? '', leaf)(0, size);
  const checkpoint = { at: now, note: signCheckpoint({ size, root }, signers) };
  const stored = tiles.map((tile) => ({ ...tile, isFull: isFull(tile) }));
  const outcome = await commitSeal(
    redis,
    { oldSize, size, checkpoint, tiles: stored, newTileRoots: fullRoots, sealed: unsealed },
    { auditDays },
  );
  return outcome === 'sealed' ? checkpoint : null;
}

interface OpenTile {
  tile: number;
  leaves: string[];
  places: Places;
}

const isFull = ({ leaves }: OpenTile) => leaves.length === TILE;

/** The tile that isn't full. */
async function lastTile(redis: RedisClient, size: number): Promise<OpenTile[]> {
  const tile = Math.floor(size / TILE);
  const count = size % TILE;
  if (count === 0) return [];
  // Another process may have added to it since: then this seal comes too late.
  const leaves = (await readTile(redis, tile)).slice(0, count);
  if (leaves.length < count) throw new Error('The last leaves of the ledger are gone from Redis.');
  return [{ tile, leaves, places: await readPlaces(redis, tile) }];
}

function addEntry(tiles: OpenTile[], index: number, entry: UnsealedEntry): void {
  if (index % TILE === 0) tiles.push({ tile: index / TILE, leaves: [], places: NO_PLACES });
  const tile = tiles.at(-1);
  tile?.leaves.push(leafHash(entry.hash));
  if (tile) tile.places = withPlace(tile.places, entry);
}
