import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { Result } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { type Change, changeRequest } from './change-request.ts';
import { plainApproval } from './plain-approval.ts';

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
