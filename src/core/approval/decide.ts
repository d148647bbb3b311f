import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Decision, Person, Verdict } from './approval.ts';
import type { Permission } from './policy.ts';
import { evaluate } from './policy.ts';

/** Why a click changes nothing, with the facts that the person needs. */
export type Refusal =
  | { kind: 'unknown' }
  | { kind: 'stranger' }
  | { kind: 'already-decided'; decision: Decision }
  | { kind: 'superseded'; by: 'newer-round' | 'ended' | 'unfollowed' }
  | { kind: 'feedback-missing' }
  | { kind: 'notes-not-taken' }
  | { kind: 'nothing-to-send' };

/** A verdict before it is bound to a person and an instant. */
export interface Choice {
  verdict: Verdict;
  feedback: string | null;
  text: string;
}

interface Vote extends Permission {
  choice: Choice;
  by: Person;
}

/**
 * The first decision wins. The same person giving the same verdict again has succeeded, and nothing changes. The policy is
 * asked first: a person whom it refuses learns nothing about the request.
 */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by, ...permission }: Vote,
  now: Millis,
): Result<Execution, Refusal> {
  const found = findPermitted(execution, approvalId, permission);
  if (!found.ok) return found;
  const approval = found.value;
  if (approval.status !== 'pending') return repeated(execution, approval, { choice, by });
  if (choice.verdict === 'reject' && !choice.feedback?.trim()) return refuse({ kind: 'feedback-missing' });
  const decision: Decision = { ...choice, by, at: now, ownTokenOnly: false };
  const decided: Approval = { ...approval, status: 'decided', decision, attempts: [], tries: 0, sendAt: now };
  return ok(withRunStatus(withApproval(execution, decided)));
}

/** The request, if this person may decide it and it is still open. */
export function findDecidable(
  execution: Execution,
  approvalId: string,
  permission: Permission,
): Result<Approval, Refusal> {
  const found = findPermitted(execution, approvalId, permission);
  const closed = found.ok ? whyClosed(found.value) : null;
  return closed ? refuse(closed) : found;
}

/** The request, if the policy lets this person act on it. */
export function findPermitted(
  execution: Execution,
  approvalId: string,
  { policy, facts }: Permission,
): Result<Approval, Refusal> {
  const evaluation = evaluate(policy, { execution, facts });
  if (evaluation.kind === 'refused') return refuse({ kind: evaluation.reason });
  const approval = findApproval(execution, approvalId);
  return approval ? ok(approval) : refuse({ kind: 'unknown' });
}

/** Why this request can no longer be decided; null while it can. */
export function whyClosed(approval: Approval): Refusal | null {
  switch (approval.status) {
    case 'pending':
      return null;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
      return { kind: 'already-decided', decision: approval.decision };
    case 'superseded':
      return approval.decision
        ? { kind: 'already-decided', decision: approval.decision }
        : { kind: 'superseded', by: approval.by };
  }
}

function repeated(
  execution: Execution,
  approval: Approval,
  { choice, by }: { choice: Choice; by: Person },
): Result<Execution, Refusal> {
  const closed = whyClosed(approval);
  if (closed?.kind === 'already-decided' && isSame(closed.decision, choice, by)) return ok(execution);
  return refuse(closed ?? { kind: 'unknown' });
}

function isSame(decision: Decision, choice: Choice, by: Person): boolean {
  return decision.by.id === by.id && decision.verdict === choice.verdict && decision.feedback === choice.feedback;
}
