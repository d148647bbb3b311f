import { nodeHash } from '../../core/ledger/entry.ts';
import { EMPTY_ROOT, type RangeRoot, splitOf, type TreeHead } from '../../core/ledger/merkle-tree.ts';

// Proofs of the ledger's Merkle tree: what proves that a leaf or an older tree is in it, and how an export is checked by that.

/** Returns the proof that a leaf is in the tree of this size: https://www.rfc-editor.org/rfc/rfc6962#section-2.1.1 */
export function inclusionProof(rootOf: RangeRoot, index: number, size: number): string[] {
  const path = (from: number, to: number): string[] => {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle ? [...path(from, middle), rootOf(middle, to)] : [...path(middle, to), rootOf(from, middle)];
  };
  return path(0, size);
}

/**
 * Returns the proof that the tree begins with the tree of a smaller size: https://www.rfc-editor.org/rfc/rfc6962#section-2.1.2
 */
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

/** Returns true if the proof shows that this leaf hash is the one at this index. */
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

/** Returns true if the proof shows that the newer tree begins with all leaves of the older one. */
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

/** A tree that grows leaf by leaf, and remembers only the roots of its full parts. */
export interface GrowingTree {
  size(): number;
  root(): string;
  /** @param leaf hash of the leaf */
  add(leaf: string): void;
}

export function growTree(): GrowingTree {
  let size = 0;
  /** Roots of the full parts, each smaller than the one before. */
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
