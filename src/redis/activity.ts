import { z } from 'zod';
import type { Step } from '../core/execution/events.ts';
import type { ActivityLog } from '../core/ports.ts';
import { parseJson } from '../core/values/json.ts';
import { DAY_MS } from '../core/values/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { recordKeys } from './keys.ts';
import { liveLikeRecord } from './stored-record.ts';

export const MOST_STEPS = 200;

const ADD = defineScript(
  'add-step',
  z.number(),
  `
  -- KEYS: activity, record. ARGV: step, milliseconds to wait for the record.
  -- A step that is told again, or stored again after a lost answer, is there already.
  if not redis.call('LPOS', KEYS[1], ARGV[1]) then redis.call('LPUSH', KEYS[1], ARGV[1]) end
  redis.call('LTRIM', KEYS[1], 0, ${MOST_STEPS - 1})
  ${liveLikeRecord({ key: 'KEYS[1]', record: 'KEYS[2]', waitMs: 'ARGV[2]' })}
  return 1`,
);

const STEP: z.ZodType<Step> = z.object({
  at: z.number(),
  agent: z.string().nullable(),
  thought: z.string().nullable(),
  tool: z.string().nullable(),
  toolInput: z.string().nullable(),
  result: z.string().nullable(),
});

/** Keeps the latest steps of each execution, which expire with its record. */
export function createActivityLog(redis: RedisClient, { retentionDays }: { retentionDays: number }): ActivityLog {
  return {
    async add(ref, step) {
      const { activity, record } = recordKeys(ref);
      const args = [JSON.stringify(step), retentionDays * DAY_MS];
      await runScript(redis, ADD, { keys: [activity, record], args });
    },

    async latest(ref, most) {
      if (most <= 0) return [];
      const texts = await insist(redis, answerDeadline(), () => redis.lrange(recordKeys(ref).activity, 0, most - 1));
      // A step that another version wrote in a different shape is left out.
      return texts.flatMap((text) => STEP.safeParse(parseJson(text)).data ?? []);
    },
  };
}
