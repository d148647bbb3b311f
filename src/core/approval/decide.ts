import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Decision, Person, Verdict } from './approval.ts';

/** Why somebody's click changes nothing, with what they need to be told. */
export type Refusal =
  | { kind: 'unknown' }
  | { kind: 'stranger' }
  | { kind: 'already-decided'; decision: Decision }
  | { kind: 'superseded'; by: 'newer-round' | 'ended' | 'unfollowed' }
  | { kind: 'feedback-missing' }
  | { kind: 'notes-not-taken' }
  | { kind: 'nothing-to-send' };

/** A verdict as somebody gives it, before it is bound to a person and an instant. */
export interface Choice {
  verdict: Verdict;
  feedback: string | null;
  text: string;
}

/** The first decision wins. The same person giving the same verdict again has succeeded, and nothing changes. */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by }: { choice: Choice; by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  if (approval.status !== 'pending') return again(execution, approval, { choice, by });
  if (choice.verdict === 'reject' && !choice.feedback?.trim()) return refuse({ kind: 'feedback-missing' });
  const decision: Decision = { ...choice, by, at: now };
  const decided: Approval = { ...approval, status: 'decided', decision, attempts: [], tries: 0, sendAt: now };
  return ok(withRunStatus(withApproval(execution, decided)));
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

function again(
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
