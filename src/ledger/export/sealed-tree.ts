import { consistencyProof, inclusionProof, type RangeRoot, rangeRoots, TILE } from '../../core/ledger/merkle-tree.ts';
import type { RedisClient } from '../../redis/connection/call.ts';
import { readTile, readTree, type StoredCheckpoint } from '../../redis/ledger/tree.ts';

/** The tree as it is at one moment, however it grows on. */
export interface SealedTree {
  size: number;
  root: string;
  checkpoint: StoredCheckpoint | null;
  /** The hashes of the leaves of a tile; none if it has expired. */
  leaves(tile: number): Promise<string[]>;
  /** What gives proofs for the leaves of one tile. */
  proofs(tile: number, leaves: readonly string[]): (index: number) => string[];
  /** What proves that it begins with the tree of another size, and the root of that; null if too much has expired. */
  consistency(oldSize: number): Promise<{ root: string; proof: string[] } | null>;
}

/** @throws {StoreUnavailable} */
export async function openTree(redis: RedisClient): Promise<SealedTree> {
  const { size, checkpoint, tileRoots } = await readTree(redis);
  const tileRoot = (tile: number) => tileRoots[tile] ?? '';
  const leavesOf = async (tile: number) => (await readTile(redis, tile)).slice(0, size - tile * TILE);
  const lastTile = Math.floor(size / TILE);
  const lastLeaves = await leavesOf(lastTile);
  /** Of the given leaves, beside those of the last tile. */
  const leafOf = (tile: number, leaves: readonly string[]) => (index: number) =>
    (Math.floor(index / TILE) === tile ? leaves : lastLeaves)[index % TILE] ?? '';
  const rootOf = rangeRoots(tileRoot, leafOf(lastTile, lastLeaves));

  return {
    size,
    root: rootOf(0, size),
    checkpoint,
    leaves: leavesOf,

    proofs(tile, leaves) {
      const within = rangeRoots(tileRoot, leafOf(tile, leaves));
      const isWithin: RangeRoot = (from, to) =>
        (from >= tile * TILE && to <= (tile + 1) * TILE ? within : rootOf)(from, to);
      return (index) => inclusionProof(isWithin, index, size);
    },

    async consistency(oldSize) {
      const tile = Math.floor(oldSize / TILE);
      const leaves = oldSize % TILE === 0 || tile === lastTile ? lastLeaves : await leavesOf(tile);
      if (oldSize % TILE > leaves.length) return null;
      const rootThen = rangeRoots(tileRoot, leafOf(oldSize % TILE === 0 ? lastTile : tile, leaves));
      return { root: rootThen(0, oldSize), proof: consistencyProof(rootThen, oldSize, size) };
    },
  };
}
