// What a program has asked people, and no longer waits for.
import { type Execution, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import { supersede } from './approval.ts';

/**
 * Closes what nobody has decided for good. One that is cancelled stays as it is; what was decided, or closed by something else, is
 * refused.
 */
export function cancelAsk(execution: Execution, now: Millis): Result<Execution, 'closed'> {
  const asked = execution.approvals.at(-1);
  if (asked?.status === 'superseded' && asked.by === 'cancelled') return ok(execution);
  const isUndecided = asked?.status === 'pending' || (asked?.status === 'decided' && asked.undoUntil !== null);
  if (!isUndecided) return refuse('closed');
  return ok(withRunStatus(withApproval(execution, supersede(asked, 'cancelled', now))));
}
