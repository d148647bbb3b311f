import type { Entry } from '../../core/ledger/entry.ts';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import { leafHash } from '../../core/ledger/sha256.ts';
import { type Places, placesOf } from '../../redis/ledger/tree.ts';
import type { ProofLine } from '../lines/line.ts';
import type { SealedRuns } from '../sealed-runs.ts';
import type { SealedTree } from '../sealed-tree.ts';
import { CannotExport } from './cannot-export.ts';
import type { Chains } from './selection.ts';

/** An entry, and the proof that it is sealed at its place. */
export interface ProvenEntry {
  entry: Entry;
  proof: ProofLine;
}

/** What is sealed, and which entries that is. */
export interface Sealed {
  tree: SealedTree;
  /** Of the tiles from `first` on. */
  places: { first: number; tiles: readonly Places[] };
  runs: SealedRuns;
  /** How many of the first leaves may have expired. */
  expired: number;
}

/** The leaves whose entries are no longer there, as [from, until[. */
export type Absent = [number, number][];

/**
 * All selected entries in the order in which they were sealed. Adds to `absent` those that have expired.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} @throws {CannotExport} if one is gone that can't have expired
 */
export async function* provenEntries(
  { tree, places, runs, expired }: Sealed,
  { chains, absent }: { chains: Chains; absent: Absent },
): AsyncGenerator<ProvenEntry> {
  for (let tile = 0; tile * TILE < tree.size; tile++) {
    const first = tile * TILE;
    const next = Math.min(first + TILE, tree.size);
    const leaves = await tree.leaves(tile);
    const known = places.tiles[tile - places.first];
    if (leaves.length === 0 || known === undefined) {
      if (next > expired)
        throw new CannotExport(
          `The leaves ${first} to ${next - 1} of the ledger are gone from Redis, and too young to have expired.`,
        );
      addAbsent(absent, first, next);
      continue;
    }
    const proofOf = tree.proofs(tile, leaves);
    for (const [i, { ref, seq }] of placesOf(known).entries()) {
      if (!chains.mayBeSelected(ref)) continue;
      const index = first + i;
      const chain = await chains.entries(ref);
      const entry = chain[seq - 1];
      const isSealed = entry !== undefined && leafHash(entry.hash) === leaves[i];
      // A chain expires as a whole, and may have begun anew since.
      const isOfEarlierChain = index < (runs.of(ref)?.begin ?? 0);
      if (!isSealed && (index >= expired || !(isOfEarlierChain || chain.length === 0)))
        throw new CannotExport(`Entry ${seq} of ${ref} was sealed, and is gone from Redis or changed there.`);
      if (!isSealed) addAbsent(absent, index, index + 1);
      else if (await chains.isSelected(ref))
        yield { entry, proof: { proof: { hashes: proofOf(index), index, ref, seq } } };
    }
  }
}

function addAbsent(absent: Absent, from: number, until: number): void {
  const last = absent.at(-1);
  if (last?.[1] === from) last[1] = until;
  else absent.push([from, until]);
}
