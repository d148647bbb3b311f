import type { Person } from '../approval/approval.ts';
import type { Denial } from '../approval/policy/permits.ts';
import type { OpenRequest } from './snapshot.ts';

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
  /** It was decided meanwhile, or Slack can't tell enough about it. */
  | { kind: 'open' };
