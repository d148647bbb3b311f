import { outcomeOf, type RequestOutcome } from '../state/events.ts';
import { type Execution, starterOf } from '../state/execution.ts';
import type { HumanRequest, Question } from '../state/request.ts';
import type { Millis } from '../values/time.ts';

// Signoff remembers decided requests and ended runs for a while, even after their records expire. Home lists them.

/** A request that people or time have decided. */
export interface DecidedRequest
  extends RequestOutcome,
    Pick<Execution, 'ref' | 'crew'>,
    Pick<Question, 'round' | 'askedAt'> {
  approvalId: string;
  /** The task's name, cut short, or else its id. */
  task: string;
}

/**
 * Returns the decided requests of a run. A decision counts from the moment it was made, also if the crew never takes it or the run
 * ends before that. A decision that was undone doesn't count.
 */
export function decidedIn({ ref, crew, requests }: Execution): DecidedRequest[] {
  return requests.flatMap((request) => {
    const { id: approvalId } = request;
    const { taskName, taskId, round, askedAt } = request.question;
    const outcome = outcomeOf(request);
    return outcome ? [{ ref, approvalId, crew, task: taskName ?? taskId, round, askedAt, ...outcome }] : [];
  });
}

/** Returns true if people decided the request, false if time did. */
export function isByPeople({ by }: Pick<RequestOutcome, 'by'>): boolean {
  return by.length > 0;
}

/**
 * Returns how many rounds the task of a request has taken since the run started or the task was last approved, this round included.
 * A task that was approved may be asked about again, which isn't another round of the same text.
 */
export function roundsOf({ requests }: Execution, { question: { taskId, round } }: HumanRequest): number {
  const approved = requests.findLast(
    (each) => each.question.taskId === taskId && each.question.round < round && outcomeOf(each)?.outcome === 'approve',
  );
  return round - (approved?.question.round ?? 0);
}

/** A run that has ended. */
export interface EndedRun {
  ref: string;
  /** The id of the person who started it; null for one that was started elsewhere. */
  startedBy: string | null;
  endedAt: Millis;
}

/** Returns null while the run may still do something, as far as we know. A lost run counts as ended until it proves to be alive. */
export function endedRunOf(execution: Execution): EndedRun | null {
  const { ref, run } = execution;
  const startedBy = starterOf(execution)?.id ?? null;
  if (run.status === 'lost') return { ref, startedBy, endedAt: run.lostAt };
  return 'endedAt' in run ? { ref, startedBy, endedAt: run.endedAt } : null;
}
