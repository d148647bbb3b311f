import type { Millis } from '../values/time.ts';

/** Reason why a request can't be completed under one of its possible rules. */
export interface Shortage {
  /** The place of the rules in the crew's policy. */
  place: string;
  /** The name of the stage that lacks people; null where there is one alone. */
  stage: string | null;
  /** True if that stage is the open one. */
  isOpen: boolean;
  /**
   * `nobody`: none of `approvers` can decide. `seat`: nobody can take the place of one entry of `all_of`. `people`: fewer people can
   * decide than are needed. `stages`: too few different people for all stages together. `escalation`: enough people can decide, but
   * none of those to whom the request was escalated.
   */
  lack: 'nobody' | 'seat' | 'people' | 'stages' | 'escalation';
  /** Reason why they can't: they aren't active members, started the run, or have approved already. */
  why: 'inactive' | 'starter' | 'voted';
  /** Approvers as the crews file names them. */
  approvers: readonly string[];
  /** Number of approvals needed. */
  needed: number;
  /** Ids of the people who can decide. */
  left: readonly string[];
  /** True if enough people can decide once the request is escalated. */
  untilEscalated: boolean;
}

/** The last finding that a request can't be completed. */
export interface Undecidable {
  since: Millis;
  /** The list has one entry or more. */
  shortages: readonly Shortage[];
  /** True if none of the people who are asked can decide. */
  isLeftToNobody: boolean;
  /** True once the operators were notified. */
  isReported: boolean;
}
