import type { ModalView } from '@slack/types';
import type { Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Action } from '../../core/ledger/record-refusal.ts';
import type { Result } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { type DecidableRequest, findDecidableRequest } from './find-decidable-request.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens a modal about a request that the person can still decide. Throws where `render` does: it isn't acknowledged then. */
export function modalOpener(
  action: Action,
  render: (context: ListenerContext, request: DecidableRequest & { by: Person }) => Promise<Result<ModalView, Refusal>>,
): OnClick {
  return async (context, click, ack) => {
    const key = parseApprovalValue(click.value);
    const by = click.actor.person;
    const found = await findDecidableRequest(context, { key, by, action });
    const modal = found.ok ? await render(context, { ...found.value, by }) : found;
    await ack();
    if (modal.ok) await showModal(context, click, modal.value);
    else await tellRefusal(context, click, modal.refusal);
  };
}
