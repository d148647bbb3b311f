import { showModal } from '../app/answers.ts';
import { type Click, clickOf } from '../app/click.ts';
import type { Ack, ActionListener, ListenerContext } from '../app/context.ts';
import { updateModal } from '../app/modals.ts';
import { tellRefusal } from '../features/approval/refusal.ts';
import { jumpedTo } from '../reading/heading-jump.ts';
import { type ApprovalKey, parseApprovalValue } from '../ui/button-value.ts';
import { findReview } from './find-review.ts';
import { parseReviewPage } from './review-key.ts';

/** In a modal it takes the place of what that shows, so that there is room for the forms above it. */
export const onReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  return show(context, click, { ack, key: parseApprovalValue(click.value), page: 0 });
};

export const onTurnReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const { key = null, page = 0 } = parseReviewPage(click.value) ?? {};
  return show(context, click, { ack, key, page });
};

export const onJumpInReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const value = click.view?.private_metadata ?? '';
  return show(context, { ...click, value }, { ack, key: parseApprovalValue(value), page: jumpedTo(click.value) });
};

async function show(
  context: ListenerContext,
  click: Click,
  { ack, key, page }: { ack: Ack; key: ApprovalKey | null; page: number },
): Promise<void> {
  const view = await findReview(context, { key, page });
  await ack();
  if (!view.ok) return tellRefusal(context, click, view.refusal);
  if (click.view) await updateModal(context, { viewId: click.view.id, hash: click.view.hash }, view.value);
  else await showModal(context, click, view.value);
}
