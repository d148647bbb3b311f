// Settings of a person in the Home tab, and their absences.

import type { Denial } from '../policy/permits.ts';
import type { Person } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import type { OpenRequest } from './snapshot.ts';

export interface PersonSettings {
  /** The setting whether requests that wait for the person come as direct messages. */
  tell: { kind: 'off' | 'at-once' };
  /** True to mention the person at the end of a run that they helped decide. */
  hearsEndings: boolean;
  away: Away | null;
}

/** An absence, over at `until`. */
export interface Away {
  until: Millis;
  /** Null if nobody stands in. */
  standIn: Person | null;
  /** Time at which the absence was set. */
  since: Millis;
}

export const USUAL_SETTINGS: PersonSettings = {
  tell: { kind: 'off' },
  hearsEndings: false,
  away: null,
};

/** The settings of all people. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface PersonSettingsStore {
  /** Returns settings that are at most a few seconds old; changes of this process are visible at once. */
  find(personId: string): Promise<PersonSettings>;
  /** Returns the settings of everyone who has any, by person id; as old as those of `find`. */
  all(): Promise<ReadonlyMap<string, PersonSettings>>;
  /** Changes settings by compare-and-set, and tries again if another process was faster. Returns the stored settings. */
  change(personId: string, change: (settings: PersonSettings, now: Millis) => PersonSettings): Promise<PersonSettings>;
}

/** Returns true if the person gets direct messages at once; never while they are away. */
export function notifiesAtOnce({ tell, away }: PersonSettings, now: Millis): boolean {
  return tell.kind === 'at-once' && (away === null || away.until <= now);
}

export interface Absences {
  /**
   * Hands the requests that wait for an absent person over to their stand-in, and takes back those that no longer belong there.
   * Repeating it changes nothing. Throws `StoreUnavailable`.
   */
  apply(personId: string): Promise<AbsenceReport>;
}

/** The state of each request of a person. */
export interface AbsenceReport {
  /** Null if the person isn't away, or nobody stands in. */
  standIn: Person | null;
  items: readonly { request: OpenRequest; outcome: AbsenceOutcome }[];
}

export type AbsenceOutcome =
  | { kind: 'handed-over' }
  /** The stand-in may decide it anyway. */
  | { kind: 'anyway' }
  /** The person may decide it only because somebody handed it to them, so they can't pass it on. */
  | { kind: 'not-passed-on' }
  | { kind: 'refused'; denial: Denial }
  /** The policy lets nobody hand anything over. */
  | { kind: 'not-allowed' }
  /** The request was decided in the meantime, or Slack can't tell enough about it. */
  | { kind: 'open' };
