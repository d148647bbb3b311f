import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { DigestClaims } from '../core/inbox/digest.ts';
import { answerDeadline, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { digestKey } from './keys.ts';

/** Longer than a digest can be late, and a day be. */
const KEEP_MS = 3 * 86_400_000;

const CLAIM = defineScript(
  'claim-digest',
  z.number(),
  `
  -- KEYS: last digest of a person. ARGV: due time, key, claim, milliseconds to keep it.
  -- The due time of the last one also stops a process that knows older settings.
  local new = ARGV[1] .. ' ' .. ARGV[3] .. ' ' .. ARGV[2]
  local last = redis.call('GET', KEYS[1])
  if last then
    if last == new then return 1 end
    local at, key = string.match(last, '^(%d+) %S+ (.*)$')
    if key == ARGV[2] or (at and tonumber(at) >= tonumber(ARGV[1])) then return 0 end
  end
  redis.call('SET', KEYS[1], new, 'PX', ARGV[4])
  return 1`,
);

/** One key for each person who gets digests, which expires. */
export function createDigestClaims(redis: RedisClient): DigestClaims {
  return {
    async claim(personId, { at, key }) {
      // A script that runs again after a broken connection finds its own claim.
      const args = [at, key, randomUUID(), KEEP_MS];
      return (await runScript(redis, CLAIM, { keys: [digestKey(personId)], args, until: answerDeadline() })) === 1;
    },
  };
}
