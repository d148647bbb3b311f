import type { OpenRequest, OpenRun, Snapshot } from './snapshot.ts';

/** What goes on in all runs, for the lists that people see. */
export interface Overview {
  /** At most about 1.5 seconds old, or with `now` not older than this call. Throws `StoreUnavailable`. */
  latest(wanted?: 'now'): Promise<Snapshot>;
  /** The open requests alone, as old as those of `latest`: what has ended is neither read nor kept. Throws `StoreUnavailable`. */
  openRequests(): Promise<readonly OpenRequest[]>;
  /** The same of the runs in progress. */
  openRuns(): Promise<readonly OpenRun[]>;
}
