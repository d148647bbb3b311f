import { leafHash } from '../../../src/core/ledger/entry.ts';
import { rangeRoots, rootOfLeaves, TILE } from '../../../src/core/ledger/merkle-tree.ts';

/** https://github.com/google/certificate-transparency/blob/master/cpp/merkletree/merkle_tree_test.cc */
export const KNOWN_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(leafHash);

/** The roots of the ranges of these leaves, from their tiles. */
export const rootsOf = (leaves: readonly string[]) =>
  rangeRoots(
    (tile) => rootOfLeaves(leaves.slice(tile * TILE, (tile + 1) * TILE)),
    (index) => leaves[index] ?? '',
  );
