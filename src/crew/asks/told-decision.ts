// Programs read here how their ask stands: in a callback, and in the answers to `POST`, `GET` and `DELETE`.
import { withEditedText } from '../../core/approval/edits.ts';
import type { Approval, Decision } from '../../core/state/approval.ts';
import type { Answer } from '../../core/values/input-field.ts';

/** As JSON names it. */
export type AskTold = {
  /** The program's own name for it; null if it gave none. */
  id: string | null;
  ref: string;
} & AskState;

/** How things stand. `cancelled`: its asker took it back; `closed`: something else did, and nobody decides it any more. */
type AskState = { status: 'waiting' | 'cancelled' | 'closed' } | DecisionTold;

/** `expired`: nobody decided in time. */
interface DecisionTold {
  status: 'decided' | 'expired';
  decision: 'approved' | 'rejected' | 'expired';
  /** What was chosen, where outcomes were offered. */
  outcome: string | null;
  /** What was filled in, by the names of the fields, where there were some. */
  answer: Answer | null;
  /** The edited text stands in it, too, where one was approved. */
  feedback: string | null;
  /** The whole text that was approved with edits; null where none was. */
  edited_text: string | null;
  /** Who completed the decision; null if nobody did. */
  by: { id: string; name: string } | null;
  /** ISO 8601. */
  decided_at: string;
}

/**
 * A decision that can still be undone isn't told.
 * @param editedText the edited text that was approved; null where none was
 */
export function askTold(ref: string, approval: Approval, editedText: string | null): AskTold {
  return { id: approval.requestId, ref, ...askState(approval, editedText) };
}

function askState(approval: Approval, editedText: string | null): AskState {
  switch (approval.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'decided':
      return approval.undoUntil === null ? decisionTold(approval.decision, editedText) : { status: 'waiting' };
    case 'sending':
    case 'failed':
    case 'delivered':
    case 'declined':
      return decisionTold(approval.decision, editedText);
    case 'expired':
      return expiryTold(approval.expiredAt);
    case 'superseded':
      return { status: approval.by === 'cancelled' ? 'cancelled' : 'closed' };
  }
}

/** Programs never retry, so a decline is simply a rejection. */
const DECISIONS = { approve: 'approved', reject: 'rejected', decline: 'rejected' } as const;

function decisionTold(decision: Decision, editedText: string | null): DecisionTold {
  const told = editedText === null ? decision : withEditedText(decision, editedText);
  const { verdict, outcome, answer, feedback, by, at } = told;
  if (by === null) return expiryTold(at);
  return {
    status: 'decided',
    decision: DECISIONS[verdict],
    outcome: outcome ?? null,
    answer: answer ?? null,
    feedback,
    edited_text: editedText,
    by: { id: by.id, name: by.name },
    decided_at: new Date(at).toISOString(),
  };
}

function expiryTold(at: number): DecisionTold {
  return {
    status: 'expired',
    decision: 'expired',
    outcome: null,
    answer: null,
    feedback: null,
    edited_text: null,
    by: null,
    decided_at: new Date(at).toISOString(),
  };
}
