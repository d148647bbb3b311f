import type { ViewOutput } from '@slack/bolt';
import { type Choice, decide } from '../../core/approval/decide.ts';
import { ok } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener, ViewAck, ViewListener } from '../interaction/listeners.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { type ApproveWithNote, approveWithNote } from './approve-with-note.ts';
import { changeRequest } from './change-request.ts';
import { readFeedback } from './feedback-draft.ts';
import { feedbackModal } from './feedback-modal.ts';
import { findFeedbackForm } from './find-feedback-form.ts';
import { keepFeedback } from './keep-feedback.ts';
import { named } from './named.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, parseSending, readNote } from './note-modal.ts';
import { modalOpener } from './open-modal.ts';
import { ifNotesAreTaken, isNoteAlone, previewWithNote } from './preview-with-note.ts';
import { refusalAnswer } from './refused-click.ts';
import { ackStored } from './show-outcome.ts';

export const onReject: ActionListener = modalOpener('reject', async (context, request) =>
  ok(feedbackModal(await findFeedbackForm(context, request, request.by.id), await context.say())),
);

export const onApproveWithNote: ActionListener = modalOpener('approve', async (context, request) => {
  const form = noteModal(request.card, isNoteAlone(request) ? 'as-typed' : 'with-others', await context.say());
  return ifNotesAreTaken(context, request.card.crew, form);
});

export const onFeedback: ViewListener = async ({ ack, context, view }) => {
  const feedback = readFeedback(view.state.values);
  const choice: Choice = { verdict: 'reject', feedback, text: feedback };
  const by = context.person;
  const key = parseApprovalValue(view.private_metadata);
  const stored = await changeRequest(context, {
    ...{ key, by, action: 'reject' },
    transition: (execution, { approvalId, now, ...permission }) =>
      decide(execution, approvalId, { choice, by, ...permission }, now),
  });
  if (!stored.ok) return ack(await refusalAnswer(context, view, { refusal: stored.refusal, typed: feedback }));
  await ackStored(context, view, { execution: stored.value, key, verdict: 'reject', by, ack });
  await keepFeedback(context, stored.value, { by, feedback });
};

/** A note that is sent together with others is previewed as the crew will receive it, before anything is sent. */
export const onNote: ViewListener = async ({ ack, context, view }) => {
  const note = readNote(view.state.values);
  const key = parseApprovalValue(view.private_metadata);
  const by = await named(context, context.person);
  const preview = await previewWithNote(context, { key, by, note });
  const say = await context.say();
  if (!preview.ok) return ack(await refusalAnswer(context, view, { refusal: preview.refusal, typed: note }));
  if (note === '') return ack({ response_action: 'errors', errors: { [NOTE_BLOCK]: say('note.missing') } });
  const isAsTyped = parseSending(view.private_metadata) === 'as-typed' && preview.value.text === note;
  if (!isAsTyped || preview.value.soonMs !== null)
    return ack({ response_action: 'push', view: notePreviewModal(preview.value, say) });
  await approve(context, view, { key, by, note, review: 'unasked', ack });
};

/** Where the preview said how soon this is, its button confirms that, too. */
export const onNoteConfirmed: ViewListener = async ({ ack, context, view }) => {
  const confirmed = parseNote(view.private_metadata);
  const { note = '', review = 'unasked' } = confirmed ?? {};
  const by = await named(context, context.person);
  await approve(context, view, { key: confirmed, by, note, review, ack });
};

/** Approves, or says why not, or asks once more. */
async function approve(
  context: ListenerContext,
  view: ViewOutput,
  { ack, ...approval }: ApproveWithNote & { ack: ViewAck },
): Promise<void> {
  const { key, by, note } = approval;
  const stored = await approveWithNote(context, approval);
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', by, ack });
  const asked = stored.refusal.kind === 'too-soon' ? await previewWithNote(context, approval) : stored;
  await ack(
    asked.ok
      ? { response_action: 'update', view: notePreviewModal(asked.value, await context.say()) }
      : await refusalAnswer(context, view, { refusal: asked.refusal, typed: note }),
  );
}
