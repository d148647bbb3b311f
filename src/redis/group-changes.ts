import { z } from 'zod';
import type { GroupChanges } from '../core/ports.ts';
import { parseJson } from '../core/values/json.ts';
import type { GroupChange } from '../core/values/user-groups.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { groupChangesKey } from './keys.ts';

/** No process continues from an older position. */
const KEPT_MS = 10 * 60_000;
/** Approximate: a synchronised directory changes hundreds of groups within minutes. */
const MOST_CHANGES = 300;

const ADD = defineScript(
  'add-group-change',
  z.number(),
  `
  -- KEYS: changes. ARGV: change, about how many are kept, milliseconds to keep them.
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'change', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`,
);

const CHANGE: z.ZodType<GroupChange> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('group'),
    group: z.object({
      id: z.string(),
      handle: z.string(),
      isDisabled: z.boolean(),
      updatedAt: z.number(),
      members: z.array(z.string()).nullable(),
    }),
  }),
  z.object({ kind: z.literal('members'), groupId: z.string(), updatedAt: z.number() }),
]);

const ENTRIES = z.array(z.tuple([z.string(), z.array(z.string())]));

/** The position before all entries. */
const START = '0-0';

/** Keeps changes in one stream, which each process reads on: Slack reports each change to one process only. */
export function createGroupChanges(redis: RedisClient): GroupChanges {
  const ask = async (question: () => Promise<unknown>) =>
    ENTRIES.parse((await insist(redis, answerDeadline(), question)) ?? []);
  return {
    async add(change) {
      const args = [JSON.stringify(change), MOST_CHANGES, KEPT_MS];
      await runScript(redis, ADD, { keys: [groupChangesKey], args });
    },
    async latest() {
      const [last] = await ask(() => redis.xrevrange(groupChangesKey, '+', '-', 'COUNT', 1));
      return last?.[0] ?? START;
    },
    async after(position) {
      const entries = await ask(async () => {
        const [stream] = (await redis.xread('STREAMS', groupChangesKey, position)) ?? [];
        return stream?.[1];
      });
      return {
        changes: entries.map(([, [, text = '']]) => CHANGE.parse(parseJson(text))),
        position: entries.at(-1)?.[0] ?? position,
      };
    },
  };
}
