// Events that a deployed service streams about a run. After a resume the stream continues under ids that we can't know beforehand, while
// the resume's addresses report the same tasks and steps. So from the first resume on, the stream only proves that the run is alive,
// or that its status is worth a poll.

import { type Execution, hasEnded } from '../state/execution.ts';
import type { Output } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import type { EventIds, TaskCompletion } from './events.ts';
import { endRun, recordCompletion, recordEvidence, recordStep, recordTask, revive } from './run.ts';

/** The hop of the kickoff, to which the stream belongs. */
const HOP = 0;

/** Returns true once the addresses of a resume report tasks and steps. */
export function hasResumed({ hop }: Execution): boolean {
  return hop > HOP;
}

/** Records that something happened in the run. Until a request is answered, the id is the kickoff's. */
export function noteAlive(execution: Execution, executionId: string | null, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  return recordEvidence(revive(execution, now), idsOf(execution, executionId), now);
}

export function noteTask(
  execution: Execution,
  { executionId, ...task }: Omit<TaskCompletion, keyof EventIds> & { executionId: string | null },
  now: Millis,
): Execution {
  if (hasResumed(execution)) return noteAlive(execution, executionId, now);
  return recordTask(execution, { ...task, ...idsOf(execution, executionId) }, now);
}

export function noteStep(execution: Execution, executionId: string | null, now: Millis): Execution {
  if (hasResumed(execution)) return noteAlive(execution, executionId, now);
  return recordStep(execution, idsOf(execution, executionId), now);
}

export type StreamedEnd = { kind: 'completed'; result: Output | null } | { kind: 'failed'; error: string };

/** Records an end. After a request, perhaps only the part before its answer has ended, so the status has to confirm it. */
export function noteEnd(
  execution: Execution,
  { executionId, ...end }: StreamedEnd & { executionId: string | null },
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const alive = noteAlive(execution, executionId, now);
  if (execution.requests.length > 0) return pollNow(alive, now);
  switch (end.kind) {
    case 'failed':
      return endRun(alive, { status: 'failed', error: end.error, endedAt: now }, now);
    case 'completed':
      // The status has the result as well.
      if (end.result === null) return pollNow(alive, now);
      return recordCompletion(alive, { ...idsOf(alive, executionId), result: end.result }, now);
  }
}

function idsOf({ kickoffIds }: Execution, executionId: string | null): EventIds {
  const isKickoffs = executionId !== null && (kickoffIds.length === 0 || kickoffIds.includes(executionId));
  return { hop: HOP, kickoffId: isKickoffs ? executionId : null };
}

function pollNow(execution: Execution, now: Millis): Execution {
  const { poll } = execution;
  return poll.nextAt === null ? execution : { ...execution, poll: { ...poll, nextAt: now, count: 0 } };
}
