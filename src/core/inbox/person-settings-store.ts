import type { Millis } from '../time.ts';
import type { PersonSettings } from './person-settings.ts';

/** What people have chosen in the Home tab. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface PersonSettingsStore {
  /** At most a few seconds old, but what this process has stored is there at once. */
  find(personId: string): Promise<PersonSettings>;
  /** The settings of all who have any, by their id; as old as those of `find`. */
  all(): Promise<ReadonlyMap<string, PersonSettings>>;
  /** Changes them under compare-and-set, again if another process was faster; returns what is stored. */
  change(personId: string, change: (settings: PersonSettings, now: Millis) => PersonSettings): Promise<PersonSettings>;
}
