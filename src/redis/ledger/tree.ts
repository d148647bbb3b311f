import { z } from 'zod';
import { sha256 } from '../../core/ledger/sha256.ts';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, insist, type RedisClient } from '../call.ts';
import { dailyKey, placesKey, tileKey, tileRootsKey, treeKey } from '../keys.ts';
import type { UnsealedEntry } from './append.ts';

const HASH_BYTES = 32;

/** A checkpoint with the time at which it was made. Only what its note says is signed. */
export interface StoredCheckpoint {
  at: Millis;
  /** The signed note. */
  note: string;
}

/** Which entries the leaves of a tile are, and when the first and the last of them were made. */
export interface Places {
  /** The hash of this for the tile before, as it is stored; empty for the first. Absent from ledgers of before. */
  before?: string | undefined;
  from: Millis;
  until: Millis;
  /** Of each stretch of one run: its ref, the number of its first entry, and how many there are. */
  stretches: [ref: string, seq: number, count: number][];
}

const PLACES: z.ZodType<Places> = z.object({
  before: z.string().optional(),
  from: z.number(),
  until: z.number(),
  stretches: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

const CHECKPOINT: z.ZodType<StoredCheckpoint> = z.object({ at: z.number(), note: z.string() });

const NO_PLACES: Places = { from: Number.MAX_SAFE_INTEGER, until: 0, stretches: [] };

/** For a tile without leaves. @param before the hash of the places of the tile before; empty for the first */
export function noPlaces(before: string): Places {
  return { before, ...NO_PLACES };
}

/** The tree's size, the note of its last checkpoint, if there is one, and the roots of its full tiles. @throws {StoreUnavailable} */
export async function readTree(
  redis: RedisClient,
): Promise<{ size: number; note: string | null; tileRoots: string[] }> {
  const until = answerDeadline();
  const [size, note] = await insist(redis, until, () => redis.hmget(treeKey, 'size', 'note'));
  const roots = (await insist(redis, until, () => redis.getBuffer(tileRootsKey))) ?? Buffer.alloc(0);
  return { size: Number(size ?? 0), note: note ?? null, tileRoots: hashesOf(roots) };
}

/** A checkpoint from its fields in Redis; null if they aren't there. */
export function storedCheckpoint(
  at: string | null | undefined,
  note: string | null | undefined,
): StoredCheckpoint | null {
  return typeof note === 'string' ? { at: Number(at), note } : null;
}

/** The hashes of a tile's leaves; empty if it has expired. @throws {StoreUnavailable} */
export async function readTile(redis: RedisClient, tile: number): Promise<string[]> {
  const stored = await insist(redis, answerDeadline(), () => redis.getBuffer(tileKey(tile)));
  return stored ? hashesOf(stored) : [];
}

/** The places of a tile, and the hash of how they are stored. */
export interface StoredPlaces {
  places: Places;
  hash: string;
}

/** Null if they have expired. @throws {StoreUnavailable} */
export async function readPlaces(redis: RedisClient, tile: number): Promise<StoredPlaces | null> {
  const stored = await insist(redis, answerDeadline(), () => redis.get(placesKey(tile)));
  return stored === null ? null : { places: PLACES.parse(JSON.parse(stored)), hash: sha256(stored) };
}

/** How places are stored. */
export function storedPlaces(places: Places): { text: string; hash: string } {
  const text = JSON.stringify(places);
  return { text, hash: sha256(text) };
}

/**
 * Lets the places of each tile name those of the tile before, in a ledger of a time when they didn't. Doing so again changes
 * nothing. @throws {StoreUnavailable}
 */
export async function linkPlaces(redis: RedisClient, tiles: number): Promise<void> {
  let before = '';
  for (let tile = 0; tile < tiles; tile++) {
    const stored = await readPlaces(redis, tile);
    const linked = stored && storedPlaces({ ...stored.places, before });
    if (linked) await insist(redis, answerDeadline(), () => redis.set(placesKey(tile), linked.text, 'KEEPTTL'));
    before = linked?.hash ?? '';
  }
}

/** The last checkpoint of each day that is still kept, oldest first, with the day. @throws {StoreUnavailable} */
export async function readDailyCheckpoints(redis: RedisClient): Promise<(StoredCheckpoint & { day: string })[]> {
  const stored = await insist(redis, answerDeadline(), () => redis.hgetall(dailyKey));
  return Object.entries(stored)
    .map(([day, text]) => ({ day, ...CHECKPOINT.parse(JSON.parse(text)) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** Replaces checkpoints of days by the same with other signatures. @throws {StoreUnavailable} */
export async function replaceDaily(
  redis: RedisClient,
  checkpoints: readonly (StoredCheckpoint & { day: string })[],
): Promise<void> {
  const fields = checkpoints.flatMap(({ day, at, note }) => [day, JSON.stringify({ at, note })]);
  if (fields.length > 0) await insist(redis, answerDeadline(), () => redis.hset(dailyKey, ...fields));
}

/** Which entry each leaf is. */
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
