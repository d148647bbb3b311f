// How a person wants to be told of what waits for them, and their absences.

import type { Denial } from '../policy/evaluate.ts';
import type { Person } from '../state/approval.ts';
import type { Millis } from '../values/time.ts';
import type { OpenRequest } from './snapshot.ts';

/** What a person has chosen in the Home tab. */
export interface PersonSettings {
  /** Whether they hear by direct message of what waits for them. */
  tell: { kind: 'off' | 'at-once' };
  /** Whether they are mentioned where a run ends that they helped decide. */
  hearsEndings: boolean;
  away: Away | null;
}

/** An absence, over at `until`. */
export interface Away {
  until: Millis;
  /** Who decides meanwhile; null for nobody in particular. */
  standIn: Person | null;
  /** When it was set. */
  since: Millis;
}

export const USUAL_SETTINGS: PersonSettings = {
  tell: { kind: 'off' },
  hearsEndings: false,
  away: null,
};

/** What people have chosen in the Home tab. Every method throws `StoreUnavailable` if the store gives no answer. */
export interface PersonSettingsStore {
  /** At most a few seconds old, but what this process has stored is there at once. */
  find(personId: string): Promise<PersonSettings>;
  /** The settings of all who have any, by their id; as old as those of `find`. */
  all(): Promise<ReadonlyMap<string, PersonSettings>>;
  /** Changes them under compare-and-set, again if another process was faster; returns what is stored. */
  change(personId: string, change: (settings: PersonSettings, now: Millis) => PersonSettings): Promise<PersonSettings>;
}

/** Whether a person is told by direct message as soon as something waits for them. Nobody is while they are away. */
export function isToldAtOnce({ tell, away }: PersonSettings, now: Millis): boolean {
  return tell.kind === 'at-once' && (away === null || away.until <= now);
}

export interface Absences {
  /**
   * Hands over what waits for a person who is away to their stand-in, and takes back what doesn't belong there any more. Doing so
   * again changes nothing. Throws `StoreUnavailable`.
   */
  apply(personId: string): Promise<AbsenceReport>;
}

/** What became of what waits for a person. */
export interface AbsenceReport {
  /** Null if they aren't away, or nobody stands in. */
  standIn: Person | null;
  items: readonly { request: OpenRequest; outcome: AbsenceOutcome }[];
}

export type AbsenceOutcome =
  | { kind: 'handed-over' }
  /** The stand-in may decide it without that. */
  | { kind: 'anyway' }
  /** The person may decide it only because it was handed over to them. */
  | { kind: 'not-passed-on' }
  | { kind: 'refused'; denial: Denial }
  /** The policy lets nobody hand anything over. */
  | { kind: 'not-allowed' }
  /** It was decided meanwhile, or Slack can't tell enough about it. */
  | { kind: 'open' };
