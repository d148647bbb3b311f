import { canonicalJson, type Entry, leafHash, sha256 } from '../../core/ledger/entry.ts';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import type { Millis } from '../../core/values/time.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { readPolicy } from '../../redis/ledger/policies.ts';
import type { Plan } from '../../redis/ledger/sink.ts';
import { placesOf, readPlaces } from '../../redis/ledger/tree.ts';
import { parseCheckpoint, type Verifier } from '../checkpoint.ts';
import { openTree, type SealedTree } from '../sealed-tree.ts';

// A batch for a sink: consecutive entries in the order of sealing. The receiver trusts us, so each entry is checked against the
// leaf at its place.

export interface Batch {
  /** First leaf. Leaves without a record are gone. */
  from: number;
  /** The leaf after the last one. */
  until: number;
  /** A batch of the same entries gets the same id; any other batch gets another. */
  id: string;
  /** Time of the last entry. */
  at: Millis;
  /** Records as canonical JSON: entries, a policy before the entry that puts it in force, and finally the checkpoint, if any. */
  records: string[];
  /** Note of that checkpoint, which covers exactly the entries below `until`. */
  note: string | null;
  /** Leaves whose entries are gone. */
  absent: number[];
}

interface BatchOptions {
  /** Keys that may have signed the checkpoint. */
  keys: readonly Verifier[];
  from: number;
  /** The stored plan for this batch; null if there is none yet. */
  plan: Plan | null;
  /** Most bytes of all records; a single entry may have more. */
  mostBytes: number;
}

/**
 * Returns the next batch, whose entries all lie in one tile.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} @throws {UnreadableEntry}
 */
export async function readBatch(redis: RedisClient, { keys, from, plan, mostBytes }: BatchOptions): Promise<Batch> {
  const tree = await openTree(redis, keys);
  const until = Math.min(plan?.until ?? tree.size, tree.size);
  const records = new Records(plan === null ? mostBytes : Number.POSITIVE_INFINITY);
  let next = from;
  while (next < until && records.entries.length === 0) next = await addTile(redis, { tree, next, until }, records);
  const note =
    next === tree.size
      ? (tree.last?.note ?? null)
      : await plannedNote(tree, keys, { until: next, note: plan?.note ?? null });
  const { entries, texts, absent } = records;
  const checkpoint = note === null || entries.length === 0 ? [] : [canonicalJson({ checkpoint: { note } })];
  return {
    from,
    until: next,
    id: sha256(canonicalJson([from, next, ...entries.map(({ hash }) => hash)])).slice(0, ID_LENGTH),
    at: entries.at(-1)?.at ?? 0,
    records: [...texts, ...checkpoint],
    note,
    absent,
  };
}

const ID_LENGTH = 32;

/** The records of a growing batch. */
class Records {
  readonly entries: Entry[] = [];
  readonly texts: string[] = [];
  readonly absent: number[] = [];
  private bytes = 0;
  private readonly mostBytes: number;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Returns false if there is no more room. */
  add(entry: Entry, texts: readonly string[]): boolean {
    this.bytes += Buffer.byteLength(texts.join('\n')) + 1;
    if (this.bytes > this.mostBytes && this.entries.length > 0) return false;
    this.entries.push(entry);
    this.texts.push(...texts);
    return true;
  }
}

/** Adds the entries of a tile, as far as there is room. Resolves to the next leaf. */
async function addTile(
  redis: RedisClient,
  { tree, next, until }: { tree: SealedTree; next: number; until: number },
  records: Records,
): Promise<number> {
  const tile = Math.floor(next / TILE);
  const end = Math.min(until, (tile + 1) * TILE);
  const leaves = await tree.leaves(tile);
  // The leaves reveal it if somebody has changed the places.
  const stored = leaves.length === 0 ? null : await readPlaces(redis, tile);
  const places = stored === null ? [] : placesOf(stored.places);
  const chains = new Map<string, Entry[]>();
  for (let index = next; index < end; index++) {
    const { ref, seq } = places[index % TILE] ?? { ref: '', seq: 0 };
    const chain = chains.get(ref) ?? (seq === 0 ? [] : await readChain(redis, ref));
    chains.set(ref, chain);
    const entry = chain[seq - 1];
    if (entry === undefined || leafHash(entry.hash) !== leaves[index % TILE]) records.absent.push(index);
    else if (!records.add(entry, await recordsOf(redis, entry, index))) return index;
  }
  return end;
}

async function recordsOf(redis: RedisClient, entry: Entry, index: number): Promise<string[]> {
  const record = canonicalJson({ entry, index });
  if (entry.kind !== 'policy' || !('policy' in entry.facts)) return [record];
  const { policy: hash } = entry.facts;
  const document = await readPolicy(redis, hash);
  const isWhole = document !== null && sha256(document) === hash;
  return isWhole ? [canonicalJson({ policy: { document: JSON.parse(document), hash } }), record] : [record];
}

/** Returns the note of a planned batch, if it matches this very tree at the end of the batch. */
async function plannedNote(tree: SealedTree, keys: readonly Verifier[], { until, note }: Plan): Promise<string | null> {
  const checkpoint = note === null ? null : parseCheckpoint(note, keys);
  if (!checkpoint || checkpoint.signedBy.length === 0 || checkpoint.head.size !== until) return null;
  return (await tree.rootsAt(until))?.(0, until) === checkpoint.head.root ? note : null;
}
