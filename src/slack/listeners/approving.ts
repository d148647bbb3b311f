import type { Choice } from '../../core/decide.ts';
import type { Desk } from '../desk.ts';
import type { Submission } from '../payloads/view.ts';
import type { ApprovalKey } from '../views/button-value.ts';
import { parseApprovalValue } from '../views/button-value.ts';
import { FEEDBACK_BLOCK, feedbackModal, readFeedback } from '../views/feedback-modal.ts';
import { lateFeedbackModal } from '../views/late-feedback-modal.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from '../views/note-modal.ts';
import { giveDecision, giveSendAgain, noteCopy, openForDecision, tellRefusal } from './decision.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from './handlers.ts';

export const onApprove: OnClick = async (desk, click, ack) => {
  const given = await giveDecision(desk, parseApprovalValue(click.value), {
    actor: click.actor,
    choose: ({ crew }) => ({
      verdict: 'approve',
      feedback: null,
      text: desk.crews.get(crew)?.approvalText ?? 'Approved.',
    }),
  });
  await ack();
  if (given.ok) await noteCopy(desk, click);
  else await tellRefusal(desk, click, given.refusal);
};

export const onReject: OnClick = (desk, click, ack) => openForDecision(desk, click, { ack, view: feedbackModal });

export const onApproveWithNote: OnClick = (desk, click, ack) => openForDecision(desk, click, { ack, view: noteModal });

export const onSendAgain: OnClick = async (desk, click, ack) => {
  const given = await giveSendAgain(desk, parseApprovalValue(click.value), click.actor);
  await ack();
  if (given.ok) await noteCopy(desk, click);
  else await tellRefusal(desk, click, given.refusal);
};

export const onFeedback: OnSubmit = async (desk, submission, ack) => {
  const feedback = readFeedback(submission.view.values);
  if (feedback === '')
    return ack({ kind: 'errors', errors: { [FEEDBACK_BLOCK]: 'Please write what should be better.' } });
  const key = parseApprovalValue(submission.view.metadata);
  await ack(await answerTo(desk, submission, key, { verdict: 'reject', feedback, text: feedback }));
};

/** The note is shown as the crew will receive it before anything is sent. */
export const onNote: OnSubmit = async (desk, { view }, ack) => {
  const note = readNote(view.values);
  if (note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  const key = parseApprovalValue(view.metadata);
  const found = key && (await desk.store.load(key.ref));
  if (!found) return ack({ kind: 'clear' });
  await ack({ kind: 'push', view: notePreviewModal({ ...key, crew: found.execution.crew }, note) });
};

export const onNoteConfirmed: OnSubmit = async (desk, submission, ack) => {
  const confirmed = parseNote(submission.view.metadata);
  const note = confirmed?.note ?? '';
  await ack(await answerTo(desk, submission, confirmed, { verdict: 'approve', feedback: note, text: note }));
};

/** All modals close once the decision is stored; who was too late gets their words back. */
async function answerTo(
  desk: Desk,
  { actor }: Submission,
  key: ApprovalKey | null,
  choice: Choice & { feedback: string },
): Promise<SubmissionAnswer> {
  const given = await giveDecision(desk, key, { actor, choose: () => choice });
  if (given.ok) return { kind: 'clear' };
  const { refusal } = given;
  const name = await desk.namesOf(refusal.kind === 'already-decided' ? refusal.decision.by : null);
  return { kind: 'update', view: lateFeedbackModal(refusal, choice.feedback, name) };
}
