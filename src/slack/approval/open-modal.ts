import type { ModalView } from '@slack/types';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Action } from '../../core/ledger/record-refusal.ts';
import type { Result } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { type DecidableRequest, findDecidableRequest } from './find-decidable-request.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens a modal about a request that the person can still decide. */
export function modalOpener(
  action: Action,
  render: (context: ListenerContext, request: DecidableRequest) => Result<ModalView, Refusal>,
): OnClick {
  return async (context, click, ack) => {
    const key = parseApprovalValue(click.value);
    const found = await findDecidableRequest(context, { key, by: click.actor.person, action });
    await ack();
    const modal = found.ok ? render(context, found.value) : found;
    if (modal.ok) await showModal(context, click, modal.value);
    else await tellRefusal(context, click, modal.refusal);
  };
}
