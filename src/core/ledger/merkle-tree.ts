import { nodeHash, sha256 } from './entry.ts';

// Roots of the Merkle tree over all sealed entries. https://www.rfc-editor.org/rfc/rfc6962#section-2.1

/** Returns the root over the leaves `from` (included) to `to` (excluded). All hashes are in lower-case hex. */
export type RangeRoot = (from: number, to: number) => string;

/** Leaves in a tile. The root of a full tile stands for its leaves, which needn't be kept for ever. */
export const TILE = 256;

export const EMPTY_ROOT = sha256('');

/**
 * Returns a function that computes roots over ranges, and remembers them.
 * @param tileRoot returns the root of a full tile
 * @param leaf returns the hash of a leaf; called only where a range begins or ends within its tile
 */
export function rangeRoots(tileRoot: (tile: number) => string, leaf: (index: number) => string): RangeRoot {
  const cache = new Map<string, string>();
  const workOut = (from: number, to: number) => {
    if (to - from === 1) return leaf(from);
    if (to - from === TILE && from % TILE === 0) return tileRoot(from / TILE);
    return splitRoot(rootOf, from, to);
  };
  const rootOf: RangeRoot = (from, to) => {
    if (from === to) return EMPTY_ROOT;
    const name = `${from}-${to}`;
    const root = cache.get(name) ?? workOut(from, to);
    cache.set(name, root);
    return root;
  };
  return rootOf;
}

/** Returns the root over all these leaves. */
export function rootOfLeaves(leaves: readonly string[]): string {
  const rootOf: RangeRoot = (from, to) => (to - from === 1 ? (leaves[from] ?? '') : splitRoot(rootOf, from, to));
  return leaves.length === 0 ? EMPTY_ROOT : rootOf(0, leaves.length);
}

export interface TreeHead {
  size: number;
  root: string;
}

/** Returns the number of leaves in the left subtree: the largest power of two that is smaller than the size. */
export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function splitRoot(rootOf: RangeRoot, from: number, to: number): string {
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(from, middle), rootOf(middle, to));
}
