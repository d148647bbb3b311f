import type { ModalView } from '@slack/types';
import type { Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Action } from '../../core/ledger/refused-facts.ts';
import type { Result } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { type DecidableRequest, findDecidableRequest } from './find-decidable-request.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens a modal about a request that the person can still decide. Throws where `render` does: it isn't acknowledged then. */
export function modalOpener(
  action: Action,
  render: (context: ListenerContext, request: DecidableRequest & { by: Person }) => Promise<Result<ModalView, Refusal>>,
): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const key = parseApprovalValue(click.value);
    const by = context.person;
    const found = await findDecidableRequest(context, { key, by, action, message: click.message });
    const modal = found.ok ? await render(context, { ...found.value, by }) : found;
    await ack();
    if (modal.ok) await showModal(context, click, modal.value);
    else await tellRefusal(context, click, modal.refusal);
  };
}
