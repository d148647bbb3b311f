// What a service streams of a run: deployed ones do, if the kickoff asks for it. The stream goes on when a decision resumes the run,
// under ids that nothing tells beforehand, and beside the addresses that the resume gives, which tell of tasks and steps, too. So
// from the first resume on it proves only that the run is alive, or that its status is worth asking for.

import type { Output } from '../state/approval.ts';
import { type Execution, hasEnded } from '../state/execution.ts';
import type { Millis } from '../values/time.ts';
import type { EventIds, TaskCompletion } from './events.ts';
import { endRun, recordCompletion, recordEvidence, recordStep, recordTask, revive } from './run.ts';

/** The stream is given once, at kickoff. */
const HOP = 0;

/** Whether the addresses of a resume tell of its tasks and steps by now. */
export function isToldByAddresses({ hop }: Execution): boolean {
  return hop > HOP;
}

/** Something happened in the run. The id is that of the kickoff until a request is answered, wherever that is. */
export function noteAlive(execution: Execution, executionId: string | null, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  return recordEvidence(revive(execution, now), idsOf(execution, executionId), now);
}

export function noteTask(
  execution: Execution,
  { executionId, ...task }: Omit<TaskCompletion, keyof EventIds> & { executionId: string | null },
  now: Millis,
): Execution {
  if (isToldByAddresses(execution)) return noteAlive(execution, executionId, now);
  return recordTask(execution, { ...task, ...idsOf(execution, executionId) }, now);
}

export function noteStep(execution: Execution, executionId: string | null, now: Millis): Execution {
  if (isToldByAddresses(execution)) return noteAlive(execution, executionId, now);
  return recordStep(execution, idsOf(execution, executionId), now);
}

export type StreamedEnd = { kind: 'completed'; result: Output | null } | { kind: 'failed'; error: string };

/** Once somebody was asked, it may be only the part before the answer that has ended, so the status has to say so, too. */
export function noteEnd(
  execution: Execution,
  { executionId, ...end }: StreamedEnd & { executionId: string | null },
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const alive = noteAlive(execution, executionId, now);
  if (execution.approvals.length > 0) return pollNow(alive, now);
  switch (end.kind) {
    case 'failed':
      return endRun(alive, { status: 'failed', error: end.error, endedAt: now }, now);
    case 'completed':
      // The status has the result, too.
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
