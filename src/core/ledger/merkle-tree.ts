import { nodeHash, sha256 } from './entry.ts';

// The Merkle tree of https://www.rfc-editor.org/rfc/rfc6962#section-2.1 over all sealed entries: its roots, what proves that
// a leaf or an older tree is in it, and how these proofs are checked.

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

/** What proves that a leaf is in the tree of this size: https://www.rfc-editor.org/rfc/rfc6962#section-2.1.1 */
export function inclusionProof(rootOf: RangeRoot, index: number, size: number): string[] {
  const path = (from: number, to: number): string[] => {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle ? [...path(from, middle), rootOf(middle, to)] : [...path(middle, to), rootOf(from, middle)];
  };
  return path(0, size);
}

/** What proves that the tree of a size begins with the tree of a smaller one: https://www.rfc-editor.org/rfc/rfc6962#section-2.1.2 */
export function consistencyProof(rootOf: RangeRoot, oldSize: number, size: number): string[] {
  const path = (from: number, to: number, isWhole: boolean): string[] => {
    if (oldSize === to) return isWhole ? [] : [rootOf(from, to)];
    const middle = from + splitOf(to - from);
    return oldSize <= middle
      ? [...path(from, middle, isWhole), rootOf(middle, to)]
      : [...path(middle, to, false), rootOf(from, middle)];
  };
  return oldSize === 0 ? [] : path(0, size, true);
}

/** A tree by its size and root. */
export interface TreeHead {
  size: number;
  root: string;
}

/** Whether a proof shows that this leaf hash is the one at this index. */
export function provesInclusion(
  { size, root }: TreeHead,
  { leaf, index, proof }: { leaf: string; index: number; proof: readonly string[] },
): boolean {
  const left = [...proof];
  const climb = (at: number, among: number): string => {
    if (among === 1) return leaf;
    const split = splitOf(among);
    // The last hash is the one next to the root.
    const sibling = left.pop() ?? '';
    return at < split ? nodeHash(climb(at, split), sibling) : nodeHash(sibling, climb(at - split, among - split));
  };
  return index >= 0 && index < size && climb(index, size) === root && left.length === 0;
}

/** Whether a proof shows that the newer tree begins with all leaves of the older one. */
export function provesConsistency(older: TreeHead, newer: TreeHead, proof: readonly string[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === 0) return older.root === EMPTY_ROOT && proof.length === 0;
  const left = [...proof];
  const climb = (oldSize: number, size: number, isWhole: boolean): [string, string] => {
    if (oldSize === size) {
      const root = isWhole ? older.root : (left.pop() ?? '');
      return [root, root];
    }
    const split = splitOf(size);
    const sibling = left.pop() ?? '';
    if (oldSize <= split) {
      const [oldRoot, root] = climb(oldSize, split, isWhole);
      return [oldRoot, nodeHash(root, sibling)];
    }
    const [oldRoot, root] = climb(oldSize - split, size - split, false);
    return [nodeHash(sibling, oldRoot), nodeHash(sibling, root)];
  };
  const [oldRoot, root] = climb(older.size, newer.size, true);
  return oldRoot === older.root && root === newer.root && left.length === 0;
}

/** A tree that gets one leaf after the other, and remembers no more than the roots of its whole parts. */
export interface GrowingTree {
  size(): number;
  root(): string;
  /** @param leaf its hash */
  add(leaf: string): void;
}

export function growTree(): GrowingTree {
  let size = 0;
  /** Of the whole parts, each smaller than the one before. */
  const roots: string[] = [];
  return {
    size: () => size,
    root: () => roots.reduceRight((right, left) => (right === '' ? left : nodeHash(left, right)), '') || EMPTY_ROOT,
    add(leaf) {
      size += 1;
      let root = leaf;
      for (let part = size; part % 2 === 0; part /= 2) root = nodeHash(roots.pop() ?? '', root);
      roots.push(root);
    },
  };
}

/** How many leaves are left of the root of a tree of this size: the largest power of two that is smaller. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function splitRoot(rootOf: RangeRoot, from: number, to: number): string {
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(from, middle), rootOf(middle, to));
}
