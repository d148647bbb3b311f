// What a program has asked people, and no longer waits for.

import { withRunStatus } from '../execution/run.ts';
import { supersede } from '../state/approval.ts';
import { type Execution, requestOfAsk, withApproval } from '../state/execution.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';

/**
 * Closes what nobody has decided for good. One that is cancelled stays as it is; what was decided, or closed by something else, is
 * refused.
 */
export function cancelAsk(execution: Execution, now: Millis): Result<Execution, 'closed'> {
  const asked = requestOfAsk(execution);
  if (asked?.status === 'superseded' && asked.by === 'cancelled') return ok(execution);
  const isUndecided = asked?.status === 'pending' || (asked?.status === 'decided' && asked.undoUntil !== null);
  if (!isUndecided) return refuse('closed');
  return ok(withRunStatus(withApproval(execution, supersede(asked, 'cancelled', now))));
}
