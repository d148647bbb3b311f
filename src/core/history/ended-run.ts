import { type Execution, starterOf } from '../execution/execution.ts';
import type { Millis } from '../time.ts';

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
  switch (run.status) {
    case 'completed':
    case 'failed':
    case 'not-started':
      return run.endedAt;
    case 'lost':
      return run.lostAt;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'unconfirmed':
      return null;
  }
}
