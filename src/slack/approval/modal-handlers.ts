import { type Choice, decide } from '../../core/approval/decide.ts';
import { ok } from '../../core/result.ts';
import type { OnClick, OnSubmit } from '../interaction/handlers.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { feedbackModal, readFeedback } from './feedback-modal.ts';
import { named } from './named.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from './note-modal.ts';
import { modalOpener } from './open-modal.ts';
import { ifNotesAreTaken, previewWithNote } from './preview-with-note.ts';
import { refusalAnswer } from './refused-click.ts';

export const onReject: OnClick = modalOpener('reject', (_, { card, policy }) =>
  ok(feedbackModal(card, policy.templates)),
);

export const onApproveWithNote: OnClick = modalOpener('approve', (context, { card }) =>
  ifNotesAreTaken(context, card.crew, noteModal(card)),
);

/** All modals close once the decision is stored. */
export const onFeedback: OnSubmit = async (context, submission, ack) => {
  const { view, actor } = submission;
  const feedback = readFeedback(view.values);
  const choice: Choice = { verdict: 'reject', feedback, text: feedback };
  const by = actor.person;
  const stored = await changeRequest(context, {
    ...{ key: parseApprovalValue(view.metadata), by, action: 'reject' },
    transition: (execution, { approvalId, now, ...permission }) =>
      decide(execution, approvalId, { choice, by, ...permission }, now),
  });
  await ack(
    stored.ok
      ? { kind: 'clear' }
      : await refusalAnswer(context, submission, { refusal: stored.refusal, typed: feedback }),
  );
};

/** The note is previewed as the crew will receive it, before anything is sent. */
export const onNote: OnSubmit = async (context, submission, ack) => {
  const { view, actor } = submission;
  const note = readNote(view.values);
  const key = parseApprovalValue(view.metadata);
  const by = await named(context, actor.person);
  const preview = await previewWithNote(context, { key, by, note });
  if (preview.ok && note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  await ack(
    preview.ok
      ? { kind: 'push', view: notePreviewModal(preview.value) }
      : await refusalAnswer(context, submission, { refusal: preview.refusal, typed: note }),
  );
};

/** Where the preview said how soon this is, its button confirms that, too. */
export const onNoteConfirmed: OnSubmit = async (context, submission, ack) => {
  const { view, actor } = submission;
  const confirmed = parseNote(view.metadata);
  const { note = '', review = 'unasked' } = confirmed ?? {};
  const choice: Choice = { verdict: 'approve', feedback: note, text: note };
  const by = await named(context, actor.person);
  const stored = await changeRequest(context, {
    ...{ key: confirmed, by, action: 'approve' },
    transition: (execution, { approvalId, now, ...permission }) => {
      const decided = decide(execution, approvalId, { choice, by, review, ...permission }, now);
      return decided.ok ? ifNotesAreTaken(context, execution.crew, decided.value) : decided;
    },
  });
  if (stored.ok) return ack({ kind: 'clear' });
  const asked =
    stored.refusal.kind === 'too-soon' ? await previewWithNote(context, { key: confirmed, by, note }) : stored;
  await ack(
    asked.ok
      ? { kind: 'update', view: notePreviewModal(asked.value) }
      : await refusalAnswer(context, submission, { refusal: asked.refusal, typed: note }),
  );
};
