// What those who ask from a program are told of a decision, by callback or when they fetch it.
import { withEditedText } from '../../core/approval/edits.ts';
import type { Approval, Decision } from '../../core/state/approval.ts';
import type { Answer } from '../../core/values/input-field.ts';

/** As JSON names it. `expired`: nobody decided in time. */
export interface DecisionTold {
  decision: 'approved' | 'rejected' | 'expired';
  /** What was chosen, where outcomes were offered. */
  outcome: string | null;
  /** What was filled in, by the names of the fields, where there were some. */
  answer: Answer | null;
  feedback: string | null;
  /** Who completed the decision; null if nobody did. */
  by: { id: string; name: string } | null;
  /** ISO 8601. */
  decided_at: string;
}

/** Programs never retry, so a decline is simply a rejection. */
const DECISIONS = { approve: 'approved', reject: 'rejected', decline: 'rejected' } as const;

export function decisionTold({ verdict, outcome, answer, feedback, by, at }: Decision): DecisionTold {
  return {
    decision: by === null ? 'expired' : DECISIONS[verdict],
    outcome: outcome ?? null,
    answer: answer ?? null,
    feedback: by === null ? null : feedback,
    by: by && { id: by.id, name: by.name },
    decided_at: new Date(at).toISOString(),
  };
}

/** How things stand. `cancelled`: its asker took it back; `closed`: something else did, and nobody decides it any more. */
export type AskTold =
  | { status: 'waiting' | 'cancelled' | 'closed' }
  | ({ status: 'decided' | 'expired' } & DecisionTold);

/**
 * A decision that can still be undone isn't told.
 * @param edited the edited text that was approved; null where none was
 */
export function askTold(approval: Approval, edited: string | null = null): AskTold {
  const told = (decision: Decision) => toldOf(edited === null ? decision : withEditedText(decision, edited));
  switch (approval.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'decided':
      return approval.undoUntil === null ? told(approval.decision) : { status: 'waiting' };
    case 'sending':
    case 'failed':
    case 'delivered':
    case 'declined':
      return told(approval.decision);
    case 'expired':
      return {
        status: 'expired',
        decision: 'expired',
        outcome: null,
        answer: null,
        feedback: null,
        by: null,
        decided_at: new Date(approval.expiredAt).toISOString(),
      };
    case 'superseded':
      return { status: approval.by === 'cancelled' ? 'cancelled' : 'closed' };
  }
}

function toldOf(decision: Decision): AskTold {
  return { status: decision.by === null ? 'expired' : 'decided', ...decisionTold(decision) };
}
