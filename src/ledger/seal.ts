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

// Sealing: what is new and ours is added to the tree, and the next checkpoint says so.

export interface SealOptions {
  /** Newest first. */
  signers: readonly Signer[];
  auditDays: number;
  /** By this machine's clock, since an attacker who has Redis may have its clock, too. Default: at each seal. */
  now?: Millis;
  /** What this process knows from earlier seals. Default: nothing. */
  known?: KnownLedger;
}

/** New entries may come as fast as they are sealed. */
const MOST_ROUNDS = 1_000;
/** Of those in a row in which nothing could be sealed. */
const MOST_FRUITLESS_ROUNDS = 16;

/**
 * Seals every entry that isn't sealed yet, each exactly once, with any number of processes that do so at the same time. Sets aside
 * what no process with our secret has written, or what doesn't follow on what is sealed of its chain.
 * @param turn the turn that this process has taken just now, if it has
 * @returns the last checkpoint that this process has made, or null
 * @throws {StoreUnavailable} @throws {UntrustedLedger} then nothing more gets sealed
 */
export async function sealNew(redis: RedisClient, options: SealOptions, turn?: Turn): Promise<StoredCheckpoint | null> {
  const { known = new KnownLedger() } = options;
  let last: StoredCheckpoint | null = null;
  let fruitless = 0;
  for (let round = 0; round < MOST_ROUNDS && fruitless < MOST_FRUITLESS_ROUNDS; round++) {
    const taken = round === 0 && turn ? turn : await takeTurn(redis, null);
    const found = await lookForUnsealed(redis);
    if (found.length === 0 && taken.note === known.note) break;
    const sealed = await seal(redis, { ...options, known, found, turn: taken });
    if (sealed === 'nothing to do') break;
    last = sealed === 'outrun' ? last : sealed.checkpoint;
    fruitless = sealed === 'outrun' || sealed.entries > 0 ? 0 : fruitless + 1;
  }
  return last;
}

/** Lets a process know what there is, before it takes its first turn. @throws {StoreUnavailable} @throws {UntrustedLedger} */
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
  found: readonly Waiting[];
  turn: Turn;
}

/** One more checkpoint, unless another process was faster, or the last one says it all. */
async function seal(
  redis: RedisClient,
  { found, turn, now = Date.now(), ...options }: Round,
): Promise<{ checkpoint: StoredCheckpoint; entries: number } | 'outrun' | 'nothing to do'> {
  const { signers, auditDays, known } = options;
  const tree = await learnLedger(redis, { ...options, now });
  const oldNote = tree.last?.note ?? null;
  // What was found may be sealed by now.
  if (oldNote !== turn.note) return 'outrun';
  const isCurrent = tree.last === null || tree.last.checkpoint.signedBy.length === signers.length;
  if (found.length === 0 && isCurrent) return 'nothing to do';
  if (!isCurrent) await signDailyAgain(redis, signers);
  const { entries, setAside } = await judge(found, { tree, known, signers, reachedBy: now - auditDays * DAY_MS });

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
    { oldNote, size, checkpoint, tiles: stored, newTileRoots: fullRoots, found, setAside },
    { auditDays },
  );
  if (outcome === 'outrun') return 'outrun';
  known.extend({ size, root });
  return { checkpoint, entries: entries.length };
}

/** So that they still count when the older of these keys have gone. */
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
  /** The chain of an entry that was made before may have expired. */
  reachedBy: Millis;
}

/** What is to be sealed, in its order, and what can't be. */
async function judge(found: readonly Waiting[], { tree, known, signers, reachedBy }: Judging) {
  const keys = signers.map(({ entryKey }) => entryKey);
  const entries: UnsealedEntry[] = [];
  const setAside: { reason: 'foreign' | 'out-of-order'; entry: string }[] = [];
  const heads = new Map<string, UnsealedEntry>();
  const leaves = new Map<number, readonly string[]>();
  const leafAt = async (index: number) => {
    const tile = Math.floor(index / TILE);
    const known = leaves.get(tile) ?? (await tree.leaves(tile));
    leaves.set(tile, known);
    return known[index % TILE];
  };

  const follows = async ({ ref, seq, prev }: UnsealedEntry) => {
    const head = heads.get(ref);
    if (head) return seq === head.seq + 1 && prev === head.hash;
    const run = known.runs.of(ref);
    if (seq === 1 && prev === '') return run === undefined || run.from < reachedBy;
    // What came before may have expired.
    if (run === undefined) return known.runs.keptFrom > 0;
    const leaf = await leafAt(run.index);
    return seq === run.seq + 1 && (leaf === undefined || leaf === leafHash(prev));
  };

  for (const { text } of found) {
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

/** The tile that isn't full. */
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
