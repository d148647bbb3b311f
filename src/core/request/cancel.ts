// Closing a request that a program asked and no longer waits for: `DELETE /asks` cancels, a new ask in its place replaces.

import { withRunStatus } from '../execution/run.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, requestOfAsk, withRequest } from '../state/execution.ts';
import { decisionOf, supersede } from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';

/**
 * Cancels a request that nobody has decided. A decision stands, also while it can be undone: a program that could take back a
 * rejection would ask until somebody approves.
 */
export function cancelAsk(execution: Execution, now: Millis): Result<Execution, 'closed'> {
  const request = requestOfAsk(execution);
  if (request?.state.status === 'superseded' && request.state.by === 'cancelled') return ok(execution);
  if (request?.state.status !== 'pending') return refuse('closed');
  const cancelled = withRunStatus(withRequest(execution, supersede(request, 'cancelled', now)));
  return ok(recordEvent(cancelled, { kind: 'cancelled', at: now, facts: { approval: request.id } }));
}

/**
 * Closes a request that nobody has decided, since its program asks something else in its place. A decision of people stands. A request
 * that closed without one needs no replacing.
 * @param by the ref of the new ask
 */
export function replaceAsk(execution: Execution, by: string, now: Millis): Result<Execution, 'decided'> {
  const request = requestOfAsk(execution);
  if (request?.state.status !== 'pending')
    return request && decisionOf(request)?.by ? refuse('decided') : ok(execution);
  const replaced = withRunStatus(withRequest(execution, supersede(request, 'replaced', now)));
  const facts = { approval: request.id, replaced_by: by };
  return ok(recordEvent(replaced, { kind: 'cancelled', at: now, facts }));
}
