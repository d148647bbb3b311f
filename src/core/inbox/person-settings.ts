import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
// How a person wants to be told of what waits for them, their quiet hours and their absences.
import type { Person } from '../approval/approval.ts';
import type { Denial } from '../approval/policy/evaluate.ts';
import type { Millis } from '../time.ts';
import { offsetSpanAt } from '../working-hours.ts';
import type { OpenRequest } from './snapshot.ts';
import type { Snooze } from './snooze.ts';

/** What a person has chosen in the Home tab. */
export interface PersonSettings {
  tell: Tell;
  /** Whether they are mentioned where a run ends that they helped decide. */
  hearsEndings: boolean;
  /** When no direct message arrives; null for never. */
  quiet: QuietHours | null;
  away: Away | null;
  /** What they have put off, and perhaps what they had until lately. */
  snoozed: readonly Snooze[];
}

/** How a person hears of what waits for them. */
type Tell =
  | { kind: 'off' }
  | { kind: 'at-once' }
  /** On the hour. `since` is when that was chosen: the first digest is the first one due later. */
  | { kind: 'hourly'; since: Millis }
  /** `at`: minutes after midnight, in the person's time zone. */
  | { kind: 'daily'; at: number; since: Millis };

/** In the person's time zone, in minutes after midnight; over midnight if `to` <= `from`. */
interface QuietHours {
  from: number;
  to: number;
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
  quiet: null,
  away: null,
  snoozed: [],
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

/** When the quiet hours end in which an instant lies, by the clocks of a time zone; null if it lies in none. */
export function quietUntil(quiet: QuietHours | null, at: Millis, timeZone: string): Millis | null {
  if (quiet === null) return null;
  const { offsetMs, until } = offsetSpanAt(at, timeZone);
  const sinceFrom = withinDay(at + offsetMs - quiet.from * MINUTE_MS);
  const lengthMs = withinDay((quiet.to - quiet.from) * MINUTE_MS) || DAY_MS;
  if (sinceFrom >= lengthMs) return null;
  const end = at + lengthMs - sinceFrom;
  // The clocks may change before, and may skip the end.
  return end <= until ? end : (quietUntil(quiet, until, timeZone) ?? until);
}

function withinDay(ms: number): number {
  return ((ms % DAY_MS) + DAY_MS) % DAY_MS;
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
