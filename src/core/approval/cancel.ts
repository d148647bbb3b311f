// What a program has asked people, and no longer waits for.

import { withRunStatus } from '../execution/run.ts';
import { decisionOf, supersede } from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, requestOfAsk, withApproval } from '../state/execution.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';

/**
 * Closes what nobody has decided. One that is cancelled stays as it is. A decision stands, also while it can be undone: a program
 * that could take back a rejection would ask until somebody approves.
 */
export function cancelAsk(execution: Execution, now: Millis): Result<Execution, 'closed'> {
  const asked = requestOfAsk(execution);
  if (asked?.status === 'superseded' && asked.by === 'cancelled') return ok(execution);
  if (asked?.status !== 'pending') return refuse('closed');
  const cancelled = withRunStatus(withApproval(execution, supersede(asked, 'cancelled', now)));
  return ok(recordEvent(cancelled, { kind: 'cancelled', at: now, facts: { approval: asked.id } }));
}

/**
 * Closes what nobody has decided, since its program asks something else in its place. One that is closed without a decision of people
 * stays as it is: there is nothing to replace. A decision of people stands, as above.
 * @param by the ref of what is asked in its place
 */
export function replaceAsk(execution: Execution, by: string, now: Millis): Result<Execution, 'decided'> {
  const asked = requestOfAsk(execution);
  if (asked?.status !== 'pending') return asked && decisionOf(asked)?.by ? refuse('decided') : ok(execution);
  const replaced = withRunStatus(withApproval(execution, supersede(asked, 'replaced', now)));
  const facts = { approval: asked.id, replaced_by: by };
  return ok(recordEvent(replaced, { kind: 'cancelled', at: now, facts }));
}
