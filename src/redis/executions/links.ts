import { z } from 'zod';
import { answerDeadline, type Deadline, insist, type RedisClient, runScript } from '../connection/call.ts';
import { defineScript } from '../connection/script.ts';
import { idKey, recordKeys } from '../keys.ts';
import type { LocalState } from '../local/local-state.ts';
import { liveLikeRecord } from './retention.ts';

const LINK = defineScript(
  'link',
  z.number(),
  `
  -- KEYS: links, record. ARGV: link, milliseconds to wait for the record.
  -- Returns the lifetime of the links in milliseconds (-1 = for ever).
  redis.call('SADD', KEYS[1], ARGV[1])
  ${liveLikeRecord({ key: 'KEYS[1]', record: 'KEYS[2]', waitMs: 'ARGV[2]' })}
  return redis.call('PTTL', KEYS[1])`,
);

// By now the id may belong to another execution, into which this one was merged.
const FOLLOW = defineScript(
  'follow-link',
  z.number(),
  `
  -- KEYS: link. ARGV: ref, milliseconds to live ('' = for ever, 0 = none).
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then return redis.call('PERSIST', KEYS[1]) end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
);

/**
 * Stores which execution an id belongs to, unless this process has done so before. The record lists its links in a set beside it,
 * as they lie in other slots.
 */
export async function linkId(
  redis: RedisClient,
  known: LocalState['links'],
  { crew, id, ref, retentionMs }: { crew: string; id: string; ref: string; retentionMs: number },
): Promise<void> {
  const link = idKey(crew, id);
  if (known.get(link) === ref) return;
  const until = answerDeadline();
  const { links, record } = recordKeys(ref);
  const liveMs = await runScript(redis, LINK, { keys: [links, record], args: [link, retentionMs], until });
  await insist(redis, until, () => (liveMs > 0 ? redis.set(link, ref, 'PX', liveMs) : redis.set(link, ref)));
  known.set(link, ref);
}

export function findById(redis: RedisClient, crew: string, id: string, until: Deadline): Promise<string | null> {
  return insist(redis, until, () => redis.get(idKey(crew, id)));
}

/**
 * Lets links live as long as their execution (`''` = for ever, 0 = not at all). The record has already changed, so a failure
 * here only costs some bytes or an old link, and doesn't fail the change.
 */
export async function followLinks(
  redis: RedisClient,
  links: string[],
  { ref, liveMs, until }: { ref: string; liveMs: number | ''; until: Deadline },
): Promise<void> {
  await Promise.allSettled(links.map((link) => runScript(redis, FOLLOW, { keys: [link], args: [ref, liveMs], until })));
}
