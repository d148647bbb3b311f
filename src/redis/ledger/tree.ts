import { z } from 'zod';
import { sha256 } from '../../core/ledger/entry.ts';
import type { Millis } from '../../core/values/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from '../call.ts';
import { dailyKey, placesKey, tileKey, tileRootsKey, treeKey } from '../keys.ts';
import type { UnsealedEntry } from './entries.ts';

// The stored tree over all sealed entries: its size and last checkpoint, the leaves of each tile and their entries, the
// checkpoints of earlier days, and how far it was printed and posted.

const HASH_BYTES = 32;

/** A checkpoint with its time. Only its note is signed. */
export interface StoredCheckpoint {
  at: Millis;
  /** The signed note. */
  note: string;
}

/** The entries behind the leaves of a tile, and the times of the first and the last of them. */
export interface Places {
  /** Hash of the stored places of the tile before; empty for the first. */
  before: string;
  from: Millis;
  until: Millis;
  /** Stretches of entries of one run: ref, number of the first entry, and count. */
  stretches: [ref: string, seq: number, count: number][];
}

const PLACES: z.ZodType<Places> = z.strictObject({
  before: z.string(),
  from: z.number(),
  until: z.number(),
  stretches: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

const CHECKPOINT: z.ZodType<StoredCheckpoint> = z.strictObject({ at: z.number(), note: z.string() });

/** Returns the places of a tile without leaves. @param before the hash of the places of the tile before; empty for the first */
export function noPlaces(before: string): Places {
  return { before, from: Number.MAX_SAFE_INTEGER, until: 0, stretches: [] };
}

/** Returns the tree's size, its last note, if any, and the roots of its full tiles. @throws {StoreUnavailable} */
export async function readTree(
  redis: RedisClient,
): Promise<{ size: number; note: string | null; tileRoots: string[] }> {
  const until = answerDeadline();
  const [size, note] = await insist(redis, until, () => redis.hmget(treeKey, 'size', 'note'));
  const roots = (await insist(redis, until, () => redis.getBuffer(tileRootsKey))) ?? Buffer.alloc(0);
  return { size: Number(size ?? 0), note: note ?? null, tileRoots: hashesOf(roots) };
}

function storedCheckpoint(at: string | null | undefined, note: string | null | undefined): StoredCheckpoint | null {
  return typeof note === 'string' ? { at: Number(at), note } : null;
}

/** Returns the leaf hashes of a tile; empty if it has expired. @throws {StoreUnavailable} */
export async function readTile(redis: RedisClient, tile: number): Promise<string[]> {
  const stored = await insist(redis, answerDeadline(), () => redis.getBuffer(tileKey(tile)));
  return stored ? hashesOf(stored) : [];
}

/** The places of a tile, and the hash of their stored form. */
export interface StoredPlaces {
  places: Places;
  hash: string;
}

/** Returns null if the places have expired. @throws {StoreUnavailable} */
export async function readPlaces(redis: RedisClient, tile: number): Promise<StoredPlaces | null> {
  const stored = await insist(redis, answerDeadline(), () => redis.get(placesKey(tile)));
  return stored === null ? null : { places: PLACES.parse(JSON.parse(stored)), hash: sha256(stored) };
}

/** Returns the stored form of places, and its hash. */
export function storedPlaces(places: Places): { text: string; hash: string } {
  const text = JSON.stringify(places);
  return { text, hash: sha256(text) };
}

/** Returns the last checkpoint of each day that is still kept, oldest first. @throws {StoreUnavailable} */
export async function readDailyCheckpoints(redis: RedisClient): Promise<(StoredCheckpoint & { day: string })[]> {
  const stored = await insist(redis, answerDeadline(), () => redis.hgetall(dailyKey));
  return Object.entries(stored)
    .map(([day, text]) => ({ day, ...CHECKPOINT.parse(JSON.parse(text)) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** Replaces daily checkpoints by the same with other signatures. @throws {StoreUnavailable} */
export async function replaceDaily(
  redis: RedisClient,
  checkpoints: readonly (StoredCheckpoint & { day: string })[],
): Promise<void> {
  const fields = checkpoints.flatMap(({ day, at, note }) => [day, JSON.stringify({ at, note })]);
  if (fields.length > 0) await insist(redis, answerDeadline(), () => redis.hset(dailyKey, ...fields));
}

/** Returns the entry of each leaf. */
export function placesOf({ stretches }: Places): { ref: string; seq: number }[] {
  return stretches.flatMap(([ref, seq, count]) => Array.from({ length: count }, (_, i) => ({ ref, seq: seq + i })));
}

export function withPlace({ before, from, until, stretches }: Places, { ref, seq, at }: UnsealedEntry): Places {
  const last = stretches.at(-1);
  const continues = last !== undefined && last[0] === ref && last[1] + last[2] === seq;
  const next: Places['stretches'] = continues
    ? [...stretches.slice(0, -1), [ref, last[1], last[2] + 1]]
    : [...stretches, [ref, seq, 1]];
  return { before, from: Math.min(from, at), until: Math.max(until, at), stretches: next };
}

export function storedHashes(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.join(''), 'hex');
}

function hashesOf(stored: Buffer): string[] {
  return Array.from({ length: stored.length / HASH_BYTES }, (_, i) =>
    stored.toString('hex', i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}

const MOVE_PRINTED = defineScript(
  'move-printed',
  z.number(),
  `
  -- KEYS: tree. ARGV: how many entries were printed, how many are now. Returns 0 if another process has printed since.
  if (redis.call('HGET', KEYS[1], 'printed') or '0') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'printed', ARGV[2])
  return 1`,
);

/** Starts the printing of everything that gets sealed from now on, unless it has been started. @throws {StoreUnavailable} */
export async function beginPrinting(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const size = await insist(redis, until, () => redis.hget(treeKey, 'size'));
  await insist(redis, until, () => redis.hsetnx(treeKey, 'printed', size ?? 0));
}

/** Returns the number of printed and of sealed entries, and the last checkpoint. @throws {StoreUnavailable} */
export async function readPrinted(
  redis: RedisClient,
): Promise<{ printed: number; size: number; checkpoint: StoredCheckpoint | null }> {
  const [printed, size, at, note] = await insist(redis, answerDeadline(), () =>
    redis.hmget(treeKey, 'printed', 'size', 'at', 'note'),
  );
  return { printed: Number(printed ?? 0), size: Number(size ?? 0), checkpoint: storedCheckpoint(at, note) };
}

/** Notes that entries were printed. Resolves to false if another process was faster. @throws {StoreUnavailable} */
export async function movePrinted(redis: RedisClient, { from, to }: { from: number; to: number }): Promise<boolean> {
  return (await runScript(redis, MOVE_PRINTED, { keys: [treeKey], args: [from, to] })) === 1;
}

const CLAIM_POST = defineScript(
  'claim-checkpoint-post',
  z.tuple([z.string(), z.string()]).nullable(),
  `
  -- KEYS: tree. ARGV: day, now, until when it is posted.
  -- Returns the time and text of the checkpoint, if it is new, none was posted on this day, and no process is posting it.
  local posted, last, claim, at, note = unpack(redis.call('HMGET', KEYS[1], 'posted', 'note-posted', 'posting', 'at', 'note'))
  if not note or posted == ARGV[1] or last == note then return nil end
  if claim and tonumber(claim) > tonumber(ARGV[2]) then return nil end
  redis.call('HSET', KEYS[1], 'posting', ARGV[3])
  return {at, note}`,
);

/** Longer than it takes to find the channel and post. */
const POST_MS = 60_000;

/** Returns the latest checkpoint if this process is the one to post it now. @throws {StoreUnavailable} */
export async function claimPost(redis: RedisClient, now: Millis): Promise<StoredCheckpoint | null> {
  const call = { keys: [treeKey], args: [dayOf(now), now, now + POST_MS] };
  const [at, note] = (await runScript(redis, CLAIM_POST, call)) ?? [];
  return storedCheckpoint(at, note);
}

/** Notes that a checkpoint was posted, so that it isn't posted again, nor any other on this day. @throws {StoreUnavailable} */
export async function keepPosted(redis: RedisClient, { note }: StoredCheckpoint, now: Millis): Promise<void> {
  const fields = { posted: dayOf(now), 'note-posted': note, posting: 0 };
  await insist(redis, answerDeadline(), () => redis.hset(treeKey, fields));
}

/** Lets any process try to post again. @throws {StoreUnavailable} */
export async function releasePost(redis: RedisClient): Promise<void> {
  await insist(redis, answerDeadline(), () => redis.hset(treeKey, 'posting', 0));
}

/** Returns the UTC day in ISO 8601. */
export function dayOf(at: Millis): string {
  return new Date(at).toISOString().slice(0, 10);
}
