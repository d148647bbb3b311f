import type { HandOver, Output, Person } from '../approval/approval.ts';
import type { Run } from '../execution/execution.ts';
import type { DecidedRequest } from '../history/decided-request.ts';
import type { EndedRun } from '../history/ended-run.ts';
import type { Inputs } from '../json.ts';
import type { Millis } from '../time.ts';
import type { Judged } from './request-classes.ts';

/** What goes on in all runs at one moment, as the lists of people need it. The same object as long as nothing has changed. */
export interface Snapshot {
  /** By the clock of the store. */
  at: Millis;
  /** The requests that nobody has decided yet, oldest first. */
  requests: readonly OpenRequest[];
  /** The runs in progress, newest first; not those that nobody tracks. */
  runs: readonly OpenRun[];
  /** What was decided within the last seven days, newest first; the newest thousands of them. */
  decisions: readonly PastDecision[];
  /** The runs that ended within the last seven days, newest first; the newest thousands of them. */
  ended: readonly EndedRun[];
}

/** A run in progress. */
export interface OpenRun {
  ref: string;
  crew: string;
  channel: string;
  /** Null if it was started elsewhere. */
  starter: Person | null;
  /** Long values are cut. */
  inputs: Inputs;
  createdAt: Millis;
  status: Run['status'];
  /** Of the first message of its thread; null until it is posted. */
  rootTs: string | null;
  /** Its crew isn't configured at the moment. */
  crewMissing?: true;
}

/** A request for human input that waits for a decision. */
export interface OpenRequest {
  run: OpenRun;
  approvalId: string;
  taskId: string;
  taskName: string | null;
  round: number;
  askedAt: Millis;
  output: Output;
  /** The round whose text this one repeats, if the request may be a repeated notification of it. */
  repeatsRound: number | null;
  isEscalated: boolean;
  handedOver: readonly HandOver[];
  /** The ids of those who have approved, where several have to. */
  voters: readonly string[];
  /** Of its card; null until it is posted. */
  cardTs: string | null;
}

/** A decision as the history keeps it, and what the run's record says about it. */
export interface PastDecision extends DecidedRequest {
  /** Null for a record that has expired, and for all but the newest few hundred decisions. */
  record: DecidedRecord | null;
}

export interface DecidedRecord extends Omit<Judged, 'crew'> {
  cardTs: string | null;
}
