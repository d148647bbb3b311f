import type { ModalView } from '@slack/types';
import type { Choice, Refusal } from '../../core/approval/decide.ts';
import { decide } from '../../core/approval/decide.ts';
import type { PersonFacts } from '../../core/approval/policy.ts';
import { sendAgain } from '../../core/approval/resume.ts';
import { APPROVAL_TEXT } from '../../core/crew.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { AckClick, OnPolicyClick, OnPolicySubmit } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest, findDecidableCard } from './change-request.ts';
import { feedbackModal, readFeedback } from './feedback-modal.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from './note-modal.ts';
import { refusalAnswer, tellRefusal } from './refused-click.ts';

export const onApprove: OnPolicyClick = async (context, click, { ack, facts }) => {
  const by = click.actor.person;
  const stored = await changeRequest(context, {
    ...{ key: parseApprovalValue(click.value), by, facts, event: 'approved', cardTs: click.message?.ts },
    transition: (execution, { approvalId, now, ...permission }) => {
      const text = context.crews.get(execution.crew)?.approvalText ?? APPROVAL_TEXT;
      return decide(
        execution,
        approvalId,
        { choice: { verdict: 'approve', feedback: null, text }, by, ...permission },
        now,
      );
    },
  });
  await finish(context, click, { ack, stored });
};

export const onSendAgain: OnPolicyClick = async (context, click, { ack, facts }) => {
  const stored = await changeRequest(context, {
    ...{ key: parseApprovalValue(click.value), by: click.actor.person, facts, event: 'asked to send again' },
    cardTs: click.message?.ts,
    transition: (execution, { approvalId, now, ...permission }) => sendAgain(execution, approvalId, permission, now),
  });
  await finish(context, click, { ack, stored });
};

async function finish(
  context: ListenerContext,
  click: Click,
  { ack, stored }: { ack: AckClick; stored: Result<null, Refusal> },
): Promise<void> {
  await ack();
  if (!stored.ok) await tellRefusal(context, click, stored.refusal);
}

export const onReject: OnPolicyClick = (context, click, asked) =>
  openModalAbout(context, click, { ...asked, render: (card) => ok(feedbackModal(card)) });

export const onApproveWithNote: OnPolicyClick = (context, click, asked) =>
  openModalAbout(context, click, {
    ...asked,
    render: (card) => ifNotesAreTaken(context, card.crew, noteModal(card)),
  });

/** Throws before the ack when the request can't be read. */
async function openModalAbout(
  context: ListenerContext,
  click: Click,
  {
    ack,
    facts,
    render,
  }: { ack: AckClick; facts: PersonFacts; render: (card: CardModel) => Result<ModalView, Refusal> },
): Promise<void> {
  const card = await findDecidableCard(context, parseApprovalValue(click.value), facts);
  await ack();
  const modal = card.ok ? render(card.value) : card;
  if (modal.ok) await showModal(context, click, modal.value);
  else await tellRefusal(context, click, modal.refusal);
}

/** All modals close once the decision is stored. */
export const onFeedback: OnPolicySubmit = async (context, { view, actor }, { ack, facts }) => {
  const feedback = readFeedback(view.values);
  const choice: Choice = { verdict: 'reject', feedback, text: feedback };
  const by = actor.person;
  const stored = await changeRequest(context, {
    ...{ key: parseApprovalValue(view.metadata), by, facts, event: 'rejected' },
    transition: (execution, { approvalId, now, ...permission }) =>
      decide(execution, approvalId, { choice, by, ...permission }, now),
  });
  await ack(stored.ok ? { kind: 'clear' } : await refusalAnswer(context, stored.refusal, feedback));
};

/** The note is previewed as the crew will receive it, before anything is sent. */
export const onNote: OnPolicySubmit = async (context, { view }, { ack, facts }) => {
  const note = readNote(view.values);
  const card = await findDecidableCard(context, parseApprovalValue(view.metadata), facts);
  if (card.ok && note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  const preview = card.ok ? ifNotesAreTaken(context, card.value.crew, notePreviewModal(card.value, note)) : card;
  await ack(preview.ok ? { kind: 'push', view: preview.value } : await refusalAnswer(context, preview.refusal, note));
};

export const onNoteConfirmed: OnPolicySubmit = async (context, { view, actor }, { ack, facts }) => {
  const confirmed = parseNote(view.metadata);
  const note = confirmed?.note ?? '';
  const choice: Choice = { verdict: 'approve', feedback: note, text: note };
  const by = actor.person;
  const stored = await changeRequest(context, {
    ...{ key: confirmed, by, facts, event: 'approved with a note' },
    transition: (execution, { approvalId, now, ...permission }) => {
      const decided = decide(execution, approvalId, { choice, by, ...permission }, now);
      return decided.ok ? ifNotesAreTaken(context, execution.crew, decided.value) : decided;
    },
  });
  await ack(stored.ok ? { kind: 'clear' } : await refusalAnswer(context, stored.refusal, note));
};

/** The button that asks for a note may be older than the setting that no longer takes any. */
function ifNotesAreTaken<Value>({ crews }: ListenerContext, crew: string, value: Value): Result<Value, Refusal> {
  return crews.get(crew)?.approvalNotes === false ? refuse({ kind: 'notes-not-taken' }) : ok(value);
}
