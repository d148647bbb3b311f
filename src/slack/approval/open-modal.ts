import type { ModalView } from '@slack/types';
import { findDecidable } from '../../core/approval/decide.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import type { Action } from '../../core/ledger/record-refusal.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens a modal about a request that the person can still decide. */
export function modalOpener(
  action: Action,
  render: (context: ListenerContext, card: CardModel) => Result<ModalView, Refusal>,
): OnClick {
  return async (context, click, ack) => {
    const key = parseApprovalValue(click.value);
    const { person: by } = click.actor;
    const found = await changeRequest(context, {
      ...{ key, by, action },
      transition: (execution, { approvalId, now: _, ...permission }) =>
        tried(execution, findDecidable(execution, approvalId, by.id, permission)),
    });
    await ack();
    const modal = found.ok ? modalAbout(found.value, key?.approvalId, (card) => render(context, card)) : found;
    if (modal.ok) await showModal(context, click, modal.value);
    else await tellRefusal(context, click, modal.refusal);
  };
}

function modalAbout(
  execution: Execution,
  approvalId: string | undefined,
  render: (card: CardModel) => Result<ModalView, Refusal>,
): Result<ModalView, Refusal> {
  const approval = findApproval(execution, approvalId ?? '');
  return approval ? render(cardModel(execution, approval)) : refuse({ kind: 'unknown' });
}

/** The execution as it is if something could be done with it. */
export function tried<Refused>(execution: Execution, result: Result<unknown, Refused>): Result<Execution, Refused> {
  return result.ok ? ok(execution) : result;
}
