import type { Approval } from '../approval/approval.ts';
import { askedFacts } from '../approval/ledger-facts.ts';
import { DEFAULT_POLICY } from '../approval/policy/policy.ts';
import type { Execution } from '../execution/execution.ts';
import type { LedgerEvent } from './event.ts';

/**
 * Enters the requests that were open when the ledger began, before anything about them, under the policy that all had then.
 * Those that were decided by then stay out of it.
 */
export function recordEarlierRequests(before: Execution, after: Execution): Execution {
  const missing = before.approvals.filter(({ isInLedger, status }) => !isInLedger && status === 'pending');
  if (missing.length === 0 || after.ledgerEvents.length === 0) return after;
  const entered = missing.map(({ id }) => id);
  const approvals = after.approvals.map((each) => (entered.includes(each.id) ? { ...each, isInLedger: true } : each));
  const asked = missing.map((approval) => askedEvent(before, approval));
  return { ...after, approvals, ledgerEvents: [...asked, ...after.ledgerEvents] };
}

function askedEvent(execution: Execution, approval: Approval): LedgerEvent {
  return { kind: 'asked', at: approval.askedAt, facts: askedFacts(execution, approval, DEFAULT_POLICY) };
}
