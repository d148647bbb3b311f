// Editing a text: what the edits come to is sent to the crew as feedback.
import type { Person } from '../../../core/approval/approval.ts';
import type { Refusal } from '../../../core/approval/permission.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { ActionListener, ListenerContext, ViewAnswer, ViewListener } from '../../app/context.ts';
import { sayOf } from '../../language/say.ts';
import { type ApprovalKey, keyOf, parseApprovalValue } from '../../ui/button-value.ts';
import { READABLE_LENGTH, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { answerModal } from '../../ui/modal.ts';
import { type DecidableRequest, findDecidableRequest } from '../approval/change-request.ts';
import { editPreviewModal } from '../approval/feedback-modal.ts';
import { modalOpener, refusalAnswer } from '../approval/refusal.ts';
import type { Span } from './edit.ts';
import { editsAsFeedback } from './edit-list.ts';
import { findEdits } from './find-edits.ts';
import { editModal, parseEditKey, readEdited, readSection, SECTION_BLOCK, sectionModal, TEXT_BLOCK } from './modals.ts';
import { editableText, sectionsOf } from './sections.ts';

/** Opens the text, or the choice of a part of it. */
export const onEdit: ActionListener = modalOpener('reject', async (context, { card, policy }) => {
  if (policy.comment.reject === 'none') return refuse({ kind: 'feedback-not-taken' });
  const say = await context.say();
  const { length } = card.output;
  if (length > READABLE_LENGTH)
    return ok(
      answerModal(say, {
        title: say('edit.title'),
        text: say('edit.too-long', { count: length, most: READABLE_LENGTH }),
      }),
    );
  const text = await textOf(context, card);
  const sections = sectionsOf(text);
  const [span] = sections;
  if (!span) return ok(answerModal(say, { title: say('edit.title'), text: say('edit.nothing') }));
  if (sections.length > 1) return ok(sectionModal(keyOf(card), sections, say));
  return ok(editModal(card, { text, span, close: 'cancel' }, say));
});

/** The part that was chosen opens on top, so that another one can be chosen afterwards. */
export const onSectionChosen: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const found = await findEditable(context, key, context.person);
  if (!found.ok) return ack(await refusalAnswer(context, view, { refusal: found.refusal, typed: null }));
  const { card, text } = found.value;
  const say = await context.say();
  const span = readSection(view.state.values);
  await ack(
    span && isWithin(text, span)
      ? { response_action: 'push', view: editModal(card, { text, span, close: 'back' }, say) }
      : { response_action: 'errors', errors: { [SECTION_BLOCK]: say('edit.choose-part') } },
  );
};

/** The edits are shown as they will be sent, before anything is. */
export const onEdited: ViewListener = async ({ ack, context, view }) => {
  const key = parseEditKey(view.private_metadata);
  const typed = readEdited(view.state.values);
  const found = await findEditable(context, key, context.person);
  if (!found.ok || !key) {
    const refusal: Refusal = found.ok ? { kind: 'unknown' } : found.refusal;
    return ack(await refusalAnswer(context, view, { refusal, typed }));
  }
  await ack(await previewOf(context, found.value, { span: key, typed }));
};

async function previewOf(
  context: ListenerContext,
  { card, text }: Editable,
  { span, typed }: { span: Span; typed: string },
): Promise<ViewAnswer> {
  const say = await context.say();
  const edits = findEdits(text, { ...span, replace: typed });
  if (edits.length === 0) return fieldError(say('edit.unchanged'));
  const feedback = editsAsFeedback(edits, sayOf(context.crews.get(card.crew)).language);
  if (feedback.length > TYPED_TEXT_LIMIT)
    return fieldError(say('edit.too-many', { count: feedback.length, most: TYPED_TEXT_LIMIT }));
  return { response_action: 'push', view: editPreviewModal(card, { count: edits.length, feedback }, say) };
}

function fieldError(text: string): ViewAnswer {
  return { response_action: 'errors', errors: { [TEXT_BLOCK]: text } };
}

/** A request that can still be decided, with its text as people edit it. */
interface Editable extends Pick<DecidableRequest, 'card'> {
  text: string;
}

async function findEditable(
  context: ListenerContext,
  key: ApprovalKey | null,
  by: Person,
): Promise<Result<Editable, Refusal>> {
  const found = await findDecidableRequest(context, { key, by, action: 'reject' });
  if (!found.ok) return found;
  const { card } = found.value;
  return ok({ card, text: await textOf(context, card) });
}

/** Empty if it is no longer stored. */
async function textOf({ outputs }: ListenerContext, { ref, output }: DecidableRequest['card']): Promise<string> {
  return editableText((await outputs.get(ref, output.hash)) ?? '');
}

function isWithin(text: string, { start, end }: Span): boolean {
  return start < end && end <= text.length && end - start <= TYPED_TEXT_LIMIT;
}
