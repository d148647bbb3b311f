import { EMPTY_ROOT, splitOf } from './merkle-tree.ts';
import { nodeHash } from './sha256.ts';

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
