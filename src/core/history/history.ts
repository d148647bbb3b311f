import type { Millis } from '../time.ts';
import type { DecidedRequest } from './decided-request.ts';

/**
 * What was decided in the last 31 days, also where the record has expired since. Of more than some
 * 100,000, the oldest are left out.
 */
export interface History {
  /** Oldest first. Throws `StoreUnavailable`. */
  decidedSince(at: Millis): Promise<DecidedRequest[]>;
}
