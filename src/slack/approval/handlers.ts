import type { Refusal } from '../../core/approval/decide.ts';
import { ok } from '../../core/result.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Submission } from '../interaction/submission.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import type { Choose } from './decision.ts';
import {
  giveDecision,
  giveSendAgain,
  ifNotesAreTaken,
  openCardModel,
  openForDecision,
  recordCopy,
  tellRefusal,
} from './decision.ts';
import { FEEDBACK_BLOCK, feedbackModal, readFeedback } from './feedback-modal.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from './note-modal.ts';

export const onApprove: OnClick = async (context, click, ack) => {
  const given = await giveDecision(context, parseApprovalValue(click.value), {
    actor: click.actor,
    choose: ({ crew }) =>
      ok({ verdict: 'approve', feedback: null, text: context.crews.get(crew)?.approvalText ?? 'Approved.' }),
  });
  await ack();
  if (given.ok) await recordCopy(context, click);
  else await tellRefusal(context, click, given.refusal);
};

export const onReject: OnClick = (context, click, ack) =>
  openForDecision(context, click, { ack, view: (model) => ok(feedbackModal(model)) });

export const onApproveWithNote: OnClick = (context, click, ack) =>
  openForDecision(context, click, { ack, view: (model) => ifNotesAreTaken(context, model.crew, noteModal(model)) });

export const onSendAgain: OnClick = async (context, click, ack) => {
  const given = await giveSendAgain(context, parseApprovalValue(click.value), click.actor);
  await ack();
  if (given.ok) await recordCopy(context, click);
  else await tellRefusal(context, click, given.refusal);
};

export const onFeedback: OnSubmit = async (context, submission, ack) => {
  const feedback = readFeedback(submission.view.values);
  if (feedback === '')
    return ack({ kind: 'errors', errors: { [FEEDBACK_BLOCK]: 'Please write what should be better.' } });
  const key = parseApprovalValue(submission.view.metadata);
  const choice = { verdict: 'reject', feedback, text: feedback } as const;
  await ack(await answerTo(context, submission, { key, typed: feedback, choose: () => ok(choice) }));
};

/** The note is shown as the crew will receive it before anything is sent. */
export const onNote: OnSubmit = async (context, { view }, ack) => {
  const note = readNote(view.values);
  if (note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  const model = await openCardModel(context, parseApprovalValue(view.metadata));
  const preview = model.ok ? ifNotesAreTaken(context, model.value.crew, notePreviewModal(model.value, note)) : model;
  await ack(preview.ok ? { kind: 'push', view: preview.value } : await givenBack(context, preview.refusal, note));
};

export const onNoteConfirmed: OnSubmit = async (context, submission, ack) => {
  const confirmed = parseNote(submission.view.metadata);
  const note = confirmed?.note ?? '';
  const choice = { verdict: 'approve', feedback: note, text: note } as const;
  const choose: Choose = ({ crew }) => ifNotesAreTaken(context, crew, choice);
  await ack(await answerTo(context, submission, { key: confirmed, typed: note, choose }));
};

/** All modals close once the decision is stored; who was too late gets their words back. */
async function answerTo(
  context: ListenerContext,
  { actor }: Submission,
  { key, typed, choose }: { key: ApprovalKey | null; typed: string; choose: Choose },
): Promise<SubmissionAnswer> {
  const given = await giveDecision(context, key, { actor, choose });
  return given.ok ? { kind: 'clear' } : givenBack(context, given.refusal, typed);
}

async function givenBack(context: ListenerContext, refusal: Refusal, typed: string): Promise<SubmissionAnswer> {
  const name = await context.namesOf(refusal.kind === 'already-decided' ? refusal.decision.by : null);
  return { kind: 'update', view: lateFeedbackModal(refusal, typed, name) };
}
