import { z } from 'zod';
import type { RecentFeedback } from '../core/ports.ts';
import { answerDeadline, insist, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { daysInMs } from './executions/retention.ts';
import { recentFeedbackKey } from './keys.ts';

const MOST = 3;

const ADD = defineScript(
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
      const args = [text, MOST, daysInMs(retentionDays)];
      await runScript(redis, ADD, { keys: [recentFeedbackKey(crew, personId)], args, until: answerDeadline() });
    },
    latest: (crew, personId) =>
      insist(redis, answerDeadline(), () => redis.lrange(recentFeedbackKey(crew, personId), 0, MOST - 1)),
  };
}
