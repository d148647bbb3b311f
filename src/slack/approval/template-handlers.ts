import { clickOf } from '../interaction/click.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import { updateModal } from '../interaction/modals.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { readDraft } from './feedback-draft.ts';
import { feedbackModal } from './feedback-modal.ts';
import { findDecidableRequest } from './find-decidable-request.ts';
import { type FeedbackForm, findFeedbackForm } from './find-feedback-form.ts';
import { tellRefusal } from './refused-click.ts';
import { type OfferedText, offeredRecent, offeredTemplates, withOffered } from './template-picker.ts';

export const onPickTemplate: ActionListener = picking(({ templates }) => offeredTemplates(templates));

export const onPickRecent: ActionListener = picking(({ recent }) => offeredRecent(recent));

/** Puts a text into the feedback that is being written; sends nothing. */
function picking(offeredIn: (form: FeedbackForm) => OfferedText[]): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const { view, value } = click;
    const key = view && parseApprovalValue(view.private_metadata);
    const found = await findDecidableRequest(context, { key, by: context.person, action: 'reject' });
    const form = found.ok ? await findFeedbackForm(context, found.value, context.person.id) : null;
    await ack();
    if (!found.ok) return tellRefusal(context, { ...click, value: view?.private_metadata ?? '' }, found.refusal);
    if (!view || !form) return;
    const say = await context.say();
    const { text, edition } = readDraft(view.state.values);
    const chosen = offeredIn(form).find((each) => each.value === value);
    const draft = { ...withOffered(text, chosen, say), edition: edition + 1 };
    // With the hash, of two choices in a row the one that knows only the older text doesn't replace the newer one.
    await updateModal(context, { viewId: view.id, hash: view.hash }, feedbackModal(form, say, draft));
  };
}
