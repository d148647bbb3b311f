import { nodeHash, sha256 } from './entry.ts';

// The Merkle tree of https://www.rfc-editor.org/rfc/rfc6962#section-2.1 over all sealed entries, and its roots.

/** The root over the leaves from one index up to, but not including, another. All hashes are in lower-case hex. */
export type RangeRoot = (from: number, to: number) => string;

/** How many leaves a tile has. The root of a full one stands for its leaves, so that these needn't be kept for ever. */
export const TILE = 256;

export const EMPTY_ROOT = sha256('');

/**
 * The roots of a tree (https://www.rfc-editor.org/rfc/rfc6962#section-2.1) whose leaves lie in tiles. What it works out, it
 * remembers.
 * @param tileRoot the root of a full tile
 * @param leaf the hash of a leaf, asked for only where a range begins or ends within its tile
 */
export function rangeRoots(tileRoot: (tile: number) => string, leaf: (index: number) => string): RangeRoot {
  const known = new Map<string, string>();
  const workOut = (from: number, to: number) => {
    if (to - from === 1) return leaf(from);
    if (to - from === TILE && from % TILE === 0) return tileRoot(from / TILE);
    return splitRoot(rootOf, from, to);
  };
  const rootOf: RangeRoot = (from, to) => {
    if (from === to) return EMPTY_ROOT;
    const name = `${from}-${to}`;
    const root = known.get(name) ?? workOut(from, to);
    known.set(name, root);
    return root;
  };
  return rootOf;
}

/** The root over these leaves alone. */
export function rootOfLeaves(leaves: readonly string[]): string {
  const rootOf: RangeRoot = (from, to) => (to - from === 1 ? (leaves[from] ?? '') : splitRoot(rootOf, from, to));
  return leaves.length === 0 ? EMPTY_ROOT : rootOf(0, leaves.length);
}

export interface TreeHead {
  size: number;
  root: string;
}

/** How many leaves are left of the root of a tree of this size: the largest power of two that is smaller. */
export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function splitRoot(rootOf: RangeRoot, from: number, to: number): string {
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(from, middle), rootOf(middle, to));
}
