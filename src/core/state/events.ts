import type { LedgerEvent } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';
import type { Approval } from './approval.ts';
import { type Execution, findApproval, isConfirmed } from './execution.ts';

// How an execution tells the ledger what happened. What people did, the transitions of approvals record themselves; how
// decisions reached the crew is seen in what a change did to them; refused attempts change nothing, and are entered beside it.

/** Puts an event into the ledger: its entry is written together with the execution, or not at all. */
export function recordEvent(execution: Execution, event: LedgerEvent): Execution {
  return { ...execution, ledgerEvents: [...execution.ledgerEvents, event] };
}

/** Enters what a change says about the way of decisions to the crew. */
export function recordDeliveries(before: Execution, after: Execution, now: Millis): Execution {
  if (after.approvals === before.approvals && after.origin === before.origin) return after;
  return after.approvals
    .flatMap((approval) => {
      const earlier = findApproval(before, approval.id);
      const wasConfirmed = earlier !== null && isConfirmed(before, earlier);
      if (approval.status !== 'delivered') return eventsOf(earlier, approval, now);
      return isConfirmed(after, approval) && !wasConfirmed ? [confirmed(approval, now)] : [];
    })
    .reduce(recordEvent, after);
}

function confirmed({ id, proof }: Extract<Approval, { status: 'delivered' }>, at: Millis): LedgerEvent {
  return { kind: 'confirmed', at, facts: { approval: id, proof } };
}

function eventsOf(
  before: Approval | null,
  after: Exclude<Approval, { status: 'delivered' }>,
  at: Millis,
): LedgerEvent[] {
  if (before === after || before?.status === after.status) return [];
  const { id: approval } = after;
  switch (after.status) {
    case 'sending':
      return [{ kind: 'sent', at, facts: { approval, attempt: after.attempts.length } }];
    case 'failed':
      return after.failure.kind === 'not-confirmed'
        ? [{ kind: 'not-confirmed', at, facts: { approval, attempt: after.attempts.length } }]
        : [];
    case 'pending':
    case 'decided':
    case 'superseded':
    case 'declined':
    case 'expired':
      return [];
  }
}
