import { z } from 'zod';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, insist, type RedisClient } from '../connection/call.ts';
import { dailyKey, placesKey, tileKey, tileRootsKey, treeKey } from '../keys.ts';
import type { UnsealedEntry } from './append.ts';

const HASH_BYTES = 32;

/** A checkpoint with the time at which it was made. */
export interface StoredCheckpoint {
  at: Millis;
  /** The signed note. */
  note: string;
}

/** Which entries the leaves of a tile are, and when the first and the last of them were made. */
export interface Places {
  from: Millis;
  until: Millis;
  /** Of each stretch of one run: its ref, the number of its first entry, and how many there are. */
  stretches: [ref: string, seq: number, count: number][];
}

const PLACES: z.ZodType<Places> = z.object({
  from: z.number(),
  until: z.number(),
  stretches: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

const CHECKPOINT: z.ZodType<StoredCheckpoint> = z.object({ at: z.number(), note: z.string() });

export const NO_PLACES: Places = { from: Number.MAX_SAFE_INTEGER, until: 0, stretches: [] };

/** The tree's size, its last checkpoint, if there is one, and the roots of its full tiles. @throws {StoreUnavailable} */
export async function readTree(
  redis: RedisClient,
): Promise<{ size: number; checkpoint: StoredCheckpoint | null; tileRoots: string[] }> {
  const until = answerDeadline();
  const [size, at, note] = await insist(redis, until, () => redis.hmget(treeKey, 'size', 'at', 'note'));
  const roots = (await insist(redis, until, () => redis.getBuffer(tileRootsKey))) ?? Buffer.alloc(0);
  return {
    size: Number(size ?? 0),
    checkpoint: storedCheckpoint(at, note),
    // The tree may have grown between the two answers.
    tileRoots: hashesOf(roots).slice(0, Math.floor(Number(size ?? 0) / TILE)),
  };
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

/** @throws {StoreUnavailable} */
export async function readPlaces(redis: RedisClient, tile: number): Promise<Places> {
  const stored = await insist(redis, answerDeadline(), () => redis.get(placesKey(tile)));
  return stored === null ? NO_PLACES : PLACES.parse(JSON.parse(stored));
}

/** The last checkpoint of each day that is still kept, oldest first. @throws {StoreUnavailable} */
export async function readDailyCheckpoints(redis: RedisClient): Promise<StoredCheckpoint[]> {
  const stored = await insist(redis, answerDeadline(), () => redis.hvals(dailyKey));
  return stored.map((text) => CHECKPOINT.parse(JSON.parse(text))).sort((one, other) => one.at - other.at);
}

/** Which entry each leaf is. */
export function placesOf({ stretches }: Places): { ref: string; seq: number }[] {
  return stretches.flatMap(([ref, seq, count]) => Array.from({ length: count }, (_, i) => ({ ref, seq: seq + i })));
}

export function withPlace({ from, until, stretches }: Places, { ref, seq, at }: UnsealedEntry): Places {
  const last = stretches.at(-1);
  const continues = last !== undefined && last[0] === ref && last[1] + last[2] === seq;
  const next: Places['stretches'] = continues
    ? [...stretches.slice(0, -1), [ref, last[1], last[2] + 1]]
    : [...stretches, [ref, seq, 1]];
  return { from: Math.min(from, at), until: Math.max(until, at), stretches: next };
}

export function storedHashes(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.join(''), 'hex');
}

function hashesOf(stored: Buffer): string[] {
  return Array.from({ length: stored.length / HASH_BYTES }, (_, i) =>
    stored.toString('hex', i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}
