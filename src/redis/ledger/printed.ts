import { z } from 'zod';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from '../call.ts';
import { treeKey } from '../keys.ts';
import { type StoredCheckpoint, storedCheckpoint } from './tree.ts';

const MOVE = defineScript(
  'move-printed',
  z.number(),
  `
  -- KEYS: tree. ARGV: how many entries were printed, how many are now. Returns 0 if another process has printed since.
  if (redis.call('HGET', KEYS[1], 'printed') or '0') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'printed', ARGV[2])
  return 1`,
);

/** From now on, what gets sealed is to be printed, unless that was so before. @throws {StoreUnavailable} */
export async function beginPrinting(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const size = await insist(redis, until, () => redis.hget(treeKey, 'size'));
  await insist(redis, until, () => redis.hsetnx(treeKey, 'printed', size ?? 0));
}

/** How many sealed entries have been printed, how many there are, and their checkpoint. @throws {StoreUnavailable} */
export async function readPrinted(
  redis: RedisClient,
): Promise<{ printed: number; size: number; checkpoint: StoredCheckpoint | null }> {
  const [printed, size, at, note] = await insist(redis, answerDeadline(), () =>
    redis.hmget(treeKey, 'printed', 'size', 'at', 'note'),
  );
  return { printed: Number(printed ?? 0), size: Number(size ?? 0), checkpoint: storedCheckpoint(at, note) };
}

/** Resolves to false if another process has printed them, too, and was faster. @throws {StoreUnavailable} */
export async function movePrinted(redis: RedisClient, { from, to }: { from: number; to: number }): Promise<boolean> {
  return (await runScript(redis, MOVE, { keys: [treeKey], args: [from, to], until: answerDeadline() })) === 1;
}
