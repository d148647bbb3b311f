import { leafHash } from '../core/ledger/entry.ts';
import { rangeRoots, rootOfLeaves, TILE } from '../core/ledger/merkle-tree.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { isOurs, readUnsealed, type UnsealedEntry } from '../redis/ledger/entries.ts';
import { commitSeal, lookForUnsealed, type Turn, takeTurn, type Waiting } from '../redis/ledger/sealing.ts';
import {
  noPlaces,
  type Places,
  readDailyCheckpoints,
  replaceDaily,
  type StoredCheckpoint,
  storedPlaces,
  withPlace,
} from '../redis/ledger/tree.ts';
import { parseCheckpoint, type Signer, signAgain, signCheckpoint } from './checkpoint.ts';
import { expiredSize, KnownLedger, openTree, placesHash, type SealedTree } from './sealed-tree.ts';

// Sealing adds our new entries to the tree, and signs the next checkpoint.

export interface SealOptions {
  /** Newest first. */
  signers: readonly Signer[];
  auditDays: number;
  /** Time by this machine's clock, because an attacker who has Redis may have its clock, too. Default: at each seal. */
  now?: Millis;
  /** Knowledge of this process from earlier seals. Default: none. */
  known?: KnownLedger;
}

/** New entries may arrive as fast as they are sealed. */
const MOST_ROUNDS = 1_000;
/** Most consecutive rounds in which nothing could be sealed. */
const MOST_FRUITLESS_ROUNDS = 16;

/**
 * Seals every unsealed entry exactly once, with any number of processes that do so at the same time. Sets aside entries that no
 * process with our secret wrote, or that don't follow the sealed ones of their chain.
 * @param turn the turn that this process has just taken, if any
 * @returns the last checkpoint that this process has made, or null
 * @throws {StoreUnavailable} @throws {UntrustedLedger} then nothing more gets sealed
 */
export async function sealNew(redis: RedisClient, options: SealOptions, turn?: Turn): Promise<StoredCheckpoint | null> {
  const { known = new KnownLedger() } = options;
  let last: StoredCheckpoint | null = null;
  let fruitless = 0;
  for (let round = 0; round < MOST_ROUNDS && fruitless < MOST_FRUITLESS_ROUNDS; round++) {
    const tree = round === 0 && turn ? turn : await takeTurn(redis, null);
    const waiting = await lookForUnsealed(redis);
    if (waiting.length === 0 && tree.note === known.note) break;
    const sealed = await seal(redis, { ...options, known, waiting, turn: tree });
    if (sealed === 'nothing to do') break;
    last = sealed === 'outrun' ? last : sealed.checkpoint;
    fruitless = sealed === 'outrun' || sealed.entries > 0 ? 0 : fruitless + 1;
  }
  return last;
}

/** Teaches a process the current tree before its first turn. @throws {StoreUnavailable} @throws {UntrustedLedger} */
export async function learnLedger(
  redis: RedisClient,
  { signers, auditDays, known, now = Date.now() }: SealOptions & { known: KnownLedger },
): Promise<SealedTree> {
  const tree = await openTree(redis, signers);
  await known.learn(tree, () => expiredSize(redis, tree, { keys: signers, auditDays, now }));
  return tree;
}

interface Round extends SealOptions {
  known: KnownLedger;
  waiting: readonly Waiting[];
  turn: Turn;
}

/** Makes one more checkpoint, unless another process was faster, or the last one is up to date. */
async function seal(
  redis: RedisClient,
  { waiting, turn, now = Date.now(), ...options }: Round,
): Promise<{ checkpoint: StoredCheckpoint; entries: number } | 'outrun' | 'nothing to do'> {
  const { signers, auditDays, known } = options;
  const tree = await learnLedger(redis, { ...options, now });
  const oldNote = tree.last?.note ?? null;
  // The unsealed entries may be sealed by now.
  if (oldNote !== turn.note) return 'outrun';
  const isCurrent = tree.last === null || tree.last.checkpoint.signedBy.length === signers.length;
  if (waiting.length === 0 && isCurrent) return 'nothing to do';
  if (!isCurrent) await signDailyAgain(redis, signers);
  const { entries, setAside } = await judge(waiting, { tree, known, signers, reachedBy: now - auditDays * DAY_MS });

  const tiles = entries.length === 0 ? [] : await lastTile(tree);
  for (const [i, entry] of entries.entries()) addEntry(tiles, tree, tree.size + i, entry);
  const fullRoots = tiles.filter(isFull).map(({ leaves }) => rootOfLeaves(leaves));
  const roots = [...tree.tileRoots, ...fullRoots];
  const size = tree.size + entries.length;
  const leaf = (index: number) =>
    tiles.find(({ tile }) => tile === Math.floor(index / TILE))?.leaves[index % TILE] ?? '';
  const root = entries.length === 0 ? tree.root : rangeRoots((tile) => roots[tile] ?? '', leaf)(0, size);
  const lastOne = tiles.at(-1);
  const places = lastOne ? storedPlaces(lastOne.places).hash : placesHash(tree.lastPlaces);
  const time = Math.max(now, ...entries.map(({ at }) => at));
  const checkpoint = { at: time, note: signCheckpoint({ size, root }, { time, auditDays, places }, signers) };
  const stored = tiles.map((tile) => ({ ...tile, places: storedPlaces(tile.places).text, isFull: isFull(tile) }));
  const outcome = await commitSeal(
    redis,
    { oldNote, size, checkpoint, tiles: stored, newTileRoots: fullRoots, waiting, setAside },
    { auditDays },
  );
  if (outcome === 'outrun') return 'outrun';
  known.extend({ size, root });
  return { checkpoint, entries: entries.length };
}

/** Signs daily checkpoints with the new keys, so that they stay valid when the old keys are gone. */
async function signDailyAgain(redis: RedisClient, signers: readonly Signer[]): Promise<void> {
  const daily = (await readDailyCheckpoints(redis)).filter(({ note }) => {
    const signedBy = parseCheckpoint(note, signers)?.signedBy.length ?? 0;
    return signedBy > 0 && signedBy < signers.length;
  });
  await replaceDaily(
    redis,
    daily.map((each) => ({ ...each, note: signAgain(each.note, signers) })),
  );
}

interface Judging {
  tree: SealedTree;
  known: KnownLedger;
  signers: readonly Signer[];
  /** The chain of an entry from before that time may have expired. */
  reachedBy: Millis;
}

/** Returns the entries to seal, in order, and those that can't be sealed. */
async function judge(waiting: readonly Waiting[], { tree, known, signers, reachedBy }: Judging) {
  const keys = signers.map(({ entryKey }) => entryKey);
  const entries: UnsealedEntry[] = [];
  const setAside: { reason: 'foreign' | 'out-of-order'; entry: string }[] = [];
  const heads = new Map<string, UnsealedEntry>();
  const leaves = new Map<number, readonly string[]>();
  const leafAt = async (index: number) => {
    const tile = Math.floor(index / TILE);
    const tileLeaves = leaves.get(tile) ?? (await tree.leaves(tile));
    leaves.set(tile, tileLeaves);
    return tileLeaves[index % TILE];
  };

  const follows = async ({ ref, seq, prev }: UnsealedEntry) => {
    const head = heads.get(ref);
    if (head) return seq === head.seq + 1 && prev === head.hash;
    const run = known.runs.of(ref);
    if (seq === 1 && prev === '') return run === undefined || run.from < reachedBy;
    // Earlier entries of the chain may have expired.
    if (run === undefined) return known.runs.keptFrom > 0;
    const leaf = await leafAt(run.index);
    return seq === run.seq + 1 && (leaf === undefined || leaf === leafHash(prev));
  };

  for (const { text } of waiting) {
    const entry = readUnsealed(text);
    if (entry === null || !isOurs(text, keys)) setAside.push({ reason: 'foreign', entry: text });
    else if (!(await follows(entry))) setAside.push({ reason: 'out-of-order', entry: text });
    else {
      heads.set(entry.ref, entry);
      entries.push(entry);
    }
  }
  return { entries, setAside };
}

interface OpenTile {
  tile: number;
  leaves: string[];
  places: Places;
}

const isFull = ({ leaves }: OpenTile) => leaves.length === TILE;

/** Returns the tile that isn't full, if any. */
async function lastTile({ size, leaves, lastPlaces }: SealedTree): Promise<OpenTile[]> {
  if (size % TILE === 0 || lastPlaces === null) return [];
  const tile = Math.floor(size / TILE);
  return [{ tile, leaves: [...(await leaves(tile))], places: lastPlaces.places }];
}

function addEntry(tiles: OpenTile[], { lastPlaces }: SealedTree, index: number, entry: UnsealedEntry): void {
  if (index % TILE === 0) {
    const last = tiles.at(-1);
    const before = last ? storedPlaces(last.places).hash : (lastPlaces?.hash ?? '');
    tiles.push({ tile: index / TILE, leaves: [], places: noPlaces(before) });
  }
  const tile = tiles.at(-1);
  tile?.leaves.push(leafHash(entry.hash));
  if (tile) tile.places = withPlace(tile.places, entry);
}
