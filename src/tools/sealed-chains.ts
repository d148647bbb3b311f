import { type Entry, type LedgerEvent, leafHash } from '../core/ledger/entry.ts';
import { TILE } from '../core/ledger/merkle-tree.ts';
import type { Millis } from '../core/values/time.ts';
import { type SealOptions, sealNew } from '../ledger/seal.ts';
import { expiredSize, openTree, SealedRuns, type SealedTree, UntrustedLedger } from '../ledger/sealed-tree.ts';
import { answerDeadline, insist, type RedisClient } from '../redis/call.ts';
import { setAsideKey } from '../redis/keys.ts';
import { readChain } from '../redis/ledger/chain.ts';
import { crewChain } from '../redis/ledger/policies.ts';
import type { Places } from '../redis/ledger/tree.ts';

// Reads the sealed entries that the tree proves, and the chains of runs up to their last sealed entry.

/** The sealed tree, and the entries in it. */
export interface Sealed {
  tree: SealedTree;
  /** Places of the tiles from `first` on. */
  places: { first: number; tiles: readonly Places[] };
  runs: SealedRuns;
  /** Number of leaves that may have expired. */
  expired: number;
}

export type ReadOptions = SealOptions & { now: Millis };

/** @throws {StoreUnavailable} @throws {UntrustedLedger} */
export async function readSealed(
  redis: RedisClient,
  { signers, auditDays, now }: Pick<ReadOptions, 'signers' | 'auditDays' | 'now'>,
): Promise<Sealed> {
  const tree = await openTree(redis, signers);
  const places = await tree.places(0);
  const runs = new SealedRuns();
  runs.add(places);
  return { tree, places, runs, expired: await expiredSize(redis, tree, { keys: signers, auditDays, now }) };
}

/** A period from `since` (included) to `until` (excluded); null for no bound. */
export interface Period {
  since: Millis | null;
  until: Millis | null;
}

/** Returns the refs of chains that may have an entry in the period, judged by whole tiles. */
export function refsInTime({ since, until }: Period, tiles: readonly Places[]): ReadonlySet<string> {
  const inTime = tiles.filter(
    (places) => places.until >= (since ?? 0) && places.from < (until ?? Number.POSITIVE_INFINITY),
  );
  return new Set(inTime.flatMap(({ stretches }) => stretches.map(([ref]) => ref)));
}

/** Chains to read at once, because each waits for its answer. */
const CHAINS_AT_ONCE = 64;

/**
 * Seals new entries, then yields the chain of each run that may have an entry in the period, up to its last sealed entry. An
 * expired chain is empty.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} also if a sealed entry was changed, or is gone and can't have expired
 */
export async function* sealedRuns(
  redis: RedisClient,
  period: Period,
  options: ReadOptions,
): AsyncGenerator<readonly Entry[]> {
  await sealNew(redis, options);
  const { tree, places, runs, expired } = await readSealed(redis, options);
  const selection = [...refsInTime(period, places.tiles)].flatMap((ref) => {
    const run = ref.startsWith(crewChain('')) ? undefined : runs.of(ref);
    return run ? [{ ref, ...run }] : [];
  });
  selection.sort((one, other) => one.index - other.index);
  const leavesOf = leavesInTurn(tree, expired);
  for (let from = 0; from < selection.length; from += CHAINS_AT_ONCE) {
    const some = selection.slice(from, from + CHAINS_AT_ONCE);
    const chains = await Promise.all(some.map(({ ref }) => readChain(redis, ref)));
    for (const [i, { ref, seq, index }] of some.entries()) {
      const [chain = [], leaves] = [chains[i], await leavesOf(index)];
      const last = chain[seq - 1];
      // The hash of the last entry covers all entries before it.
      const isSealed = last !== undefined && leafHash(last.hash) === leaves[index % TILE];
      if (!isSealed && leaves.length > 0 && (index >= expired || chain.length > 0)) throw goneEntry({ ref, seq });
      yield isSealed ? chain.slice(0, seq) : [];
    }
  }
}

/** Adds these runs, and remarks on those left out. @throws {StoreUnavailable} @throws {UntrustedLedger} */
export async function eachSealedRun(
  redis: RedisClient,
  { period, options }: { period: Period; options: ReadOptions },
  { add, remark }: { add: (ref: string, run: readonly LedgerEvent[]) => void; remark: (text: string) => void },
): Promise<void> {
  let expired = 0;
  for await (const entries of sealedRuns(redis, period, options)) {
    const [first] = entries;
    if (first) add(first.ref, entries as readonly (Entry & LedgerEvent)[]);
    else expired += 1;
  }
  if (expired > 0) remark(`Not counted: ${counted(expired, 'run', 'runs')} whose entries have expired.`);
  const setAside = await insist(redis, answerDeadline(), () => redis.llen(setAsideKey));
  if (setAside > 0) remark(`Not counted: ${counted(setAside, 'entry', 'entries')} set aside (docs/operations.md).`);
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Returns a reader of the leaves around ascending indexes, which remembers one tile; none if they have expired. */
function leavesInTurn({ size, leaves: leavesOf }: SealedTree, expired: number) {
  let cached: { tile: number; leaves: readonly string[] } | null = null;
  return async (index: number): Promise<readonly string[]> => {
    const tile = Math.floor(index / TILE);
    if (cached?.tile === tile) return cached.leaves;
    const leaves = await leavesOf(tile);
    const next = Math.min((tile + 1) * TILE, size);
    if (leaves.length === 0 && next > expired) throw goneLeaves(tile * TILE, next);
    cached = { tile, leaves };
    return leaves;
  };
}

export function goneLeaves(from: number, until: number): UntrustedLedger {
  return new UntrustedLedger(
    `The leaves ${from} to ${until - 1} of the ledger are gone from Redis, and too young to have expired.`,
  );
}

export function goneEntry({ ref, seq }: { ref: string; seq: number }): UntrustedLedger {
  return new UntrustedLedger(`Entry ${seq} of ${ref} was sealed, and is gone from Redis or changed there.`);
}
