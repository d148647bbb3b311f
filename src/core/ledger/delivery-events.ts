import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { findApproval } from '../execution/execution.ts';
import type { Millis } from '../time.ts';
import type { LedgerEvent } from './event.ts';
import { recordEvent } from './record-event.ts';

/** Enters what a change says about the way of decisions to the crew. */
export function recordDeliveries(before: Execution, after: Execution, now: Millis): Execution {
  if (after.approvals === before.approvals) return after;
  return after.approvals
    .flatMap((approval) => eventsOf(findApproval(before, approval.id), approval, now))
    .reduce(recordEvent, after);
}

function eventsOf(before: Approval | null, after: Approval, at: Millis): LedgerEvent[] {
  if (before === after || before?.status === after.status) return [];
  const { id: approval } = after;
  switch (after.status) {
    case 'sending':
      return [{ kind: 'sent', at, facts: { approval, attempt: after.attempts.length } }];
    case 'delivered':
      return [{ kind: 'confirmed', at, facts: { approval, proof: after.proof } }];
    case 'failed':
      return after.failure.kind === 'unconfirmed'
        ? [{ kind: 'unconfirmed', at, facts: { approval, attempt: after.attempts.length } }]
        : [];
    case 'pending':
    case 'decided':
    case 'superseded':
    case 'expired':
      return [];
  }
}
