import type { Millis } from '../values/time.ts';

/** Why a request can't be completed by one of its possible rules. */
export interface Shortage {
  /** The place of the rules in the crew's policy. */
  place: string;
  /** The name of the stage that lacks people; null where there is one alone. */
  stage: string | null;
  /** Whether that is the stage which is open. */
  isOpen: boolean;
  /**
   * `nobody`: none of `approvers` can decide. `seat`: none of those of whom `all_of` wants one. `people`: fewer than are needed.
   * `stages`: fewer than it takes of different people for all stages. `escalation`: enough people can decide, but none of those
   * to whom it was escalated.
   */
  lack: 'nobody' | 'seat' | 'people' | 'stages' | 'escalation';
  /** Why none of them can: they aren't active members, have started the run, or have approved already. */
  why: 'inactive' | 'starter' | 'voted';
  /** As the crews file names them. */
  approvers: readonly string[];
  /** How many approvals it takes. */
  needed: number;
  /** The ids of those who can decide. */
  left: readonly string[];
  /** Whether enough people can decide once it is escalated. */
  untilEscalated: boolean;
}

/** That a request can't be completed, as it was found out last. */
export interface Undecidable {
  since: Millis;
  /** At least one. */
  shortages: readonly Shortage[];
  /** None of those who are asked to decide could. */
  isLeftToNobody: boolean;
  /** Whether the operators were told. */
  isReported: boolean;
}
