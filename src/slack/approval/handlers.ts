import type { Refusal } from '../../core/approval/decide.ts';
import { ok } from '../../core/result.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { Desk } from '../interaction/listener-context.ts';
import type { Submission } from '../interaction/submission.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import type { Choose } from './decision.ts';
import {
  giveDecision,
  giveSendAgain,
  ifNotesAreTaken,
  noteCopy,
  openFace,
  openForDecision,
  tellRefusal,
} from './decision.ts';
import { FEEDBACK_BLOCK, feedbackModal, readFeedback } from './feedback-modal.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from './note-modal.ts';

export const onApprove: OnClick = async (desk, click, ack) => {
  const given = await giveDecision(desk, parseApprovalValue(click.value), {
    actor: click.actor,
    choose: ({ crew }) =>
      ok({ verdict: 'approve', feedback: null, text: desk.crews.get(crew)?.approvalText ?? 'Approved.' }),
  });
  await ack();
  if (given.ok) await noteCopy(desk, click);
  else await tellRefusal(desk, click, given.refusal);
};

export const onReject: OnClick = (desk, click, ack) =>
  openForDecision(desk, click, { ack, view: (face) => ok(feedbackModal(face)) });

export const onApproveWithNote: OnClick = (desk, click, ack) =>
  openForDecision(desk, click, { ack, view: (face) => ifNotesAreTaken(desk, face.crew, noteModal(face)) });

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
  const choice = { verdict: 'reject', feedback, text: feedback } as const;
  await ack(await answerTo(desk, submission, { key, typed: feedback, choose: () => ok(choice) }));
};

/** The note is shown as the crew will receive it before anything is sent. */
export const onNote: OnSubmit = async (desk, { view }, ack) => {
  const note = readNote(view.values);
  if (note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  const face = await openFace(desk, parseApprovalValue(view.metadata));
  const preview = face.ok ? ifNotesAreTaken(desk, face.value.crew, notePreviewModal(face.value, note)) : face;
  await ack(preview.ok ? { kind: 'push', view: preview.value } : await givenBack(desk, preview.refusal, note));
};

export const onNoteConfirmed: OnSubmit = async (desk, submission, ack) => {
  const confirmed = parseNote(submission.view.metadata);
  const note = confirmed?.note ?? '';
  const choice = { verdict: 'approve', feedback: note, text: note } as const;
  const choose: Choose = ({ crew }) => ifNotesAreTaken(desk, crew, choice);
  await ack(await answerTo(desk, submission, { key: confirmed, typed: note, choose }));
};

/** All modals close once the decision is stored; who was too late gets their words back. */
async function answerTo(
  desk: Desk,
  { actor }: Submission,
  { key, typed, choose }: { key: ApprovalKey | null; typed: string; choose: Choose },
): Promise<SubmissionAnswer> {
  const given = await giveDecision(desk, key, { actor, choose });
  return given.ok ? { kind: 'clear' } : givenBack(desk, given.refusal, typed);
}

async function givenBack(desk: Desk, refusal: Refusal, typed: string): Promise<SubmissionAnswer> {
  const name = await desk.namesOf(refusal.kind === 'already-decided' ? refusal.decision.by : null);
  return { kind: 'update', view: lateFeedbackModal(refusal, typed, name) };
}
