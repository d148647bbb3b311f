import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leafHash, sha256 } from '../../../src/core/ledger/entry.ts';
import { rootOfLeaves, TILE } from '../../../src/core/ledger/merkle-tree.ts';
import {
  consistencyProof,
  growTree,
  inclusionProof,
  provesConsistency,
  provesInclusion,
} from '../../../src/tools/audit/proofs.ts';
import { KNOWN_LEAVES, rootsOf } from '../../core/ledger/known-leaves.ts';

const FIRST_OF_EIGHT = [
  '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
];
const SIX_TO_EIGHT = [
  '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
];

it('makes the known proofs', () => {
  expect(inclusionProof(rootsOf(KNOWN_LEAVES), 0, 8)).toEqual(FIRST_OF_EIGHT);
  expect(consistencyProof(rootsOf(KNOWN_LEAVES), 1, 8)).toEqual(FIRST_OF_EIGHT);
  expect(consistencyProof(rootsOf(KNOWN_LEAVES), 6, 8)).toEqual(SIX_TO_EIGHT);
});

const leaves = Array.from({ length: 3 * TILE + 7 }, (_, i) => leafHash(sha256(String(i))));
const roots = rootsOf(leaves);
const size = fc.integer({ min: 1, max: leaves.length });
const head = (size: number) => ({ size, root: roots(0, size) });

it('proves each leaf at its place alone', () => {
  fc.assert(
    fc.property(size, fc.nat(), fc.nat(), (size, one, other) => {
      const index = one % size;
      const proof = inclusionProof(roots, index, size);
      const at = (place: number, leaf = leaves[index] ?? '') =>
        provesInclusion(head(size), { leaf, index: place, proof });
      expect(at(index)).toBe(true);
      expect(at(other % size)).toBe(other % size === index);
      expect(at(index, sha256('another'))).toBe(false);
      expect(at(size)).toBe(false);
      const changed = proof.toSpliced(other % (proof.length + 1), 0, sha256('more'));
      expect(provesInclusion(head(size), { leaf: leaves[index] ?? '', index, proof: changed })).toBe(false);
    }),
  );
});

it('proves that a tree goes on from each earlier one, and from no other', () => {
  fc.assert(
    fc.property(size, fc.nat(), (size, seed) => {
      const older = seed % (size + 1);
      const proof = consistencyProof(roots, older, size);
      expect(provesConsistency(head(older), head(size), proof)).toBe(true);
      expect(provesConsistency({ size: older, root: sha256('another') }, head(size), proof)).toBe(false);
      expect(provesConsistency(head(older), { size, root: sha256('another') }, proof)).toBe(older === 0);
      expect(provesConsistency(head(older), head(size), [...proof, sha256('more')])).toBe(false);
      expect(provesConsistency(head(size), head(older), proof)).toBe(older === size);
    }),
  );
});

it('grows to the same root', () => {
  const tree = growTree();
  expect(tree.root()).toBe(rootOfLeaves([]));
  for (const [i, leaf] of leaves.entries()) {
    tree.add(leaf);
    if (i % 37 === 0) expect(tree.root()).toBe(roots(0, i + 1));
  }
});
