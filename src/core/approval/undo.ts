import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Person } from './approval.ts';
import type { OnText, Permission } from './permission.ts';
import { findShown, isOther } from './permission.ts';
import { policyHash } from './policy/document.ts';
import { OWN_DECISION } from './policy/permits.ts';
import type { Refusal } from './refusal.ts';
import { whyClosed } from './refusal.ts';
import { askedPart, supersede } from './settle.ts';

/**
 * Takes a decision back that has not been sent: the request waits again, with the votes from before, and its times as they
 * were, so that it may expire at once. If nobody follows the run any more, it is closed instead: nothing is asked then. For
 * the person who decided, and those who may decide.
 */
export function undo(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const found = findUndoable(execution, approvalId, { by, now, ...permission });
  if (!found.ok) return found;
  const { approval, rule } = found.value;
  // The same click may be delivered again.
  if (approval.status === 'pending') return approval.takenBack > 0 ? ok(execution) : refuse({ kind: 'no-decision' });
  if (approval.status !== 'decided' || approval.undoUntil === null || now >= approval.undoUntil)
    return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const waiting: Approval = { ...askedPart(approval), takenBack: approval.takenBack + 1, status: 'pending' };
  const reopened = execution.unfollowed ? supersede(waiting, 'unfollowed', now) : waiting;
  const facts = { approval: approvalId, by: by.id, rule, policy: policyHash(permission.policy) };
  return ok(recordEvent(withRunStatus(withApproval(execution, reopened)), { kind: 'undone', at: now, facts }));
}

function findUndoable(
  execution: Execution,
  approvalId: string,
  { by, ...asked }: Permission & OnText & { by: Person; now: Millis },
): Result<{ approval: Approval; rule: string }, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (approval?.status === 'decided' && approval.decision.by?.id === by.id)
    return isOther(approval, asked.revision) ? refuse({ kind: 'other-text' }) : ok({ approval, rule: OWN_DECISION });
  return findShown(execution, approvalId, { personId: by.id, ...asked });
}
