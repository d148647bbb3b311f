import type { ModalView } from '@slack/types';
import { type Choice, decide, findDecidable } from '../../core/approval/decide.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { findApproval } from '../../core/execution/execution.ts';
import type { Action } from '../../core/ledger/note-refusal.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Actor } from '../interaction/actor.ts';
import { showModal } from '../interaction/answers.ts';
import type { OnClick, OnSubmit } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { feedbackModal, readFeedback } from './feedback-modal.ts';
import { NOTE_BLOCK, noteModal, notePreviewModal, parseNote, readNote } from './note-modal.ts';
import { refusalAnswer, tellRefusal } from './refused-click.ts';

export const onReject: OnClick = modalOpener('reject', (_, card) => ok(feedbackModal(card)));

export const onApproveWithNote: OnClick = modalOpener('approve', (context, card) =>
  ifNotesAreTaken(context, card.crew, noteModal(card)),
);

function modalOpener(
  action: Action,
  render: (context: ListenerContext, card: CardModel) => Result<ModalView, Refusal>,
): OnClick {
  return async (context, click, ack) => {
    const card = await findCard(context, parseApprovalValue(click.value), click.actor, action);
    await ack();
    const modal = card.ok ? render(context, card.value) : card;
    if (modal.ok) await showModal(context, click, modal.value);
    else await tellRefusal(context, click, modal.refusal);
  };
}

/** The card of a request that this person can still decide, for a modal about it. */
async function findCard(
  context: ListenerContext,
  key: ApprovalKey | null,
  { person: by }: Actor,
  action: Action,
): Promise<Result<CardModel, Refusal>> {
  const found = await changeRequest(context, {
    ...{ key, by, action },
    transition: (execution, { approvalId, now: _, ...permission }) => {
      const decidable = findDecidable(execution, approvalId, by.id, permission);
      return decidable.ok ? ok(execution) : decidable;
    },
  });
  const approval = found.ok && key ? findApproval(found.value, key.approvalId) : null;
  if (!found.ok) return found;
  return approval ? ok(cardModel(found.value, approval)) : refuse({ kind: 'unknown' });
}

/** All modals close once the decision is stored. */
export const onFeedback: OnSubmit = async (context, { view, actor }, ack) => {
  const feedback = readFeedback(view.values);
  const choice: Choice = { verdict: 'reject', feedback, text: feedback };
  const by = actor.person;
  const stored = await changeRequest(context, {
    ...{ key: parseApprovalValue(view.metadata), by, action: 'reject' },
    transition: (execution, { approvalId, now, ...permission }) =>
      decide(execution, approvalId, { choice, by, ...permission }, now),
  });
  await ack(stored.ok ? { kind: 'clear' } : await refusalAnswer(context, stored.refusal, feedback));
};

/** The note is previewed as the crew will receive it, before anything is sent. */
export const onNote: OnSubmit = async (context, { view, actor }, ack) => {
  const note = readNote(view.values);
  const card = await findCard(context, parseApprovalValue(view.metadata), actor, 'approve');
  if (card.ok && note === '')
    return ack({ kind: 'errors', errors: { [NOTE_BLOCK]: 'Please write a note, or approve without one.' } });
  const preview = card.ok ? ifNotesAreTaken(context, card.value.crew, notePreviewModal(card.value, note)) : card;
  await ack(preview.ok ? { kind: 'push', view: preview.value } : await refusalAnswer(context, preview.refusal, note));
};

export const onNoteConfirmed: OnSubmit = async (context, { view, actor }, ack) => {
  const confirmed = parseNote(view.metadata);
  const note = confirmed?.note ?? '';
  const choice: Choice = { verdict: 'approve', feedback: note, text: note };
  const by = actor.person;
  const stored = await changeRequest(context, {
    ...{ key: confirmed, by, action: 'approve' },
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
