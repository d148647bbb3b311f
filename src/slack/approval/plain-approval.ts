import { type Choice, decide } from '../../core/approval/decide.ts';
import { APPROVAL_TEXT } from '../../core/crew.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Change } from './change-request.ts';

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
