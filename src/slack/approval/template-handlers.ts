import type { OnClick } from '../interaction/handlers.ts';
import { updateModal } from '../interaction/modals.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { feedbackModal, readDraft } from './feedback-modal.ts';
import { findDecidableRequest } from './find-decidable-request.ts';
import { tellRefusal } from './refused-click.ts';
import { withTemplate } from './template-picker.ts';

/** Puts a template into the feedback that is being written; sends nothing. */
export const onPickTemplate: OnClick = async (context, click, ack) => {
  const { view, value: name, actor } = click;
  const key = view && parseApprovalValue(view.metadata);
  const found = await findDecidableRequest(context, { key, by: actor.person, action: 'reject' });
  await ack();
  if (!found.ok) return tellRefusal(context, { ...click, value: view?.metadata ?? '' }, found.refusal);
  if (!view) return;
  const { card, policy } = found.value;
  const { text, edition } = readDraft(view.values);
  const draft = { ...withTemplate(text, policy.templates, name), edition: edition + 1 };
  // With the hash, of two choices in a row the one that knows only the older text doesn't replace the newer one.
  await updateModal(context, { viewId: view.id, hash: view.hash }, feedbackModal(card, policy.templates, draft));
};
