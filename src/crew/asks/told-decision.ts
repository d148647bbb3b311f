// What those who ask from a program are told of a decision, by callback or when they fetch it.
import type { Decision } from '../../core/approval/approval.ts';

/** As JSON names it. `expired`: nobody decided in time. */
export interface DecisionTold {
  decision: 'approved' | 'rejected' | 'declined' | 'expired';
  /** What was chosen, where outcomes were offered. */
  outcome: string | null;
  feedback: string | null;
  /** Who completed the decision; null if nobody did. */
  by: { id: string; name: string } | null;
  /** ISO 8601. */
  decided_at: string;
}

const DECISIONS = { approve: 'approved', reject: 'rejected', decline: 'declined' } as const;

export function decisionTold({ verdict, outcome = undefined, feedback, by, at }: Decision): DecisionTold {
  return {
    decision: by === null ? 'expired' : DECISIONS[verdict],
    outcome: outcome ?? null,
    feedback: by === null ? null : feedback,
    by: by && { id: by.id, name: by.name },
    decided_at: new Date(at).toISOString(),
  };
}
