import type { Millis } from '../time.ts';
import type { DecidedRequest } from './decided-request.ts';
import type { EndedRun } from './ended-run.ts';

/** What was decided and what has ended in the last 31 days, also where the record has expired since. */
export interface History {
  /** Oldest first. Throws `StoreUnavailable`. */
  decidedSince(at: Millis): Promise<DecidedRequest[]>;
  /** Oldest first. Throws `StoreUnavailable`. */
  endedSince(at: Millis): Promise<EndedRun[]>;
}
