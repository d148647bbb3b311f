import type { Logger } from 'pino';
import { z } from 'zod';
import { type PersonSettings, type PersonSettingsStore, USUAL_SETTINGS } from '../core/inbox/person-settings.ts';
import { parseJson } from '../core/values/json.ts';
import type { Millis } from '../core/values/time.ts';
import { answerDeadline, defineScript, insist, NOW, type RedisClient, runScript } from './call.ts';
import { personSettingsKey } from './keys.ts';

// The settings that people make for themselves in Slack: direct messages (`tell`), notices of endings, and absences.

const instant = z.number().int().nonnegative();

/** Earlier builds also stored `hourly` and `daily` for digests that no longer exist. They now mean `at-once`. */
const TELL = z.codec(
  z.object({ kind: z.enum(['off', 'at-once', 'hourly', 'daily']) }),
  z.object({ kind: z.enum(['off', 'at-once']) }),
  {
    decode: ({ kind }): PersonSettings['tell'] => ({ kind: kind === 'off' ? 'off' : 'at-once' }),
    encode: (tell) => tell,
  },
);

/** Settings of a person as JSON. Reading drops fields of earlier builds: quiet hours, and snoozed requests. */
const SETTINGS = z.object({
  tell: TELL,
  hearsEndings: z.boolean(),
  away: z
    .object({
      until: instant,
      standIn: z.object({ id: z.string().min(1), name: z.string() }).nullable(),
      since: instant,
    })
    .nullable(),
});

const writeSettings = (settings: PersonSettings) => JSON.stringify(z.encode(SETTINGS, settings));

const USUAL = writeSettings(USUAL_SETTINGS);

/** Another process sees a change of settings at most this much later. */
const CACHE_MS = 3_000;

const READ = defineScript(
  'read-person-settings',
  z.tuple([z.string(), z.number()]),
  `
  -- KEYS: settings. ARGV: person. Returns the stored settings ('' = none), and the time in milliseconds.
  ${NOW}
  return { redis.call('HGET', KEYS[1], ARGV[1]) or '', now }`,
);

const REPLACE = defineScript(
  'replace-person-settings',
  z.number(),
  `
  -- KEYS: settings. ARGV: person, stored settings ('' = none), new settings ('' = none).
  -- A script that runs again after a broken connection finds its own settings.
  local stored = redis.call('HGET', KEYS[1], ARGV[1]) or ''
  if stored == ARGV[3] then return 1 end
  if stored ~= ARGV[2] then return 0 end
  if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
  else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
  return 1`,
);

/** Stores settings in one hash, with a field for each person whose settings aren't the usual ones. */
export function createPersonSettings(
  redis: RedisClient,
  { log, now = () => performance.now() }: { log: Logger; now?: () => Millis },
): PersonSettingsStore {
  let cached: { settings: Promise<ReadonlyMap<string, PersonSettings>>; askedAt: Millis } | null = null;

  async function fetchAll(): Promise<ReadonlyMap<string, PersonSettings>> {
    const stored = await insist(redis, answerDeadline(), () => redis.hgetall(personSettingsKey));
    return new Map(Object.entries(stored).map(([personId, text]) => [personId, read(personId, text)]));
  }

  function read(personId: string, text: string): PersonSettings {
    if (text === '') return USUAL_SETTINGS;
    const { data } = SETTINGS.safeParse(parseJson(text));
    if (!data) log.warn({ personId }, 'the settings of a person can’t be read: the usual ones count');
    return data ?? USUAL_SETTINGS;
  }

  function all(): Promise<ReadonlyMap<string, PersonSettings>> {
    if (cached && now() - cached.askedAt < CACHE_MS) return cached.settings;
    const fetched = { settings: fetchAll(), askedAt: now() };
    cached = fetched;
    // A failure is never kept.
    fetched.settings.catch(() => {
      if (cached === fetched) cached = null;
    });
    return fetched.settings;
  }

  return {
    all,
    find: async (personId) => (await all()).get(personId) ?? USUAL_SETTINGS,
    async change(personId, change) {
      const keys = [personSettingsKey];
      for (;;) {
        const [text, at] = await runScript(redis, READ, { keys, args: [personId] });
        const settings = change(read(personId, text), at);
        const written = writeSettings(settings);
        const args = [personId, text, written === USUAL ? '' : written];
        const isStored = await runScript(redis, REPLACE, { keys, args });
        cached = null;
        if (isStored) return settings;
      }
    },
  };
}
