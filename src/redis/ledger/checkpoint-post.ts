import { z } from 'zod';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from '../call.ts';
import { treeKey } from '../keys.ts';
import { dayOf } from './sealing.ts';
import { type StoredCheckpoint, storedCheckpoint } from './tree.ts';

const CLAIM = defineScript(
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

/** The latest checkpoint, if this process is the one to post it now. @throws {StoreUnavailable} */
export async function claimPost(redis: RedisClient, now: Millis): Promise<StoredCheckpoint | null> {
  const call = { keys: [treeKey], args: [dayOf(now), now, now + POST_MS], until: answerDeadline() };
  const [at, note] = (await runScript(redis, CLAIM, call)) ?? [];
  return storedCheckpoint(at, note);
}

/** There is no other post on this day, and none of the same checkpoint. @throws {StoreUnavailable} */
export async function keepPosted(redis: RedisClient, { note }: StoredCheckpoint, now: Millis): Promise<void> {
  const fields = { posted: dayOf(now), 'note-posted': note, posting: 0 };
  await insist(redis, answerDeadline(), () => redis.hset(treeKey, fields));
}

/** Any process may try again. @throws {StoreUnavailable} */
export async function releasePost(redis: RedisClient): Promise<void> {
  await insist(redis, answerDeadline(), () => redis.hset(treeKey, 'posting', 0));
}
