import type { Approval } from '../approval/approval.ts';
import type { Refusal } from '../approval/permission.ts';
import { type Execution, findApproval } from '../execution/execution.ts';
import type { Millis } from '../time.ts';
import type { LedgerEvent, LedgerFacts } from './entry.ts';

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

/** What a person wants to do about a request or a run. */
export type Action =
  | 'approve'
  | 'reject'
  | 'decline'
  | 'send-again'
  | 'undo'
  | 'withdraw'
  | 'hand-over'
  /** Only to read what is asked, with the choices beside it. */
  | 'review'
  | 'ask-approvers'
  | 'stop-following'
  | 'track-again';

/** An attempt that was refused. */
interface RefusedAction {
  approvalId: string | null;
  action: Action;
  /** The id of the person. */
  by: string;
  refusal: Refusal;
  policy: string;
}

/** What the ledger says of it; null for a form that isn't complete, or has to be confirmed: that isn't an attempt yet. */
export function refusedFacts(refused: RefusedAction): LedgerFacts['refused'] | null {
  const { approvalId: approval, action, by, refusal, policy } = refused;
  const reason = reasonOf(refusal);
  return reason === null ? null : { approval, action, by, reason, policy };
}

function reasonOf(refusal: Refusal): string | null {
  switch (refusal.kind) {
    case 'facts-needed':
    case 'feedback-missing':
    case 'reason-missing':
    case 'note-missing':
    case 'too-soon':
    case 'sign-in-needed':
      return null;
    case 'denied':
      return refusal.denial.kind;
    case 'unknown':
    case 'crew-missing':
    case 'other-text':
    case 'already-decided':
    case 'superseded':
    case 'expired':
    case 'notes-not-taken':
    case 'feedback-not-taken':
    case 'outcome-needed':
    case 'other-outcome':
    case 'nothing-to-send':
    case 'no-vote':
    case 'no-decision':
    case 'cannot-take-over':
    case 'no-delegation':
    case 'lent-right':
    case 'asked-lately':
      return refusal.kind;
  }
}
