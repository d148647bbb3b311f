import { EMPTY_ROOT } from './merkle-tree.ts';
import { nodeHash } from './sha256.ts';

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
