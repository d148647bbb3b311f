// What is remembered of requests that were decided and of runs that have ended, also where the record has expired since.

import { type Approval, allVotes, type Decision, type Verdict } from '../state/approval.ts';
import { type Execution, starterOf } from '../state/execution.ts';
import type { Millis } from '../values/time.ts';

/** A request that people or time have decided, as it is remembered when its record has expired. */
export interface DecidedRequest extends Pick<Execution, 'ref' | 'crew'>, Pick<Approval, 'round' | 'askedAt'> {
  approvalId: string;
  /** Its name, cut short, or else its id. */
  task: string;
  /** How it ended: what the crew was to be told, or nothing, because nobody decided in time. */
  outcome: Verdict | 'closed';
  /** The ids of the people whose verdict it was, the one who completed it last; nobody if time decided. */
  by: readonly string[];
  decidedAt: Millis;
}

/**
 * The decided requests of a run. A decision counts from the moment it was made, also if the crew never takes it or the run
 * ends before that; one that is undone is none.
 */
export function decidedIn(execution: Execution): DecidedRequest[] {
  return execution.approvals.flatMap((approval) => {
    const decided = decidedOf(execution, approval);
    return decided ? [decided] : [];
  });
}

/** Whether its decision can't be undone any more. */
export function isFinal(approval: Approval): boolean {
  return approval.status !== 'decided' || approval.undoUntil === null;
}

/** Whether people decided the request. Otherwise time did. */
export function isByPeople({ by }: DecidedRequest): boolean {
  return by.length > 0;
}

/** Null while it waits, and for one that became void while it did. */
export function decidedOf({ ref, crew }: Execution, approval: Approval): DecidedRequest | null {
  const ended = outcomeOf(approval);
  if (!ended) return null;
  const { id: approvalId, taskName, taskId, round, askedAt } = approval;
  return { ref, approvalId, crew, task: taskName ?? taskId, round, askedAt, ...ended };
}

function outcomeOf(approval: Approval): Pick<DecidedRequest, 'outcome' | 'by' | 'decidedAt'> | null {
  if (approval.status === 'pending') return null;
  if (approval.status === 'expired') return { outcome: 'closed', by: [], decidedAt: approval.expiredAt };
  const { decision } = approval;
  return decision && { outcome: decision.verdict, by: decidersOf(approval, decision), decidedAt: decision.at };
}

/** One rejection, or a decline, decides by itself, against all votes. */
function decidersOf(approval: Approval, { verdict, by }: Decision): string[] {
  if (!by) return [];
  const voters = verdict === 'approve' ? allVotes(approval).map((vote) => vote.by.id) : [];
  return [...voters.filter((id) => id !== by.id), by.id];
}

/**
 * How many rounds the task of a request has taken since the run started or the task was last approved, this round included. A task
 * that was approved may be asked about again, which isn't another round of the same text.
 */
export function roundsOf({ approvals }: Execution, { taskId, round }: Approval): number {
  const approved = approvals.findLast(
    (each) => each.taskId === taskId && each.round < round && outcomeOf(each)?.outcome === 'approve',
  );
  return round - (approved?.round ?? 0);
}

/** A run that has ended, as it is remembered when its record has expired. */
export interface EndedRun {
  ref: string;
  /** The id of the person who started it; null for one that was started elsewhere. */
  startedBy: string | null;
  endedAt: Millis;
}

/**
 * Null while it may still do something, as far as we know. One that is lost, or was never started, has ended, until it proves
 * to be alive.
 */
export function endedRunOf(execution: Execution): EndedRun | null {
  const endedAt = endOf(execution);
  return endedAt === null ? null : { ref: execution.ref, startedBy: starterOf(execution)?.id ?? null, endedAt };
}

function endOf({ run }: Execution): Millis | null {
  if (run.status === 'lost') return run.lostAt;
  return 'endedAt' in run ? run.endedAt : null;
}
