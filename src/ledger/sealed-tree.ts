import { sha256 } from '../core/ledger/entry.ts';
import { type RangeRoot, rangeRoots, rootOfLeaves, TILE, type TreeHead } from '../core/ledger/merkle-tree.ts';
import type { Millis } from '../core/values/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { hasSealedChains } from '../redis/ledger/chain.ts';
import {
  type Places,
  placesOf,
  readDailyCheckpoints,
  readPlaces,
  readTile,
  readTree,
  type StoredPlaces,
} from '../redis/ledger/tree.ts';
import { type Checkpoint, isExpired, parseCheckpoint, type Verifier } from './checkpoint.ts';

// Reads the sealed tree from Redis with suspicion: it must match its signed checkpoint, and continue what this process has seen.

/** Thrown if the ledger in Redis isn't the sealed one. Nothing may be built on it. */
export class UntrustedLedger extends Error {
  override name = 'UntrustedLedger';
}

/** The tree at one moment. Its checkpoint is signed, and matches everything that is read of it. */
export interface SealedTree {
  size: number;
  root: string;
  /** Null if nothing was ever sealed. */
  last: { note: string; checkpoint: Checkpoint } | null;
  tileRoots: readonly string[];
  /** Returns the leaf hashes of a tile; none if they are gone. */
  leaves(tile: number): Promise<readonly string[]>;
  /** Places of the last tile with leaves. */
  lastPlaces: StoredPlaces | null;
  /** Returns the places of the tiles from `fromTile` on, as far as they are there, and the first of these tiles. */
  places(fromTile: number): Promise<{ first: number; tiles: Places[] }>;
  /** Returns the roots of the tree when it had `oldSize` leaves; null if too much has expired. */
  rootsAt(oldSize: number): Promise<RangeRoot | null>;
}

/** @param keys keys that may have signed the checkpoint @throws {StoreUnavailable} @throws {UntrustedLedger} */
export async function openTree(redis: RedisClient, keys: readonly Verifier[]): Promise<SealedTree> {
  for (;;) {
    const stored = await readTree(redis);
    const { tree, problem } = await treeOf(redis, stored, keys);
    if (problem === null && (tree.size > 0 || !(await hasSealedChains(redis)))) return tree;
    // Another process may have sealed between two reads.
    if ((await readTree(redis)).note === stored.note) throw new UntrustedLedger(problem ?? GONE);
  }
}

const GONE = 'Redis has entries that were sealed, but not the checkpoint that they were sealed by.';

/** Returns the tree, and what is wrong with it; null if nothing is. */
async function treeOf(
  redis: RedisClient,
  { size, note, tileRoots }: Awaited<ReturnType<typeof readTree>>,
  keys: readonly Verifier[],
): Promise<{ tree: SealedTree; problem: string | null }> {
  const checkpoint = note === null ? null : parseCheckpoint(note, keys);
  const openTile = Math.floor(size / TILE);
  const openLeaves = size % TILE === 0 ? [] : (await readTile(redis, openTile)).slice(0, size % TILE);
  const lastPlaces = size === 0 ? null : await readPlaces(redis, lastTileOf(size));
  const tileRoot = (tile: number) => tileRoots[tile] ?? '';
  const leafOf = (tile: number, leaves: readonly string[]) => (index: number) =>
    (Math.floor(index / TILE) === tile ? leaves : openLeaves)[index % TILE] ?? '';
  const root = rangeRoots(tileRoot, leafOf(openTile, openLeaves))(0, size);

  const leavesOf = async (tile: number) => {
    if (tile === openTile) return openLeaves;
    const leaves = await readTile(redis, tile);
    if (leaves.length > 0 && rootOfLeaves(leaves) !== tileRoot(tile))
      throw new UntrustedLedger(`Leaves of the ledger were changed in Redis (tile ${tile}).`);
    return leaves;
  };

  const tree: SealedTree = {
    size,
    root,
    last: note === null || checkpoint === null ? null : { note, checkpoint },
    tileRoots,
    leaves: leavesOf,
    lastPlaces,

    async places(fromTile) {
      const tiles: Places[] = [];
      let [tile, next] = [lastTileOf(size), lastPlaces];
      while (next !== null && tile >= fromTile) {
        tiles.push(next.places);
        const { before } = next.places;
        tile -= 1;
        next = before === '' || tile < fromTile ? null : await readPlaces(redis, tile);
        if (next !== null && next.hash !== before)
          throw new UntrustedLedger(`What Redis has of which entries are sealed was changed (tile ${tile}).`);
      }
      return { first: tile + 1, tiles: tiles.reverse() };
    },

    async rootsAt(oldSize) {
      const tile = Math.floor(oldSize / TILE);
      const leaves = oldSize % TILE === 0 ? openLeaves : await leavesOf(tile);
      if (oldSize % TILE > leaves.length) return null;
      return rangeRoots(tileRoot, leafOf(oldSize % TILE === 0 ? openTile : tile, leaves));
    },
  };
  return { tree, problem: problemOf(tree, { note, leaves: openLeaves.length }) };
}

function problemOf(
  { size, root, last, tileRoots, lastPlaces }: SealedTree,
  { note, leaves }: { note: string | null; leaves: number },
) {
  if (note === null) return size === 0 && tileRoots.length === 0 ? null : GONE;
  if (last === null || last.checkpoint.signedBy.length === 0)
    return 'The last checkpoint of the ledger in Redis is not signed by a key of APP_SECRET.';
  const { head, terms } = last.checkpoint;
  const isWhole = tileRoots.length === Math.floor(size / TILE) && leaves === size % TILE;
  if (!isWhole || head.size !== size || head.root !== root)
    return 'What Redis has of the ledger is not what its last checkpoint was made from.';
  if (terms.places !== placesHash(lastPlaces))
    return 'What Redis has of which entries are sealed is not what the last checkpoint of the ledger was made from.';
  return null;
}

/** Returns the hash of the last tile's places for a checkpoint. */
export function placesHash(places: Pick<StoredPlaces, 'hash'> | null): string {
  return places?.hash ?? sha256('');
}

function lastTileOf(size: number): number {
  return Math.ceil(size / TILE) - 1;
}

/**
 * Returns the number of leaves that may have expired: those below the newest checkpoint that is old enough.
 * @throws {StoreUnavailable} @throws {UntrustedLedger}
 */
export async function expiredSize(
  redis: RedisClient,
  tree: SealedTree,
  { keys, auditDays, now }: { keys: readonly Verifier[]; auditDays: number; now: Millis },
): Promise<number> {
  for (const { note } of (await readDailyCheckpoints(redis)).reverse()) {
    const checkpoint = parseCheckpoint(note, keys);
    if (!checkpoint || checkpoint.signedBy.length === 0 || checkpoint.head.size > tree.size) continue;
    if (!isExpired(checkpoint.terms, { auditDays, at: now })) continue;
    const { size, root } = checkpoint.head;
    if ((await tree.rootsAt(size))?.(0, size) === root) return size;
  }
  return 0;
}

/** The ledger as a process knows it. Redis must continue it: an attacker there could put back an earlier state. */
export class KnownLedger {
  readonly runs = new SealedRuns();
  private head: TreeHead | null = null;
  private last: string | null = null;

  /** Note of the last checkpoint that the process has seen; null before the first. */
  get note(): string | null {
    return this.last;
  }

  /** Notes a tree that this process has made itself. */
  extend(head: TreeHead): void {
    this.head = head;
  }

  /** @throws {StoreUnavailable} @throws {UntrustedLedger} */
  async learn(tree: SealedTree, expired: () => Promise<number>): Promise<void> {
    if (
      this.head !== null &&
      (tree.size < this.head.size || (await tree.rootsAt(this.head.size))?.(0, this.head.size) !== this.head.root)
    )
      throw new UntrustedLedger(
        `The ledger in Redis, with ${tree.size} entries, doesn't go on from the ${this.head.size} that were sealed before.`,
      );
    const places = await tree.places(this.runs.tile);
    if (places.first > this.runs.tile && places.first * TILE > (await expired()))
      throw new UntrustedLedger('What Redis has of which entries are sealed is not complete.');
    this.runs.add(places);
    this.head = { size: tree.size, root: tree.root };
    this.last = tree.last?.note ?? null;
  }
}

/** The sealed part of a chain. */
interface SealedRun {
  /** Number of its last entry, and the leaf of that. */
  seq: number;
  index: number;
  /** Leaf of its first entry; 0 if unknown. A chain that had expired begins again. */
  begin: number;
  /** Earliest possible time of the chain's last entry. */
  from: Millis;
}

/** All chains of a tree, by their ref. Grows with it. */
export class SealedRuns {
  private readonly runs = new Map<string, SealedRun>();
  /** Number of known leaves. */
  private size = 0;
  /** First leaf whose entry is known. */
  private first = 0;

  /** The next tile to read. */
  get tile(): number {
    return Math.floor(this.size / TILE);
  }

  get keptFrom(): number {
    return this.first;
  }

  of(ref: string): SealedRun | undefined {
    return this.runs.get(ref);
  }

  /** @param first the tile that the places begin with */
  add({ first, tiles }: { first: number; tiles: readonly Places[] }): void {
    if (first * TILE > this.size) {
      this.first = first * TILE;
      this.size = this.first;
    }
    for (const [i, places] of tiles.entries()) {
      const begin = (first + i) * TILE;
      for (const [at, place] of placesOf(places).entries())
        if (begin + at >= this.size) this.addEntry(place, begin + at, places.from);
    }
  }

  private addEntry({ ref, seq }: { ref: string; seq: number }, index: number, from: Millis): void {
    const begin = seq === 1 ? index : (this.runs.get(ref)?.begin ?? 0);
    this.runs.set(ref, { seq, index, begin, from });
    this.size = index + 1;
  }
}
