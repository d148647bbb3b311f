import type { ViewOutput } from '@slack/bolt';
import { askApprovers } from '../../../core/approval/alerts.ts';
import type { Person } from '../../../core/approval/approval.ts';
import { type Choice, decide, undo, withdraw } from '../../../core/approval/decide.ts';
import { sendAgain } from '../../../core/approval/resume.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import { ok } from '../../../core/result.ts';
import { showModal, tell } from '../../app/answers.ts';
import { type Click, clickOf } from '../../app/click.ts';
import type { ActionListener, ListenerContext, ViewAck, ViewListener } from '../../app/context.ts';
import { updateModal } from '../../app/modals.ts';
import { within } from '../../directory/directory.ts';
import { parseApprovalValue } from '../../ui/button-value.ts';
import { parseEdits } from '../edit/edit-list.ts';
import { approveUnasked, type Change, changeRequest, plainApproval } from './change-request.ts';
import { findDecidableRequest } from './decidable-request.ts';
import {
  type FeedbackForm,
  feedbackModal,
  findFeedbackForm,
  type OfferedText,
  offeredRecent,
  offeredTemplates,
  readDraft,
  readFeedback,
  withOffered,
} from './feedback.ts';
import {
  type ApproveWithNote,
  approveSoonModal,
  approveWithNote,
  ifNotesAreTaken,
  isNoteAlone,
  NOTE_BLOCK,
  noteModal,
  notePreviewModal,
  parseNote,
  parseSending,
  previewWithNote,
  readNote,
} from './note.ts';
import { ackStored, showOutcome, showTakenBack } from './outcome.ts';
import { explainRefusal, modalOpener, refusalAnswer, tellRefusal } from './refusal.ts';

/** A click that comes too soon is asked about. */
export const onApprove: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseApprovalValue(click.value);
  const { person: by } = context;
  const { stored, isRepeated } = await approveUnasked(context, { key, by, message: click.message });
  await ack();
  if (stored.ok && click.view)
    return showOutcome(context, click.view.id, { execution: stored.value, key, verdict: 'approve', by });
  if (stored.ok) return isRepeated ? tellVoted(context, click, stored.value) : undefined;
  if (key && stored.refusal.kind === 'too-soon')
    await showModal(context, click, approveSoonModal(key, stored.refusal.afterMs, await context.say()));
  else await tellRefusal(context, click, stored.refusal);
};

/** The card doesn't show that the person has voted before. */
async function tellVoted(context: ListenerContext, click: Click, execution: Execution): Promise<void> {
  const approvalId = parseApprovalValue(click.value)?.approvalId ?? '';
  if (findApproval(execution, approvalId)?.status !== 'pending') return;
  const say = await context.say();
  await tell(context, click, { title: say('refusal.voted-title'), text: say('refusal.voted-already') });
}

export const onApproveSoon: ViewListener = async ({ ack, context, view }) => {
  const { person: by } = context;
  const key = parseApprovalValue(view.private_metadata);
  const stored = await changeRequest(context, { key, ...plainApproval(context, by, 'confirmed') });
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', by, ack });
  await ack(await refusalAnswer(context, view, { refusal: stored.refusal, typed: null }));
};

export const onSendAgain: ActionListener = clickHandler((by) => ({
  action: 'send-again',
  transition: (execution, { approvalId, now, ...permission }) =>
    sendAgain(execution, approvalId, { by, ...permission }, now),
}));

export const onUndo: ActionListener = clickHandler(
  (by) => ({
    action: 'undo',
    transition: (execution, { approvalId, now, ...permission }) =>
      undo(execution, approvalId, { by, ...permission }, now),
  }),
  showTakenBack,
);

export const onWithdraw: ActionListener = clickHandler(
  (by) => ({
    action: 'withdraw',
    transition: (execution, { approvalId, revision, now }) => withdraw(execution, approvalId, { by, revision }, now),
  }),
  showTakenBack,
);

/** Handles a button that changes something at once. A card shows that itself, a modal doesn't. */
function clickHandler(
  changeOf: (by: Change['by']) => Pick<Change, 'action' | 'transition'>,
  show?: typeof showTakenBack,
): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const { person: by } = context;
    const key = parseApprovalValue(click.value);
    const stored = await changeRequest(context, { key, by, message: click.message, ...changeOf(by) });
    await ack();
    if (!stored.ok) return tellRefusal(context, click, stored.refusal);
    if (click.view) await show?.(context, click, { execution: stored.value, key });
  };
}

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
    key,
    by,
    action: 'reject',
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

/** Keeps feedback that was sent, to be offered to this person again; not edits, which are of one text. Never throws. */
async function keepFeedback(
  { recentFeedback, log }: ListenerContext,
  { ref, crew }: Execution,
  { by, feedback }: { by: Person; feedback: string },
): Promise<void> {
  if (parseEdits(feedback).length > 0) return;
  try {
    await recentFeedback.add(crew, by.id, feedback);
  } catch (error) {
    log.warn({ ref, crew, by: by.id, err: error }, 'could not keep feedback to be offered again');
  }
}

/** What is left of Slack's three seconds has to do for the facts about the person. */
const MOST_WAIT_MS = 500;

/** A person as the card names them, since the crew receives their note with their name; otherwise by their handle. Never throws. */
async function named({ people, log }: ListenerContext, { id, name }: Person): Promise<Person> {
  const found = await within(MOST_WAIT_MS, people.nameOf({ id, name }), { log, about: { person: id } });
  return { id, name: found ?? name };
}

/** Has those mentioned in the thread who can decide, on behalf of a person who can't. */
export const onAskApprovers: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { person: by } = context;
  const asked = await changeRequest(context, {
    key: parseApprovalValue(click.value),
    by,
    action: 'ask-approvers',
    transition: (execution, { approvalId, now, ...permission }) =>
      askApprovers(execution, approvalId, { by, ...permission }, now),
  });
  await ack();
  const say = await context.say();
  if (asked.ok) return tell(context, click, { title: say('ask.done-title'), text: say('ask.done') });
  const { text } = await explainRefusal(context, { you: by, value: click.value }, asked.refusal);
  await tell(context, click, { title: say('ask.failed-title'), text });
};
