import type { Entry } from '../../core/ledger/entry.ts';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import { leafHash } from '../../core/ledger/sha256.ts';
import type { RedisClient } from '../../redis/connection/call.ts';
import { placesOf, readPlaces } from '../../redis/ledger/tree.ts';
import type { ProofLine } from '../lines/line.ts';
import type { SealedTree } from './sealed-tree.ts';
import type { Chains } from './selection.ts';

/** An entry, and the proof that it is sealed at its place. */
export interface ProvenEntry {
  entry: Entry;
  proof: ProofLine;
}

/** What is there of the sealed entries. */
export interface Presence {
  /** Where entries are no longer there, as [from, until[. */
  absent: [number, number][];
  /** The place of the first entry of which there still is a proof. */
  keptFrom: number;
}

/** All selected entries in the order in which they were sealed. Adds to `presence` what it finds. @throws {StoreUnavailable} */
export async function* provenEntries(
  redis: RedisClient,
  tree: SealedTree,
  { chains, presence }: { chains: Chains; presence: Presence },
): AsyncGenerator<ProvenEntry> {
  for (let tile = 0; tile * TILE < tree.size; tile++) {
    const leaves = await tree.leaves(tile);
    const first = tile * TILE;
    if (leaves.length === 0) {
      const next = Math.min(first + TILE, tree.size);
      addAbsent(presence, first, next);
      presence.keptFrom = next;
      continue;
    }
    const proofOf = tree.proofs(tile, leaves);
    const places = placesOf(await readPlaces(redis, tile)).slice(0, leaves.length);
    for (const [i, { ref, seq }] of places.entries()) {
      if (!(await chains.isSelected(ref))) continue;
      const entry = (await chains.entries(ref))[seq - 1];
      const index = first + i;
      if (!entry || leafHash(entry.hash) !== leaves[i]) addAbsent(presence, index, index + 1);
      else yield { entry, proof: { proof: { hashes: proofOf(index), index, ref, seq } } };
    }
  }
}

function addAbsent({ absent }: Presence, from: number, until: number): void {
  const last = absent.at(-1);
  if (last?.[1] === from) last[1] = until;
  else absent.push([from, until]);
}
