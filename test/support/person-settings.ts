import { type PersonSettings, USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import type { PersonSettingsStore } from '../../src/core/inbox/person-settings-store.ts';

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
