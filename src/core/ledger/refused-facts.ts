import type { Refusal } from '../approval/permission.ts';
import type { LedgerFacts } from './event.ts';

/** What a person wants to do about a request or a run. */
export type Action =
  | 'approve'
  | 'reject'
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
    case 'too-soon':
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
    case 'nothing-to-send':
    case 'no-vote':
    case 'no-decision':
    case 'cannot-take-over':
    case 'asked-lately':
      return refusal.kind;
  }
}
