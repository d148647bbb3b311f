import { z } from 'zod';
import type { RecentFeedback } from '../core/ports.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { homeTurnKey, recentFeedbackKey } from './keys.ts';

// Short-lived facts about a person, each under a key that expires: that their Home was just published, and their last feedback.

/** Lets one process publish a person's Home, and none again for `gapMs`. Throws `StoreUnavailable`. */
export function createTakeHomeTurn(redis: RedisClient) {
  return async (personId: string, gapMs: Millis): Promise<boolean> => {
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

/** Keeps the latest feedback of each person for each crew, as long as a run after its end. */
export function createRecentFeedback(redis: RedisClient, { retentionDays }: { retentionDays: number }): RecentFeedback {
  return {
    async add(crew, personId, text) {
      const args = [text, MOST_FEEDBACK, retentionDays * DAY_MS];
      await runScript(redis, ADD_FEEDBACK, { keys: [recentFeedbackKey(crew, personId)], args });
    },
    latest: (crew, personId) =>
      insist(redis, answerDeadline(), () => redis.lrange(recentFeedbackKey(crew, personId), 0, MOST_FEEDBACK - 1)),
  };
}
