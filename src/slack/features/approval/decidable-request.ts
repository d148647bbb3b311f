import type { Approval, Person } from '../../../core/approval/approval.ts';
import { findDecidable } from '../../../core/approval/decide.ts';
import type { Refusal } from '../../../core/approval/permission.ts';
import { type Policy, policyFor } from '../../../core/approval/policy/policy.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import type { Action } from '../../../core/ledger/events.ts';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { Click } from '../../app/click.ts';
import type { ListenerContext } from '../../app/context.ts';
import type { ApprovalKey } from '../../ui/button-value.ts';
import { changeRequest } from './change-request.ts';

/** A request that a person can decide now, and the policy of its task. */
export interface DecidableRequest {
  execution: Execution;
  approval: Approval;
  card: CardModel & Pick<ApprovalKey, 'isRead'>;
  policy: Policy;
}

/**
 * The request, if the policy in force lets this person decide it on the text that they were shown and it is still open. Throws where `changeRequest` does: don't
 * ack then.
 */
export async function findDecidableRequest(
  context: ListenerContext,
  asked: { key: ApprovalKey | null; by: Person; action: Action; message?: Click['message'] },
): Promise<Result<DecidableRequest, Refusal>> {
  const { key, by } = asked;
  const found = await changeRequest(context, {
    ...asked,
    transition: (execution, { approvalId, ...permission }) =>
      tried(execution, findDecidable(execution, approvalId, { personId: by.id, ...permission })),
  });
  if (!found.ok) return found;
  const approval = findApproval(found.value, key?.approvalId ?? '');
  if (!approval) return refuse({ kind: 'unknown' });
  const execution = found.value;
  const policy = policyFor(context.rulesOf(execution.crew).policy, approval);
  if (policy === null) return refuse({ kind: 'crew-missing', crew: execution.crew });
  const card = { ...cardModel(execution, approval), isRead: key?.isRead };
  return ok({ execution, approval, card, policy });
}

/** The execution as it is if something could be done with it. */
export function tried<Refused>(execution: Execution, result: Result<unknown, Refused>): Result<Execution, Refused> {
  return result.ok ? ok(execution) : result;
}
