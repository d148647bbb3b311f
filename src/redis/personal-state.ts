import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { DigestClaims } from '../core/inbox/digest.ts';
import type { RecentFeedback } from '../core/ports.ts';
import { daysInMs, type Millis } from '../core/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { digestKey, homeTurnKey, recentFeedbackKey } from './keys.ts';

// What is remembered of a person for a while, each in keys of their own that expire: the digest that they got last, that their Home has
// just been published, and the feedback that they gave last.

/** Longer than a digest can be late, and a day be. */
const DIGEST_KEPT_MS = 3 * 86_400_000;

const CLAIM_DIGEST = defineScript(
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
      const args = [at, key, randomUUID(), DIGEST_KEPT_MS];
      return (
        (await runScript(redis, CLAIM_DIGEST, { keys: [digestKey(personId)], args, until: answerDeadline() })) === 1
      );
    },
  };
}

/** Whether a person's Home may be published now, which no process then does again for `gapMs`. Throws `StoreUnavailable`. */
export type TakeHomeTurn = (personId: string, gapMs: Millis) => Promise<boolean>;

export function createTakeHomeTurn(redis: RedisClient): TakeHomeTurn {
  return async (personId, gapMs) => {
    const take = () => redis.set(homeTurnKey(personId), '', 'PX', gapMs, 'NX');
    return (await insist(redis, answerDeadline(), take)) !== null;
  };
}

const MOST_FEEDBACK = 3;

const ADD_FEEDBACK = defineScript(
  'add-recent-feedback',
  z.number(),
  `
  -- KEYS: texts of a person for a crew, newest first. ARGV: text, how many are kept, milliseconds to keep them.
  redis.call('LREM', KEYS[1], 0, ARGV[1])
  redis.call('LPUSH', KEYS[1], ARGV[1])
  redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`,
);

/** The latest feedback that each person has sent to each crew, kept for as long as a run is after its end. */
export function createRecentFeedback(redis: RedisClient, { retentionDays }: { retentionDays: number }): RecentFeedback {
  return {
    async add(crew, personId, text) {
      const args = [text, MOST_FEEDBACK, daysInMs(retentionDays)];
      await runScript(redis, ADD_FEEDBACK, {
        keys: [recentFeedbackKey(crew, personId)],
        args,
        until: answerDeadline(),
      });
    },
    latest: (crew, personId) =>
      insist(redis, answerDeadline(), () => redis.lrange(recentFeedbackKey(crew, personId), 0, MOST_FEEDBACK - 1)),
  };
}
