import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import type { Person, Verdict } from '../../core/approval/approval.ts';
import { policyFor } from '../../core/approval/policy/policy.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import { showModal } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ViewAck } from '../interaction/listeners.ts';
import { updateModal } from '../interaction/modals.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { nextRequestBlocks } from './next-request.ts';
import { outcomeModal, takenBackModal } from './outcome-modal.ts';

/** A decision or vote that is stored. */
interface Stored {
  execution: Execution;
  key: ApprovalKey | null;
  verdict: Verdict;
  by: Person;
}

/** Says what came of a decision in the modal that was clicked. Never throws. */
export async function showOutcome(context: ListenerContext, viewId: string, stored: Stored): Promise<void> {
  const { key: seen, by } = stored;
  const next = seen && (await nextRequestBlocks(context, { personId: by.id, seen }));
  const view = await outcomeOf(context, stored, next ?? []);
  if (view) await updateModal(context, { viewId }, view);
}

/** Says that the request waits again: in the modal that was clicked if it is about this request alone. Never throws. */
export async function showTakenBack(
  context: ListenerContext,
  click: Click,
  { execution, key }: Pick<Stored, 'execution' | 'key'>,
): Promise<void> {
  const approval = findApproval(execution, key?.approvalId ?? '');
  if (!approval) return;
  const view = takenBackModal(cardModel(execution, approval), await context.say());
  if (click.view && key?.isRead) await updateModal(context, { viewId: click.view.id }, view);
  else await showModal(context, click, view);
}

/**
 * Closes the form of a decision that is stored. Where it lies on the modal in which the text is read, that one says what came of
 * it; where it lies higher, the form does, since Slack closes either one modal or all.
 * https://docs.slack.dev/surfaces/modals#response_actions
 */
export async function ackStored(
  context: ListenerContext,
  { id, previous_view_id: previousId, root_view_id: rootId }: ViewOutput,
  { ack, ...stored }: Stored & { ack: ViewAck },
): Promise<void> {
  if (!stored.key?.isRead || previousId === null) return ack({ response_action: 'clear' });
  if (previousId === (rootId ?? id)) {
    await ack();
    return showOutcome(context, rootId ?? id, stored);
  }
  const view = await outcomeOf(context, stored);
  await ack(
    view ? { response_action: 'update', view: { ...view, clear_on_close: true } } : { response_action: 'clear' },
  );
}

async function outcomeOf(
  context: ListenerContext,
  { execution, key, verdict }: Stored,
  next: readonly KnownBlock[] = [],
): Promise<ModalView | null> {
  const approval = findApproval(execution, key?.approvalId ?? '');
  if (!approval) return null;
  const quorum = policyFor(context.rulesOf(execution.crew).policy, approval)?.quorum ?? 1;
  return outcomeModal({ model: cardModel(execution, approval), verdict, quorum, next }, await context.say());
}
