import type { Millis } from '../time.ts';
import type { Approval, Decision, Person } from './approval.ts';
import type { Denial } from './policy/permits.ts';

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
  | { kind: 'superseded'; by: 'newer-round' | 'ended' | 'unfollowed' }
  | { kind: 'expired' }
  /** Approving this soon has to be confirmed. */
  | { kind: 'too-soon'; afterMs: Millis }
  | { kind: 'feedback-missing' }
  | { kind: 'notes-not-taken' }
  | { kind: 'nothing-to-send' }
  | { kind: 'no-vote' }
  /** There is nothing to undo. */
  | { kind: 'no-decision' }
  /** The person to whom it should be handed over may not decide, even if others let them. */
  | { kind: 'cannot-take-over'; to: Person; denial: Denial }
  | { kind: 'asked-lately'; at: Millis };

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
    case 'expired':
      return { kind: 'expired' };
  }
}
