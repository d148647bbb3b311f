import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { canonicalJson, type Entry, leafHash } from '../../core/ledger/entry.ts';
import { EMPTY_ROOT, type RangeRoot, rangeRoots, TILE } from '../../core/ledger/merkle-tree.ts';
import { parseCheckpoint, type Signer, signAgain, signCheckpoint } from '../../ledger/checkpoint.ts';
import { type SealOptions, sealNew } from '../../ledger/seal.ts';
import { placesHash, type SealedTree } from '../../ledger/sealed-tree.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { crewChain, readPolicy } from '../../redis/ledger/policies.ts';
import { type Places, placesOf, readDailyCheckpoints } from '../../redis/ledger/tree.ts';
import { CannotAudit } from '../ledger-command.ts';
import { goneEntry, goneLeaves, type Period, readSealed, refsInTime, type Sealed } from '../sealed-chains.ts';
import { type CheckpointLine, type Manifest, type ProofLine, policyNamedIn } from './lines.ts';
import { consistencyProof, inclusionProof } from './proofs.ts';

// Writes an export: checkpoints, then each selected entry with its proof and, before the first entry that names it, its policy.
// The last line describes the whole, and is signed.

/** Filters for runs: with an entry in this period, of this crew, of this ref. Null for all. */
export interface Filters extends Period {
  crew: string | null;
  ref: string | null;
}

interface ExportOptions extends SealOptions {
  filters: Filters;
  /** An older checkpoint, which the export then proves to continue; null for none. */
  after: string | null;
  now: number;
}

/**
 * Seals new entries, then yields the lines of an export, each with its line break.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} @throws {CannotAudit}
 */
export async function* exportLines(redis: RedisClient, options: ExportOptions): AsyncGenerator<string> {
  const { signers, auditDays, filters, now } = options;
  await sealNew(redis, options);
  const hash = createHash('sha256');
  const lineOf = (value: unknown) => {
    const line = `${canonicalJson(value)}\n`;
    hash.update(line);
    return line;
  };
  const sealed = await readSealed(redis, options);
  for await (const line of checkpointLines(redis, sealed.tree, options)) yield lineOf(line);
  const chains = createChains(redis, filters, sealed.places.tiles);
  const absent: Absent = [];
  const runs: Record<string, [number, number]> = {};
  const policies = new Set<string>();
  let entries = 0;
  for await (const { entry, proof } of provenEntries(sealed, { chains, absent })) {
    for (const line of await policyLines(redis, entry, policies)) yield lineOf(line);
    yield lineOf(entry);
    yield lineOf(proof);
    entries += 1;
    runs[entry.ref] = [runs[entry.ref]?.[0] ?? entry.seq, entry.seq];
  }
  const content: Manifest['export'] = {
    absent: isUnfiltered(filters) ? absent : null,
    at: now,
    audit_days: auditDays,
    entries,
    filters,
    keys: signers.map(({ vkey }) => vkey),
    runs: isUnfiltered(filters) ? null : runs,
    sha256: hash.digest('hex'),
    size: sealed.tree.size,
  };
  yield `${canonicalJson(signManifest(content, signers))}\n`;
}

/** Returns the policy if this entry is the first one to name it. */
async function policyLines(redis: RedisClient, { facts }: ProvenEntry['entry'], written: Set<string>) {
  const hash = policyNamedIn(facts);
  if (hash === null || written.has(hash)) return [];
  written.add(hash);
  const document = await readPolicy(redis, hash);
  // An export without it is still worth more than none.
  return document === null ? [] : [{ policy: { document: JSON.parse(document), hash } }];
}

function signManifest(content: Manifest['export'], signers: readonly Signer[]): Manifest {
  const text = canonicalJson(content);
  return { export: content, signatures: signers.map(({ sign }) => sign(text).toString('base64')) };
}

/** Yields the checkpoint of the whole tree, then those of earlier days, and that of `--after`. @throws {CannotAudit} */
async function* checkpointLines(
  redis: RedisClient,
  tree: SealedTree,
  { signers, auditDays, after, now }: ExportOptions,
): AsyncGenerator<CheckpointLine> {
  const beginning = { time: now, auditDays, places: placesHash(null) };
  // Signed by all current keys.
  const note = tree.last
    ? signAgain(tree.last.note, signers)
    : signCheckpoint({ size: 0, root: EMPTY_ROOT }, beginning, signers);
  yield { checkpoint: { consistency: [], note } };
  for (const daily of await readDailyCheckpoints(redis)) {
    const line = await earlierLine(tree, daily.note);
    if (line) yield line;
  }
  if (after !== null) yield* linesAfter(tree, after);
}

/** Returns null if too much of the tree has expired for a proof. */
async function earlierLine(tree: SealedTree, note: string): Promise<CheckpointLine | null> {
  const head = parseCheckpoint(note, [])?.head;
  // The last checkpoint is there already, and a newer one may have been made since the tree was read.
  if (!head || head.size >= tree.size) return null;
  const rootOf = await tree.rootsAt(head.size);
  if (rootOf === null) return null;
  if (rootOf(0, head.size) !== head.root)
    throw new CannotAudit(`The ledger in Redis is not the one that was sealed at ${head.size} entries.`);
  return { checkpoint: { consistency: consistencyProof(rootOf, head.size, tree.size), note } };
}

/** Yields the checkpoint of `--after`. Any key may have signed it, because it has to be one of this very tree. */
async function* linesAfter(tree: SealedTree, note: string): AsyncGenerator<CheckpointLine> {
  const checkpoint = parseCheckpoint(note, []);
  if (!checkpoint) throw new CannotAudit('What --after names is not a checkpoint.');
  const { head } = checkpoint;
  if (head.size > tree.size || (head.size === tree.size && head.root !== tree.root))
    throw new CannotAudit('The ledger is not the one that the checkpoint of --after was made from.');
  if (head.size === tree.size) return;
  const line = await earlierLine(tree, note);
  if (!line) throw new CannotAudit('The entries around the checkpoint that --after names have expired.');
  yield line;
}

/** An entry, and the proof that it is sealed at its place. */
interface ProvenEntry {
  entry: Entry;
  proof: ProofLine;
}

/** Leaves whose entries are gone, as [from, until[. */
type Absent = [number, number][];

/**
 * Yields all selected entries in the order of sealing, and adds expired leaves to `absent`.
 * @throws {StoreUnavailable} @throws {UntrustedLedger} also if an entry is gone that can't have expired
 */
async function* provenEntries(
  { tree, places, runs, expired }: Sealed,
  { chains, absent }: { chains: Chains; absent: Absent },
): AsyncGenerator<ProvenEntry> {
  const rootOf = await tree.rootsAt(tree.size);
  for (let tile = 0; tile * TILE < tree.size; tile++) {
    const first = tile * TILE;
    const next = Math.min(first + TILE, tree.size);
    const leaves = await tree.leaves(tile);
    const tilePlaces = places.tiles[tile - places.first];
    if (leaves.length === 0 || tilePlaces === undefined || rootOf === null) {
      if (next > expired) throw goneLeaves(first, next);
      addAbsent(absent, first, next);
      continue;
    }
    const within = rangeRoots(
      (each) => tree.tileRoots[each] ?? '',
      (index) => leaves[index - first] ?? '',
    );
    const rootIn: RangeRoot = (from, to) => (from >= first && to <= first + TILE ? within : rootOf)(from, to);
    for (const [i, { ref, seq }] of placesOf(tilePlaces).entries()) {
      if (!chains.mayBeSelected(ref)) continue;
      const index = first + i;
      const chain = await chains.entries(ref);
      const entry = chain[seq - 1];
      const isSealed = entry !== undefined && leafHash(entry.hash) === leaves[i];
      // A chain expires as a whole, and may have begun again since.
      const isOfEarlierChain = index < (runs.of(ref)?.begin ?? 0);
      if (!isSealed && (index >= expired || !(isOfEarlierChain || chain.length === 0))) throw goneEntry({ ref, seq });
      if (!isSealed) addAbsent(absent, index, index + 1);
      else if (await chains.isSelected(ref))
        yield { entry, proof: { proof: { hashes: inclusionProof(rootIn, index, tree.size), index, ref, seq } } };
    }
  }
}

function addAbsent(absent: Absent, from: number, until: number): void {
  const last = absent.at(-1);
  if (last?.[1] === from) last[1] = until;
  else absent.push([from, until]);
}

/** The chains that an export is made from. */
interface Chains {
  entries(ref: string): Promise<readonly Entry[]>;
  /** Returns false for chains that no entry in them can select. */
  mayBeSelected(ref: string): boolean;
  isSelected(ref: string): Promise<boolean>;
}

/** Many tiles have entries of the same runs. */
const KEPT_CHAINS = 1_000;

/** @param tiles places of the sealed entries */
function createChains(redis: RedisClient, filters: Filters, tiles: readonly Places[]): Chains {
  const refs = filters.since === null && filters.until === null ? null : refsInTime(filters, tiles);
  const chains = new LRUCache<string, readonly Entry[]>({ max: KEPT_CHAINS });
  const selected = new Map<string, boolean>();
  const entries = async (ref: string) => {
    const chain = chains.get(ref) ?? (await readChain(redis, ref));
    chains.set(ref, chain);
    return chain;
  };
  return {
    entries,
    mayBeSelected: (ref) => (filters.ref === null || filters.ref === ref) && (refs === null || refs.has(ref)),
    async isSelected(ref) {
      const isIn = selected.get(ref) ?? (isUnfiltered(filters) || isChosen(ref, await entries(ref), filters));
      selected.set(ref, isIn);
      return isIn;
    },
  };
}

function isUnfiltered({ since, until, crew, ref }: Filters): boolean {
  return since === null && until === null && crew === null && ref === null;
}

function isChosen(ref: string, chain: readonly Entry[], { since, until, crew }: Filters): boolean {
  const isInTime = ({ at }: Entry) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY);
  const isOfCrew =
    crew === null || isAboutCrew(ref, crew) || chain.some(({ facts }) => 'crew' in facts && facts.crew === crew);
  return isOfCrew && chain.some(isInTime);
}

/** Returns true for a chain about a crew itself. */
function isAboutCrew(ref: string, crew: string): boolean {
  return ref === crewChain(crew) || ref.startsWith(`${crewChain(crew)}/`);
}
