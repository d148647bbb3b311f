import type { Person } from '../../core/approval/approval.ts';
import { type Choice, decide } from '../../core/approval/decide.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { Result } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { ifNotesAreTaken } from './preview-with-note.ts';

export interface ApproveWithNote {
  key: ApprovalKey | null;
  by: Person;
  note: string;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review: 'confirmed' | 'unasked';
}

/** Stores an approval with a note. Throws where `changeRequest` does: don't ack then. */
export function approveWithNote(
  context: ListenerContext,
  { key, by, note, review }: ApproveWithNote,
): Promise<Result<Execution, Refusal>> {
  const choice: Choice = { verdict: 'approve', feedback: note, text: note };
  return changeRequest(context, {
    ...{ key, by, action: 'approve' },
    transition: (execution, { approvalId, now, ...permission }) => {
      const decided = decide(execution, approvalId, { choice, by, review, ...permission }, now);
      return decided.ok ? ifNotesAreTaken(context, execution.crew, decided.value) : decided;
    },
  });
}
