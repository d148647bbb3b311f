import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Person } from './approval.ts';
import type { OnText } from './permission.ts';
import { isOther } from './permission.ts';
import type { Refusal } from './refusal.ts';
import { whyClosed } from './refusal.ts';

/** Takes a person's own vote back, which everyone may until the decision is complete. */
export function withdraw(
  execution: Execution,
  approvalId: string,
  { by, revision }: OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  if (isOther(approval, revision)) return refuse({ kind: 'other-text' });
  if (approval.status !== 'pending') return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const votes = approval.votes.filter((vote) => vote.by.id !== by.id);
  if (votes.length === approval.votes.length) return refuse({ kind: 'no-vote' });
  const facts = { approval: approvalId, by: by.id, reason: 'own' };
  return ok(
    recordEvent(withApproval(execution, { ...approval, votes, takenBack: approval.takenBack + 1 }), {
      kind: 'withdrawn',
      at: now,
      facts,
    }),
  );
}
