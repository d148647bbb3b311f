// A refusal says why a person's action changed nothing. The ledger keeps an entry of each attempt that was refused.

import type { LedgerFacts } from '../ledger/entry.ts';
import type { Approval, Decision, Person, SupersededBy } from '../state/approval.ts';
import type { Millis } from '../values/time.ts';
import type { Denial } from './evaluate.ts';

/** Why a person's action changes nothing, with the facts that they need. */
export type Refusal =
  | { kind: 'unknown' }
  | { kind: 'denied'; denial: Denial }
  /** Not a refusal yet: what Slack says about these people has to be found out first. */
  | { kind: 'facts-needed'; people: string[] }
  /** Who may decide isn't known, as the crew isn't configured. */
  | { kind: 'crew-missing'; crew: string }
  /** The person was shown another text than the one that is asked about, or one that can't be told. */
  | { kind: 'other-text' }
  | { kind: 'already-decided'; decision: Decision }
  | { kind: 'superseded'; by: SupersededBy }
  | { kind: 'expired' }
  /** Approving this soon has to be confirmed. */
  | { kind: 'too-soon'; afterMs: Millis }
  /** Approving takes a sign-in with the company's identity provider. */
  | { kind: 'sign-in-needed' }
  | { kind: 'feedback-missing' }
  /** A decline takes a reason. */
  | { kind: 'reason-missing' }
  /** Rejections take no text. */
  | { kind: 'feedback-not-taken' }
  /** An approval takes a note. */
  | { kind: 'note-missing' }
  | { kind: 'notes-not-taken' }
  /** The request offers outcomes, of which this is none, or which the policy takes for another verdict by now. */
  | { kind: 'outcome-needed' }
  /** Others have approved by choosing this outcome, which is the only one that adds to theirs. */
  | { kind: 'other-outcome'; outcome: string }
  /** The request has fields, which this doesn't answer, or has none. */
  | { kind: 'answer-needed' }
  /** Others have given another answer, which is the only one that adds to theirs. */
  | { kind: 'other-answer' }
  | { kind: 'nothing-to-send' }
  /** `stage`: they have approved one that is complete. */
  | { kind: 'no-vote'; stage?: string }
  /** There is nothing to undo. */
  | { kind: 'no-decision' }
  /** The person to whom it should be handed over may not decide, even if others let them. */
  | { kind: 'cannot-take-over'; to: Person; denial: Denial }
  /** The policy lets nobody hand anything over. */
  | { kind: 'no-delegation' }
  /** The person decides with the right of this giver, and a lent right can't be passed on. */
  | { kind: 'lent-right'; giver: Person }
  | { kind: 'asked-lately'; at: Millis }
  /** Nobody can decide it now, so that nobody can be asked to. */
  | { kind: 'nobody-left' };

/** Why this request can no longer be decided; null while it can. */
export function whyClosed(approval: Approval): Refusal | null {
  switch (approval.status) {
    case 'pending':
      return null;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
      return { kind: 'already-decided', decision: approval.decision };
    case 'superseded':
      return approval.decision
        ? { kind: 'already-decided', decision: approval.decision }
        : { kind: 'superseded', by: approval.by };
    case 'expired':
      return { kind: 'expired' };
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

/** What is asked for first, or is merely too early, is no attempt that the ledger keeps. */
const NOT_ENTERED: readonly Refusal['kind'][] = [
  'facts-needed',
  'feedback-missing',
  'reason-missing',
  'note-missing',
  'too-soon',
  'sign-in-needed',
];

function reasonOf(refusal: Refusal): string | null {
  if (refusal.kind === 'denied') return refusal.denial.kind;
  return NOT_ENTERED.includes(refusal.kind) ? null : refusal.kind;
}
