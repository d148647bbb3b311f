// A refusal says why a person's action changed nothing. Slack puts it into words (`denial.ts`), and the ledger keeps an entry of it.

import type { LedgerFacts } from '../ledger/entry.ts';
import type { Decision, HumanRequest, Person, SupersededBy } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import type { Denial } from './permits.ts';

/** The reason why a person's action changes nothing, with the facts that the person needs. */
export type Refusal =
  | { kind: 'unknown' }
  | { kind: 'denied'; denial: Denial }
  /** This is no refusal yet: the caller first has to look up these people in Slack, and try again. */
  | { kind: 'facts-needed'; people: string[] }
  /** Nobody may decide, since the crew isn't configured. */
  | { kind: 'crew-missing'; crew: string }
  /** The person saw another text than the request is about now, or nobody can tell which. */
  | { kind: 'other-text' }
  | { kind: 'already-decided'; decision: Decision }
  | { kind: 'superseded'; by: SupersededBy }
  | { kind: 'expired' }
  /** An approval this soon has to be confirmed. */
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
  /** The request doesn't offer this outcome, or the policy now counts it as another verdict. */
  | { kind: 'outcome-needed' }
  /** Others have approved this outcome, the only one that adds to their votes. */
  | { kind: 'other-outcome'; outcome: string }
  /** The answer doesn't fill in the request's fields, or the request has none. */
  | { kind: 'answer-needed' }
  /** Others have given another answer, the only one that adds to their votes. */
  | { kind: 'other-answer' }
  | { kind: 'nothing-to-send' }
  /** `stage`: the complete stage that the person has approved. */
  | { kind: 'no-vote'; stage?: string }
  /** There is nothing to undo. */
  | { kind: 'no-decision' }
  /** The receiver of a hand-over may not decide, even with a lent right. */
  | { kind: 'cannot-take-over'; to: Person; denial: Denial }
  /** The policy allows no hand-overs. */
  | { kind: 'no-delegation' }
  /** The person decides with the right of this giver, and a lent right can't be lent again. */
  | { kind: 'lent-right'; giver: Person }
  | { kind: 'asked-lately'; at: Millis }
  /** Nobody can decide the request now, so there is nobody to ask. */
  | { kind: 'nobody-left' };

/** Returns why this request can no longer be decided; null while it can. */
export function whyClosed(request: HumanRequest): Refusal | null {
  switch (request.state.status) {
    case 'pending':
      return null;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
      return { kind: 'already-decided', decision: request.state.decision };
    case 'superseded':
      return request.state.decision
        ? { kind: 'already-decided', decision: request.state.decision }
        : { kind: 'superseded', by: request.state.by };
    case 'expired':
      return { kind: 'expired' };
  }
}

/** A person's action on a request or a run. `review` only reads, with the choices beside it. */
export type Action =
  | 'approve'
  | 'reject'
  | 'decline'
  | 'send-again'
  | 'undo'
  | 'withdraw'
  | 'hand-over'
  | 'review'
  | 'ask-approvers'
  | 'stop-following'
  | 'track-again';

interface RefusedAction {
  approvalId: string | null;
  action: Action;
  /** The id of the person. */
  by: string;
  refusal: Refusal;
  policy: string;
}

/** Returns the ledger's entry for a refused attempt; null for `NOT_ENTERED`. */
export function refusedFacts(attempt: RefusedAction): LedgerFacts['refused'] | null {
  const { approvalId: approval, action, by, refusal, policy } = attempt;
  if (NOT_ENTERED.includes(refusal.kind)) return null;
  const reason = refusal.kind === 'denied' ? refusal.denial.kind : refusal.kind;
  return { approval, action, by, reason, policy };
}

/** An incomplete form, or one that has to be confirmed, isn't an attempt yet. */
const NOT_ENTERED: readonly Refusal['kind'][] = [
  'facts-needed',
  'feedback-missing',
  'reason-missing',
  'note-missing',
  'too-soon',
  'sign-in-needed',
];
