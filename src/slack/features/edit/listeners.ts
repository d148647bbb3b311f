// Editing a text: what the edits come to is sent to the crew as feedback.
import type { ModalView } from '@slack/types';
import { cardModel } from '../../../core/messages/view-models.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { settingsOf } from '../../../core/policy/settings.ts';
import { findApproval } from '../../../core/state/execution.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { type Masked, maskSecrets, showsSecret, unmask } from '../../../core/values/secrets.ts';
import type { Say } from '../../language/say.ts';
import { showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { fieldError } from '../../listening/modals.ts';
import { changeRequest, type DecidableRequest, findDecidableRequest, rejection } from '../../request/change-request.ts';
import type { Change, Span } from '../../request/edits/edit.ts';
import { editsAsFeedback } from '../../request/edits/edit-list.ts';
import { editableText, sectionsOf } from '../../request/edits/sections.ts';
import { editPreviewModal } from '../../request/feedback-modal.ts';
import { ackStored } from '../../request/outcome.ts';
import { modalOpener, refusalAnswer, tellRefusal } from '../../request/refusal.ts';
import { type ApprovalKey, approvalValue, keyOf, parseApprovalValue } from '../../ui/button-value.ts';
import { FEEDBACK_LENGTH, READABLE_LENGTH, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { answerModal } from '../../ui/modal.ts';
import { findEdits } from './find-edits.ts';
import {
  editKey,
  editListModal,
  editModal,
  readEdited,
  readSection,
  SECTION_BLOCK,
  sectionModal,
  TEXT_BLOCK,
} from './modals.ts';

/** Opens the text, or of one that no field holds the choice of a part. */
export const onEdit: ActionListener = modalOpener(
  'reject',
  async (context, { card, policies }) => {
    if (settingsOf(policies).comment.reject === 'none') return refuse({ kind: 'feedback-not-taken' });
    const say = await context.say();
    const answer = (text: string) => ok(answerModal(say, { title: say('edit.title'), text }));
    // Cleaning makes a text shorter, but isn't worth megabytes.
    const text = card.output.length <= 2 * READABLE_LENGTH ? (await textOf(context, card)).text : null;
    const length = text?.trimEnd().length ?? card.output.length;
    if (text === null || length > READABLE_LENGTH)
      return answer(say('edit.too-long', { count: length, most: READABLE_LENGTH }));
    const sections = sectionsOf(text);
    const [span] = sections;
    if (!span) return answer(say('edit.nothing'));
    if (sections.length > 1) return ok(sectionModal(keyOf(card), sections, say));
    return ok(editModal(card, { text, span, close: 'cancel' }, say));
  },
  'edit',
);

/**
 * The part that was chosen opens on top, so that another one can be chosen afterwards; but in place of the choice where that is on
 * top of another window, since Slack shows three at most. https://docs.slack.dev/surfaces/modals#adding_views
 */
export const onSectionChosen: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const found = await findEditable(context, key);
  if (!found.ok)
    return ack(await refusalAnswer(context, view, { refusal: found.refusal, action: 'edit', typed: null }));
  const { card, text } = found.value;
  const say = await context.say();
  const span = readSection(view.state.values);
  const isWithin = span && span.start < span.end && span.end <= text.length;
  if (!isWithin || span.end - span.start > TYPED_TEXT_LIMIT)
    return ack(fieldError(SECTION_BLOCK, say('edit.choose-part')));
  const isAlone = view.previous_view_id === null;
  const edit = editModal(card, { text, span, close: isAlone ? 'back' : 'cancel' }, say);
  await ack({ response_action: isAlone ? 'push' : 'update', view: edit });
};

/** Sends what the edits come to. The same edits may be submitted again once they are sent. */
export const onEdited: ViewListener = async ({ ack, context, view }) => {
  const by = context.person;
  const key = editKey.read(view.private_metadata);
  const typed = readEdited(view.state.values);
  const refused = async (refusal: Refusal) =>
    ack(await refusalAnswer(context, view, { refusal, action: 'edit', typed }));
  const edits = key && (await findTypedEdits(context, key, typed));
  if (edits?.kind !== 'found') {
    const found = await findDecidableRequest(context, { key, by, action: 'reject' });
    if (!found.ok || !edits) return refused(found.ok ? { kind: 'unknown' } : found.refusal);
    return ack(fieldError(TEXT_BLOCK, (await context.say())(`edit.${edits.kind}`)));
  }
  const { feedback } = edits;
  const stored = await changeRequest(context, { key, ...rejection(by, { verdict: 'reject', feedback }) });
  if (!stored.ok) return refused(stored.refusal);
  await ackStored(context, view, { execution: stored.value, key, verdict: 'reject', ack });
};

/** Shows on top what would be sent; the text stays as it was typed. */
export const onPreviewEdits: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = editKey.read(click.view?.private_metadata ?? '');
  const found = await findEditable(context, key);
  await ack();
  if (!found.ok || !key) {
    // On top of the form, which keeps what was typed.
    const value = key ? approvalValue({ ...key, isRead: undefined }) : '';
    const refusal: Refusal = found.ok ? { kind: 'unknown' } : found.refusal;
    return tellRefusal(context, { ...click, value }, { refusal, action: 'edit' });
  }
  const say = await context.say();
  const edits = editsOf(context, found.value, { span: key, typed: readEdited(click.view?.state.values ?? {}) });
  const view =
    edits.kind === 'found'
      ? previewModal(found.value.card, edits, say)
      : answerModal(say, { title: say('edit.preview-title'), text: say(`edit.${edits.kind}`) });
  await showModal(context, click, view);
};

type FoundEdits = { kind: 'found'; count: number; feedback: string } | { kind: 'unchanged' | 'unnamed' | 'hidden' };

/** What the typed text comes to, whether or not the request is still open; null if it is no longer stored. */
async function findTypedEdits(
  context: ListenerContext,
  key: ApprovalKey & Span,
  typed: string,
): Promise<FoundEdits | null> {
  const execution = (await context.store.load(key.ref))?.execution;
  const approval = execution && findApproval(execution, key.approvalId);
  if (!approval) return null;
  const card = cardModel(execution, approval);
  return editsOf(context, { card, ...(await textOf(context, card)) }, { span: key, typed });
}

/**
 * What the edits of a part come to. `unnamed`: the text is so uniform that no words tell where they belong. `hidden`: they would
 * show a part of a secret, out of its shape, to everybody in the thread.
 */
function editsOf(
  context: ListenerContext,
  { card, text, secrets }: Editable,
  { span, typed }: { span: Span; typed: string },
): FoundEdits {
  const edits = findEdits(...unmasked(text, { ...span, replace: typed }, secrets));
  if (edits.length === 0) return { kind: 'unchanged' };
  const feedback = editsAsFeedback(edits, context.sayings.of(context.crews.get(card.crew)).language);
  if (secrets.size > 0 && showsSecret(feedback, secrets)) return { kind: 'hidden' };
  return feedback.length > FEEDBACK_LENGTH ? { kind: 'unnamed' } : { kind: 'found', count: edits.length, feedback };
}

/** The field of feedback holds what is as short as its text may be. */
function previewModal(
  card: Editable['card'],
  { count, feedback }: Extract<FoundEdits, { kind: 'found' }>,
  say: Say,
): ModalView {
  return feedback.length <= TYPED_TEXT_LIMIT
    ? editPreviewModal(card, { count, feedback }, say)
    : editListModal(card, { count, feedback }, say);
}

type Editable = Pick<DecidableRequest, 'card'> & Masked;

async function findEditable(context: ListenerContext, key: ApprovalKey | null): Promise<Result<Editable, Refusal>> {
  const found = await findDecidableRequest(context, { key, by: context.person, action: 'reject' });
  if (!found.ok) return found;
  const { card } = found.value;
  return ok({ card, ...(await textOf(context, card)) });
}

/** The text as people see and edit it, with what its marks stand for; empty if it is no longer stored. */
async function textOf(
  { outputs, fullOutputs }: ListenerContext,
  { ref, output: { hash } }: DecidableRequest['card'],
): Promise<Masked> {
  const [shown, full] = await Promise.all([outputs.get(ref, hash), fullOutputs.get(ref, hash)]);
  const text = editableText(full ?? '');
  return shown === full ? { text, secrets: new Map() } : maskSecrets(text);
}

/** A change of a masked text, as one of the full text: marks that are still there become what they stand for. */
function unmasked(text: string, change: Change, secrets: Masked['secrets']): [text: string, change: Change] {
  const lengthTo = (at: number) => unmask(text.slice(0, at), secrets).length;
  const { start, end, replace } = change;
  return [unmask(text, secrets), { start: lengthTo(start), end: lengthTo(end), replace: unmask(replace, secrets) }];
}
