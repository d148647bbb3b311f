import { type Choice, decide } from '../../../core/approval/decide.ts';
import type { Refusal } from '../../../core/approval/permission.ts';
import { APPROVAL_TEXT } from '../../../core/crew.ts';
import type { Execution } from '../../../core/execution/execution.ts';
import type { Result } from '../../../core/result.ts';
import type { ListenerContext } from '../../app/context.ts';
import { type Change, changeRequest } from './change-request.ts';

interface Approving {
  stored: Result<Execution, Refusal>;
  /** The same person had approved it before, so that nothing has changed. */
  isRepeated: boolean;
}

/** Approves without a note, and is refused where that comes too soon. Throws where `changeRequest` does: don't ack then. */
export async function approveUnasked(
  context: ListenerContext,
  { by, ...about }: Pick<Change, 'key' | 'by' | 'message'>,
): Promise<Approving> {
  const { transition, ...approval } = plainApproval(context, by, 'unasked');
  let isRepeated = false;
  const stored = await changeRequest(context, {
    ...{ ...about, ...approval },
    transition: (execution, asked) => {
      const decided = transition(execution, asked);
      isRepeated = decided.ok && decided.value === execution;
      return decided;
    },
  });
  return { stored, isRepeated };
}

/** Approves without a note. `confirmed`: the person was asked whether they approve that soon. */
export function plainApproval(
  { crews }: Pick<ListenerContext, 'crews'>,
  by: Change['by'],
  review: 'confirmed' | 'unasked',
): Pick<Change, 'by' | 'action' | 'transition'> {
  return {
    ...{ by, action: 'approve' },
    transition: (execution, { approvalId, now, ...permission }) =>
      decide(execution, approvalId, { choice: approvalOf(crews, execution), by, review, ...permission }, now),
  };
}

function approvalOf(crews: ListenerContext['crews'], { crew }: Execution): Choice {
  return { verdict: 'approve', feedback: null, text: crews.get(crew)?.approvalText ?? APPROVAL_TEXT };
}
