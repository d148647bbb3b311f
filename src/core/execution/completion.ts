import { recordEvidence } from '../approval/evidence.ts';
import type { Millis } from '../time.ts';
import type { CrewCompletion } from './events.ts';
import type { Execution } from './execution.ts';
import { hasEnded } from './execution.ts';
import { endRun, revive } from './run.ts';

/** The crew finished, which also proves that everything sent to it had arrived. */
export function recordCompletion(execution: Execution, crew: CrewCompletion, now: Millis): Execution {
  if (hasEnded(execution)) return execution;
  const proven = recordEvidence(revive(execution, now), crew, now);
  return endRun(proven, { status: 'completed', result: crew.result, endedAt: now }, now);
}
