// Approving with a note, which the crew receives with the approval.
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { crewText } from '../../../core/approval/choice.ts';
import { decide } from '../../../core/approval/decide.ts';
import { findShown, type OnText, type Permission } from '../../../core/policy/permission.ts';
import { approvalsInAll, approvalsLeft } from '../../../core/policy/progress.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { findRulesAgain, type RequestRules } from '../../../core/policy/rules.ts';
import { settingsOf, verdictUnder } from '../../../core/policy/settings.ts';
import { type Approval, allVotes, type Person, typedBefore } from '../../../core/state/approval.ts';
import { type Execution, findApproval } from '../../../core/state/execution.ts';
import { shownAt } from '../../../core/state/message-subject.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import { within } from '../../directory/directory.ts';
import type { ActionListener, ListenerContext, ViewAck, ViewAnswer, ViewListener } from '../../listening/context.ts';
import { fieldError, showAbove, showInstead } from '../../listening/modals.ts';
import { commentsOf } from '../../request/card-details.ts';
import {
  approvalBy,
  changeRequest,
  type DecidableRequest,
  findDecidableRequest,
  takesNotes,
} from '../../request/change-request.ts';
import {
  NOTE_BLOCK,
  type NotePreview,
  noteModal,
  notePreviewModal,
  noteValue,
  parseSending,
  readNote,
  readNoteOutcome,
} from '../../request/note-modals.ts';
import { ackStored } from '../../request/outcome.ts';
import { modalOpener, refusalAnswer } from '../../request/refusal.ts';
import { type ApprovalKey, keyOf, parseApprovalValue } from '../../ui/button-value.ts';
import { findSignIn } from './sign-in.ts';

export const onApproveWithNote: ActionListener = modalOpener('approve', noteForm);

async function noteForm(context: ListenerContext, decidable: DecidableRequest): Promise<Result<ModalView, Refusal>> {
  const { request, card, policies } = decidable;
  const { notes } = commentsOf(context.crews.get(card.crew), policies, card);
  if (notes === 'hidden') return refuse({ kind: card.fields ? 'answer-needed' : 'notes-not-taken' });
  const typed = typedBefore(request, context.person.id);
  const sending = isNoteAlone(decidable) ? 'as-typed' : 'with-others';
  const outcomes = card.choice === undefined ? approvingOutcomes(decidable) : [];
  return ok(noteModal(card, { sending, typed, outcomes }, await context.say()));
}

/** Those that the person can choose together with a note. */
function approvingOutcomes({ card, policies }: Pick<DecidableRequest, 'card' | 'policies'>) {
  const all = (card.outcomes ?? []).map((outcome, choice) => ({ outcome, choice }));
  return all.filter(({ outcome }) => verdictUnder(outcome, policies) === 'approve');
}

/** The same for a person who has tried to approve without one. Throws as `findDecidableRequest` does: don't ack then. */
export async function findNoteForm(context: ListenerContext, key: ApprovalKey): Promise<Result<ModalView, Refusal>> {
  const found = await findDecidableRequest(context, { key, by: context.person, action: 'approve' });
  return found.ok ? noteForm(context, found.value) : found;
}

/** A note that is sent together with those of others is first previewed as the crew will receive it. */
export const onNote: ViewListener = async ({ ack, context, view }) => {
  const note = readNote(view.state.values);
  const shown = parseApprovalValue(view.private_metadata);
  const key = shown && { ...shown, choice: readNoteOutcome(view.state.values) ?? shown.choice };
  const by = await named(context, context.person);
  const preview = await previewWithNote(context, { key, by, note });
  const say = await context.say();
  if (!preview.ok)
    return ack(await refusalAnswer(context, view, { refusal: preview.refusal, action: 'approve', typed: note }));
  if (note === '') return ack(fieldError(NOTE_BLOCK, say('note.missing')));
  const isAsTyped = parseSending(view.private_metadata) === 'as-typed' && preview.value.text === note;
  if (!isAsTyped || preview.value.soonMs !== null) return ack(showAbove(view, notePreviewModal(preview.value, say)));
  await sendNote(context, view, { key, by, note, review: 'unasked', ack });
};

/** Where the preview said how soon this is, its button also confirms that. */
export const onNoteConfirmed: ViewListener = async ({ ack, context, view }) => {
  const confirmed = noteValue.read(view.private_metadata);
  const { note = '', review = 'unasked' } = confirmed ?? {};
  const by = await named(context, context.person);
  await sendNote(context, view, { key: confirmed, by, note, review, ack });
};

async function sendNote(
  context: ListenerContext,
  view: ViewOutput,
  { ack, key, ...given }: ApproveWithNote & { ack: ViewAck },
): Promise<void> {
  const stored = await changeRequest(context, { key, ...approvalBy(context, given) });
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', ack });
  const asked = await questionFor(context, view, { key, ...given }, stored.refusal);
  await ack(
    asked.ok
      ? asked.value
      : await refusalAnswer(context, view, { refusal: asked.refusal, action: 'approve', typed: given.note }),
  );
}

interface ApproveWithNote {
  key: ApprovalKey | null;
  by: Person;
  note: string;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review: 'confirmed' | 'unasked';
}

/** What an approval needs that was refused only for now; otherwise why it was refused. Throws where `changeRequest` does: don't ack then. */
async function questionFor(
  context: ListenerContext,
  view: ViewOutput,
  { key, ...given }: ApproveWithNote,
  refusal: Refusal,
): Promise<Result<ViewAnswer, Refusal>> {
  if (key && refusal.kind === 'sign-in-needed') {
    const signIn = await findSignIn(context, key, given);
    return signIn.ok ? ok(showAbove(view, signIn.value)) : signIn;
  }
  if (refusal.kind !== 'too-soon') return refuse(refusal);
  const preview = await previewWithNote(context, { key, ...given });
  return preview.ok ? ok(showInstead(view, notePreviewModal(preview.value, await context.say()))) : preview;
}

interface Written {
  by: Person;
  note: string;
  outcome?: string | undefined;
}

/** What an approval with this note would lead to, or has led to, found by trying it without storing it. */
async function previewWithNote(
  context: ListenerContext,
  { key, by, note }: Written & { key: ApprovalKey | null },
): Promise<Result<NotePreview, Refusal>> {
  let preview: NotePreview | null = null;
  const tried = await changeRequest(context, {
    key,
    by,
    action: 'approve',
    transition: (execution, { approvalId, outcome, now, ...permission }) => {
      const found = previewOf(execution, { approvalId, by, note, outcome, permission }, now);
      preview = found.ok ? { ...found.value, isRead: key?.isRead, choice: key?.choice, inbox: key?.inbox } : null;
      if (!found.ok) return found;
      return takesNotes(context, execution) ? ok(execution) : refuse({ kind: 'notes-not-taken' });
    },
  });
  if (!tried.ok) return tried;
  return preview ? ok(preview) : refuse({ kind: 'unknown' });
}

function previewOf(
  execution: Execution,
  { approvalId, by, note, outcome, permission }: Written & { approvalId: string; permission: Permission & OnText },
  now: Millis,
): Result<NotePreview, Refusal> {
  const found = findShown(execution, approvalId, { personId: by.id, now, ...permission });
  if (!found.ok) return found;
  const choice = { verdict: 'approve', feedback: note, text: note, outcome } as const;
  // Where it takes a sign-in, that comes last.
  const signIn = { issuer: '', subject: '', at: now, acr: null };
  const tried = decide(execution, approvalId, { choice, by, review: 'confirmed', signIn, ...permission }, now);
  if (!tried.ok) return tried;
  const { request, policies } = found.value;
  const after = findApproval(tried.value, approvalId) ?? request;
  const then = findRulesAgain(found.value, { execution: tried.value, request: after, now }).policies;
  const { minReviewMs } = settingsOf(policies);
  const afterMs = Math.max(0, now - shownAt(tried.value, after));
  return ok({
    ...keyOf({ ref: execution.ref, approvalId, output: after.output }),
    crew: execution.crew,
    note,
    text: textAfter(after, { by, note, outcome, policies }),
    needed: after.status === 'pending' ? Math.max(0, ...then.map((rules) => approvalsLeft(rules, after))) : 0,
    soonMs: afterMs < minReviewMs ? afterMs : null,
  });
}

/** What the crew receives if the others who are needed have nothing to add. */
function textAfter(after: Approval, { by, note, outcome, policies }: Written & Pick<RequestRules, 'policies'>): string {
  if (after.status === 'decided' && after.decision.text !== null) return after.decision.text;
  const others = allVotes(after).filter((vote) => vote.by.id !== by.id);
  const needed = policies.map((policy) => ({ quorum: approvalsInAll(policy), allOf: [] }));
  return crewText(others, { by, feedback: note, text: note, outcome }, needed);
}

/** Whether a note is sent as it is typed, as far as is known when it is asked for. */
function isNoteAlone({ card, policies }: Pick<DecidableRequest, 'card' | 'policies'>): boolean {
  return (
    policies.every((policy) => approvalsInAll(policy) === 1) && card.votes.length === 0 && card.outcomes === undefined
  );
}

/** The rest of Slack's three seconds is for the facts about the person. */
const MOST_WAIT_MS = 500;

/** A person as the card names them, since the crew receives their note with their name; otherwise by their handle. Never throws. */
async function named({ people, log }: ListenerContext, { id, name }: Person): Promise<Person> {
  const found = await within(MOST_WAIT_MS, people.nameOf({ id, name }), { log, about: { person: id } });
  return { id, name: found ?? name };
}
