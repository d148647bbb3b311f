// Listeners for *Edit…*: the person approves the edited text, or sends the edits back to the crew as feedback.
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { approvalsInAll } from '../../../core/policy/progress.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { findRequest } from '../../../core/state/execution.ts';
import { allVotes, askedText, type Output } from '../../../core/state/request.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { hasPartOfMark, type Masked, maskSecrets, showsSecret, unmask } from '../../../core/values/secrets.ts';
import type { Say } from '../../language/say.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { answerInPlace, answerOnTop, fieldError } from '../../listening/modals.ts';
import { editWays } from '../../request/card-details.ts';
import { changeRequest, type DecidableRequest, findDecidableRequest, rejection } from '../../request/change-request.ts';
import type { Span } from '../../request/edits/edit.ts';
import { editsAsFeedback } from '../../request/edits/edit-list.ts';
import { editableText, sectionsOf } from '../../request/edits/sections.ts';
import { ackStored } from '../../request/outcome.ts';
import { answerWithRefusal, modalOpener } from '../../request/refusal.ts';
import { keyOf, parseApprovalValue, type RequestKey } from '../../ui/button-value.ts';
import { findComparison } from '../../ui/comparison/find-change.ts';
import { FEEDBACK_LENGTH, READABLE_LENGTH, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { answerModal } from '../../ui/modal.ts';
import { type JsonProblem, jsonProblem, parseJson } from '../../ui/text/json-text.ts';
import { submitApproval } from '../card/sign-in.ts';
import { findEdits } from './find-edits.ts';
import {
  type EditWay,
  editChoiceModal,
  editedKey,
  editKey,
  editModal,
  readEdited,
  readSection,
  readWay,
  SECTION_BLOCK,
  sectionModal,
  TEXT_BLOCK,
  WAY_BLOCK,
} from './modals.ts';

/** Opens the text. If it is too long for a field, asks for a part of it. */
export const onEdit: ActionListener = modalOpener(
  'reject',
  async (context, { card, policies }) => {
    const ways = editWays(context.crews.get(card.crew), policies, card);
    if (ways.length === 0) return refuse({ kind: card.fields ? 'answer-needed' : 'feedback-not-taken' });
    const say = await context.say();
    const answer = (text: string) => ok(answerModal(say, { title: say('edit.title'), text }));
    // Cleaning makes a text shorter, but takes too long for megabytes.
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
 * Opens the chosen part on top, so that the person can choose another one afterwards. If the choice is on top of another window, the part
 * replaces it, because Slack shows three at most. https://docs.slack.dev/surfaces/modals#adding_views
 */
export const onSectionChosen: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const editable = await findEditable(context, key);
  if (!editable.ok)
    return ack(await answerWithRefusal(context, view, { refusal: editable.refusal, action: 'edit', typed: null }));
  const { card, text } = editable.value;
  const say = await context.say();
  const span = readSection(view.state.values);
  const isWithin = span && span.start < span.end && span.end <= text.length;
  if (!isWithin || span.end - span.start > TYPED_TEXT_LIMIT)
    return ack(fieldError(SECTION_BLOCK, say('edit.choose-part')));
  const isAlone = view.previous_view_id === null;
  const edit = editModal(card, { text, span, close: isAlone ? 'back' : 'cancel' }, say);
  await ack({ response_action: isAlone ? 'push' : 'update', view: edit });
};

/** Shows the edits, and asks what happens with them. The edited text is stored before anything names it. */
export const onEdited: ViewListener = async ({ ack, context, view }) => {
  const key = editKey.read(view.private_metadata);
  const typed = readEdited(view.state.values);
  const editable = await findEditable(context, key);
  if (!editable.ok || !key) {
    const refusal: Refusal = editable.ok ? { kind: 'unknown' } : editable.refusal;
    return ack(await answerWithRefusal(context, view, { refusal, action: 'edit', typed }));
  }
  const { card, policies, request } = editable.value;
  const say = await context.say();
  const edits = await editsOf(context, editable.value, { span: key, typed });
  if (edits.kind !== 'found') return ack(fieldError(TEXT_BLOCK, errorText(edits, say)));
  const { ref, output } = card;
  const edited = await context.fullOutputs.put(ref, edits.text);
  const comparison = await findComparison(context.outputs, { ref, before: output.hash, after: edited.hash });
  const isAlone = policies.every((rules) => approvalsInAll(rules) === 1) && allVotes(request.discussion).length === 0;
  const choice = { crew: card.crew, edited, comparison, ways: edits.ways, needsOthers: !isAlone };
  await ack(answerOnTop(view, editChoiceModal(keyOf(card), choice, say)));
};

/** Approves the edited text, or sends its edits back. Slack may submit the same form again afterwards. */
export const onEditsChosen: ViewListener = async ({ ack, context, view }) => {
  const key = editedKey.read(view.private_metadata);
  const way = readWay(view.state.values);
  const by = context.person;
  const text = key && (await context.outputs.get(key.ref, key.edited.hash));
  const refused = async (refusal: Refusal) =>
    ack(await answerWithRefusal(context, view, { refusal, action: 'edit', typed: text }));
  const feedback = key && way === 'reject' ? await feedbackOf(context, key) : null;
  if (!key || text === null || (way === 'reject' && feedback === null)) {
    const decidable = await findDecidableRequest(context, { key, by, action: 'reject' });
    return decidable.ok
      ? ack(fieldError(WAY_BLOCK, (await context.say())('edit.nothing')))
      : refused(decidable.refusal);
  }
  if (way === null) return ack(fieldError(WAY_BLOCK, (await context.say())('edit.choose')));
  if (way === 'approve') {
    const approval = { key, by, note: null, review: 'confirmed', edited: key.edited } as const;
    const options = { typed: text, action: 'edit', showSignIn: answerInPlace } as const;
    return submitApproval({ ack, context, view }, approval, options);
  }
  const stored = await changeRequest(context, { key, ...rejection(by, { verdict: 'reject', feedback }) });
  if (!stored.ok) return refused(stored.refusal);
  await ackStored(context, view, { execution: stored.value, key, verdict: 'reject', ack });
};

type FoundEdits =
  | { kind: 'found'; text: string; ways: readonly EditWay[] }
  | { kind: 'unchanged' | 'unnamed' | 'hidden' | 'part-of-mark' }
  | { kind: 'too-long'; count: number }
  | ({ kind: 'not-json' } & JsonProblem);

function errorText(edits: Exclude<FoundEdits, { kind: 'found' }>, say: Say): string {
  if (edits.kind === 'not-json') return say('edit.not-json', edits);
  return edits.kind === 'too-long'
    ? say('edit.too-long', { count: edits.count, most: READABLE_LENGTH })
    : say(`edit.${edits.kind}`);
}

/**
 * Returns the text with the edits of a part, and what can be done with it. `unnamed`: the text is so uniform that no words name the
 * places of the edits. `hidden`: the edits would show a part of a secret in the thread. `part-of-mark`: the person has edited the mark of
 * a hidden secret.
 */
async function editsOf(
  context: ListenerContext,
  { card, policies, text, secrets }: Editable,
  { span: { start, end }, typed }: { span: Span; typed: string },
): Promise<FoundEdits> {
  const whole = text.slice(0, start) + typed + text.slice(end);
  const problem = parseJson(text) === null ? null : jsonProblem(whole);
  if (problem !== null) return { kind: 'not-json', ...problem };
  const newText = editableText(whole);
  if (newText === text) return { kind: 'unchanged' };
  const edited = unmask(newText, secrets).trimEnd();
  if (edited.length > READABLE_LENGTH) return { kind: 'too-long', count: edited.length };
  if (secrets.size > 0 && hasPartOfMark(edited, unmask(text, secrets))) return { kind: 'part-of-mark' };
  if (secrets.size > 0 && showsSecret(edited, secrets)) return { kind: 'hidden' };
  const ways = editWays(context.crews.get(card.crew), policies, card);
  const list = ways.includes('reject') ? await listOfEdits(context, card, edited) : null;
  const left = ways.filter((way) => (way === 'approve' ? edited !== '' : list?.kind === 'found'));
  if (left.length > 0) return { kind: 'found', text: edited, ways: left };
  return list === null || list.kind === 'found' ? { kind: 'unchanged' } : list;
}

/** Returns the edits that turn the crew's own text into the edited one. */
async function listOfEdits(
  context: ListenerContext,
  { ref, crew, ...card }: Pick<CardModel, 'ref' | 'crew' | 'output' | 'edited'>,
  edited: string,
): Promise<{ kind: 'found'; feedback: string } | { kind: 'unchanged' | 'unnamed' | 'hidden' }> {
  const { text, secrets } = await textOf(context, { ref, output: askedText({ edited: null, ...card }) });
  const full = unmask(text, secrets);
  const edits = findEdits(full, { start: 0, end: full.length, replace: editableText(edited) });
  if (edits.length === 0) return { kind: 'unchanged' };
  const feedback = editsAsFeedback(edits, context.sayings.of(context.crews.get(crew)).language);
  if (secrets.size > 0 && showsSecret(feedback, secrets)) return { kind: 'hidden' };
  return feedback.length > FEEDBACK_LENGTH ? { kind: 'unnamed' } : { kind: 'found', feedback };
}

/** Returns the list of edits of a stored text, whether or not the request is still open. Null if there is none. */
async function feedbackOf(context: ListenerContext, key: RequestKey & { edited: Output }): Promise<string | null> {
  const execution = (await context.store.load(key.ref))?.execution;
  const request = execution && findRequest(execution, key.approvalId);
  const edited = await context.fullOutputs.get(key.ref, key.edited.hash);
  if (!request || edited === null) return null;
  const list = await listOfEdits(context, cardModel(execution, request), edited);
  return list.kind === 'found' ? list.feedback : null;
}

type Editable = Pick<DecidableRequest, 'card' | 'policies' | 'request'> & Masked;

async function findEditable(context: ListenerContext, key: RequestKey | null): Promise<Result<Editable, Refusal>> {
  const decidable = await findDecidableRequest(context, { key, by: context.person, action: 'reject' });
  if (!decidable.ok) return decidable;
  const { card, policies, request } = decidable.value;
  return ok({ card, policies, request, ...(await textOf(context, card)) });
}

/** Returns the text as people see and edit it, with the secrets behind its marks. Empty if it is no longer stored. */
async function textOf(
  { outputs, fullOutputs }: ListenerContext,
  { ref, output: { hash } }: Pick<CardModel, 'ref' | 'output'>,
): Promise<Masked> {
  const [masked, full] = await Promise.all([outputs.get(ref, hash), fullOutputs.get(ref, hash)]);
  const text = editableText(full ?? '');
  return masked === full ? { text, secrets: new Map() } : maskSecrets(text);
}
