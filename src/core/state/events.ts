import type { LedgerEvent } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';
import type { Approval } from './approval.ts';
import { type Execution, findApproval } from './execution.ts';

// How an execution tells the ledger what happened. What people did, the transitions of approvals record themselves; how
// decisions reached the crew is seen in what a change did to them; refused attempts change nothing, and are entered beside it.

/** Puts an event into the ledger: its entry is written together with the execution, or not at all. */
export function recordEvent(execution: Execution, event: LedgerEvent): Execution {
  return { ...execution, ledgerEvents: [...execution.ledgerEvents, event] };
}

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
    case 'declined':
    case 'expired':
      return [];
  }
}
