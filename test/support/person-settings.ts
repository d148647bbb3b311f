import { type PersonSettings, type PersonSettingsStore, USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { createPersonSettings } from '../../src/redis/person-settings.ts';
import { silent } from '../crew/crew-values.ts';

/** What some people have chosen; everybody else has the usual settings. */
export function chosen(
  people: Record<string, Partial<PersonSettings>> = {},
): Pick<PersonSettingsStore, 'find' | 'all'> {
  const whole = (each: Partial<PersonSettings> = {}): PersonSettings => ({ ...USUAL_SETTINGS, ...each });
  return {
    find: async (id) => whole(people[id]),
    all: async () => new Map(Object.entries(people).map(([id, each]) => [id, whole(each)])),
  };
}

/** Stores what some people have chosen, as the Home tab does. */
export async function storeSettings(redisUrl: string, people: Record<string, PersonSettings>): Promise<void> {
  const redis = connectRedis(redisUrl, { onTrouble: () => {} });
  const store = createPersonSettings(redis, { log: silent });
  for (const [id, settings] of Object.entries(people)) await store.change(id, () => settings);
  await closeRedis(redis);
}
