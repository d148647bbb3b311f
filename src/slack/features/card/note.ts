// Listeners for approvals with a note, which the crew receives with the approval.
import type { ModalView } from '@slack/types';
import { verdictUnder } from '../../../core/policy/outcomes.ts';
import { findShown, type OnText, type Permission } from '../../../core/policy/permission.ts';
import { settingsOf } from '../../../core/policy/policy.ts';
import { approvalsInAll, approvalsLeft } from '../../../core/policy/progress.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { findRulesAgain, type RequestRules } from '../../../core/policy/rules.ts';
import { crewText } from '../../../core/request/choice.ts';
import { decide } from '../../../core/request/decide.ts';
import { type Execution, findRequest, shownAt } from '../../../core/state/execution.ts';
import { allVotes, type HumanRequest, type Person, typedBefore } from '../../../core/state/request.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import { within } from '../../directory/directory.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { answerOnTop, fieldError } from '../../listening/modals.ts';
import { commentsOf } from '../../request/card-details.ts';
import {
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
import { answerWithRefusal, modalOpener } from '../../request/refusal.ts';
import { keyOf, parseApprovalValue, type RequestKey } from '../../ui/button-value.ts';
import { submitApproval } from './sign-in.ts';

export const onApproveWithNote: ActionListener = modalOpener('approve', noteForm);

async function noteForm(context: ListenerContext, decidable: DecidableRequest): Promise<Result<ModalView, Refusal>> {
  const { request, card, policies } = decidable;
  const { notes } = commentsOf(context.crews.get(card.crew), policies, card);
  if (notes === 'hidden') return refuse({ kind: card.fields ? 'answer-needed' : 'notes-not-taken' });
  const typed = typedBefore(request.discussion, context.person.id);
  const sending = isNoteAlone(decidable) ? 'as-typed' : 'with-others';
  const outcomes = card.choice === undefined ? approvingOutcomes(decidable) : [];
  return ok(noteModal(card, { sending, typed, outcomes }, await context.say()));
}

/** Returns the outcomes that the person can choose together with a note. */
function approvingOutcomes({ card, policies }: Pick<DecidableRequest, 'card' | 'policies'>) {
  const all = (card.outcomes ?? []).map((outcome, choice) => ({ outcome, choice }));
  return all.filter(({ outcome }) => verdictUnder(outcome, policies) === 'approve');
}

/** Returns the form for a person who has tried to approve without a note. Throws as `findDecidableRequest` does. */
export async function findNoteForm(context: ListenerContext, key: RequestKey): Promise<Result<ModalView, Refusal>> {
  const decidable = await findDecidableRequest(context, { key, by: context.person, action: 'approve' });
  return decidable.ok ? noteForm(context, decidable.value) : decidable;
}

/** Approves with a note. If the notes of others go with it, first shows a preview of what the crew will receive. */
export const onNote: ViewListener = async ({ ack, context, view }) => {
  const note = readNote(view.state.values);
  const request = parseApprovalValue(view.private_metadata);
  const key = request && { ...request, choice: readNoteOutcome(view.state.values) ?? request.choice };
  const by = await withCurrentName(context, context.person);
  const preview = await previewWithNote(context, { key, by, note });
  const say = await context.say();
  if (!preview.ok)
    return ack(await answerWithRefusal(context, view, { refusal: preview.refusal, action: 'approve', typed: note }));
  if (note === '') return ack(fieldError(NOTE_BLOCK, say('note.missing')));
  const isAsTyped = parseSending(view.private_metadata) === 'as-typed' && preview.value.text === note;
  if (!isAsTyped || preview.value.soonMs !== null) return ack(answerOnTop(view, notePreviewModal(preview.value, say)));
  await sendNote({ ack, context, view }, { key, by, note, review: 'unasked' });
};

/** Approves from the preview. If the preview said how soon the approval comes, its button also confirms that. */
export const onNoteConfirmed: ViewListener = async ({ ack, context, view }) => {
  const confirmed = noteValue.read(view.private_metadata);
  const { note = '', review = 'unasked' } = confirmed ?? {};
  const by = await withCurrentName(context, context.person);
  await sendNote({ ack, context, view }, { key: confirmed, by, note, review });
};

type FormArguments = Parameters<typeof submitApproval>;

async function sendNote(
  form: FormArguments[0],
  approval: Pick<FormArguments[1], 'key' | 'by' | 'review'> & { note: string },
): Promise<void> {
  const { context } = form;
  await submitApproval(form, approval, {
    typed: approval.note,
    tooSoon: async () => {
      const preview = await previewWithNote(context, approval);
      return preview.ok ? ok(notePreviewModal(preview.value, await context.say())) : preview;
    },
  });
}

interface Note {
  by: Person;
  note: string;
  outcome?: string | undefined;
}

/** Returns the outcome of an approval with this note, by trying it without storing it. */
async function previewWithNote(
  context: ListenerContext,
  { key, by, note }: Note & { key: RequestKey | null },
): Promise<Result<NotePreview, Refusal>> {
  let preview: NotePreview | null = null;
  const attempt = await changeRequest(context, {
    key,
    by,
    action: 'approve',
    transition: (execution, { approvalId, outcome, now, ...permission }) => {
      preview = null;
      const result = previewOf(execution, { approvalId, by, note, outcome, permission }, now);
      if (!result.ok) return result;
      preview = { ...result.value, isRead: key?.isRead, choice: key?.choice, inbox: key?.inbox };
      return takesNotes(context, execution) ? ok(execution) : refuse({ kind: 'notes-not-taken' });
    },
  });
  if (!attempt.ok) return attempt;
  return preview ? ok(preview) : refuse({ kind: 'unknown' });
}

function previewOf(
  execution: Execution,
  { approvalId, by, note, outcome, permission }: Note & { approvalId: string; permission: Permission & OnText },
  now: Millis,
): Result<NotePreview, Refusal> {
  const permitted = findShown(execution, approvalId, { personId: by.id, now, ...permission });
  if (!permitted.ok) return permitted;
  const choice = { verdict: 'approve', feedback: note, text: note, outcome } as const;
  // If the approval needs a sign-in, that comes last.
  const signIn = { issuer: '', subject: '', at: now, acr: null };
  const decided = decide(execution, approvalId, { choice, by, review: 'confirmed', signIn, ...permission }, now);
  if (!decided.ok) return decided;
  const { request, policies } = permitted.value;
  const after = findRequest(decided.value, approvalId) ?? request;
  const then = findRulesAgain(permitted.value, { execution: decided.value, request: after, now }).policies;
  const { minReviewMs } = settingsOf(policies);
  const afterMs = Math.max(0, now - shownAt(decided.value, after));
  return ok({
    ...keyOf({ ref: execution.ref, approvalId, output: after.question.output }),
    crew: execution.crew,
    note,
    text: textAfter(after, { by, note, outcome, policies }),
    needed:
      after.state.status === 'pending'
        ? Math.max(0, ...then.map((rules) => approvalsLeft(rules, after.discussion)))
        : 0,
    soonMs: afterMs < minReviewMs ? afterMs : null,
  });
}

/** Returns the text that the crew receives if the other approvers add nothing. */
function textAfter(
  after: HumanRequest,
  { by, note, outcome, policies }: Note & Pick<RequestRules, 'policies'>,
): string {
  if (after.state.status === 'decided' && after.state.decision.text !== null) return after.state.decision.text;
  const others = allVotes(after.discussion).filter((vote) => vote.by.id !== by.id);
  const needed = policies.map((policy) => ({ quorum: approvalsInAll(policy), allOf: [] }));
  return crewText(others, { by, feedback: note, text: note, outcome }, needed);
}

/** Returns true if a note will be sent as it is typed, as far as we know when we ask for it. */
function isNoteAlone({ card, policies }: Pick<DecidableRequest, 'card' | 'policies'>): boolean {
  return (
    policies.every((policy) => approvalsInAll(policy) === 1) && card.votes.length === 0 && card.outcomes === undefined
  );
}

/** The rest of Slack's three seconds is for the facts about the person. */
const MOST_WAIT_MS = 500;

/** Returns the person with their name as cards show it, because the crew receives it with the note. Never throws. */
async function withCurrentName({ people, log }: ListenerContext, { id, name }: Person): Promise<Person> {
  const currentName = await within(MOST_WAIT_MS, people.nameOf({ id, name }), { log, about: { person: id } });
  return { id, name: currentName ?? name };
}
