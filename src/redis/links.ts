import { z } from 'zod';
import { MOST_KICKOFF_IDS } from '../core/execution/limits.ts';
import { answerDeadline, type Deadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { LINK_LENGTH, linkKey, linkOf, recordKeys } from './keys.ts';
import type { LocalState } from './local-state.ts';

// Which execution an id of a crew service belongs to.

/** One run can't fill Redis with ids that its crew makes up. Twice what its record names, as requests have execution ids, too. */
const MOST_LINKS = 2 * MOST_KICKOFF_IDS;

const LINK = defineScript(
  'link',
  z.number().nullable(),
  `
  -- KEYS: record. ARGV: link, milliseconds to wait for the record, most links in characters.
  -- Returns the lifetime of the record in milliseconds (-1 = for ever); null if it has as many links as it may.
  local isFirst = redis.call('EXISTS', KEYS[1]) == 0
  local links = redis.call('HGET', KEYS[1], 'links') or ''
  if not string.find(links, ARGV[1], 1, true) then
    if #links >= tonumber(ARGV[3]) then return false end
    redis.call('HSET', KEYS[1], 'links', links .. ARGV[1])
  end
  if isFirst then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
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
 * Stores which execution an id belongs to, unless this process has done so before or the execution has too many ids. The record
 * lists its links, as they lie in other slots.
 */
export async function linkId(
  redis: RedisClient,
  known: LocalState['links'],
  { crew, id, ref, retentionMs }: { crew: string; id: string; ref: string; retentionMs: number },
): Promise<void> {
  const link = linkOf(crew, id);
  const owner = linkOf(crew, ref);
  if (known.get(link) === owner) return;
  const until = answerDeadline();
  const key = linkKey(link);
  const args = [link, retentionMs, MOST_LINKS * LINK_LENGTH];
  const liveMs = await runScript(redis, LINK, { keys: [recordKeys(ref).record], args, until });
  if (liveMs === null) return;
  await insist(redis, until, () => (liveMs > 0 ? redis.set(key, ref, 'PX', liveMs) : redis.set(key, ref)));
  known.set(link, owner);
}

export function findById(redis: RedisClient, crew: string, id: string, until: Deadline): Promise<string | null> {
  return insist(redis, until, () => redis.get(linkKey(linkOf(crew, id))));
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
  const follow = (link: string) => runScript(redis, FOLLOW, { keys: [linkKey(link)], args: [ref, liveMs], until });
  await Promise.allSettled(links.map(follow));
}
