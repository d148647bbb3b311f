import type { EndedRun } from '../history/ended-run.ts';
import type { Millis } from '../time.ts';
import type { OpenRequest, OpenRun, PastDecision } from './snapshot.ts';

/** What concerns one person. */
export interface PersonalInbox {
  at: Millis;
  /**
   * What the person may decide now and hasn't voted for, oldest first, with the rule that permits it. Also what lacks only a
   * token of their own.
   */
  waiting: readonly WaitingRequest[];
  /** Requests of runs that they started, or that they voted for, which others have to decide, oldest first. */
  waitingForOthers: readonly OpenRequest[];
  /** Their runs, newest first: in progress, then those that ended lately. */
  runs: readonly OwnRun[];
  /** Decided by them, on their runs, or by others where they could have decided; newest first, at most 100. */
  decided: readonly PastDecision[];
  /** How many requests can't be judged, since Slack can't tell who is in a group or channel. */
  unsure: number;
}

export interface WaitingRequest {
  request: OpenRequest;
  rule: string;
}

export type OwnRun = { kind: 'open'; run: OpenRun } | { kind: 'ended'; ended: EndedRun };

export const EMPTY_INBOX: Omit<PersonalInbox, 'at'> = {
  waiting: [],
  waitingForOthers: [],
  runs: [],
  decided: [],
  unsure: 0,
};
