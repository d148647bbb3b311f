import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type Approval, type Person, shownAt } from '../../../core/approval/approval.ts';
import { type Choice, crewText, decide, findDecidable } from '../../../core/approval/decide.ts';
import type { OnText, Permission, Refusal } from '../../../core/approval/permission.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { Millis } from '../../../core/time.ts';
import type { ListenerContext } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { plain, preformatted, section } from '../../ui/blocks.ts';
import {
  type ApprovalKey,
  approvalKey,
  approvalValue,
  type FormValues,
  keyOf,
  parse,
  type ShownRequest,
  typedText,
} from '../../ui/button-value.ts';
import { METADATA_LIMIT, MODAL_TITLE_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { cut, escapedLine } from '../../ui/text/escape.ts';
import { seconds } from '../../ui/text/moment.ts';
import { changeRequest } from './change-request.ts';
import type { DecidableRequest } from './decidable-request.ts';

export interface ApproveWithNote {
  key: ApprovalKey | null;
  by: Person;
  note: string;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review: 'confirmed' | 'unasked';
}

/** Stores an approval with a note. Throws where `changeRequest` does: don't ack then. */
export function approveWithNote(
  context: ListenerContext,
  { key, by, note, review }: ApproveWithNote,
): Promise<Result<Execution, Refusal>> {
  const choice: Choice = { verdict: 'approve', feedback: note, text: note };
  return changeRequest(context, {
    key,
    by,
    action: 'approve',
    transition: (execution, { approvalId, now, ...permission }) => {
      const decided = decide(execution, approvalId, { choice, by, review, ...permission }, now);
      return decided.ok ? ifNotesAreTaken(context, execution.crew, decided.value) : decided;
    },
  });
}

interface Written {
  by: Person;
  note: string;
}

/** What an approval with this note would lead to, found by trying it without storing it. */
export async function previewWithNote(
  context: ListenerContext,
  { key, by, note }: Written & { key: ApprovalKey | null },
): Promise<Result<NotePreview, Refusal>> {
  let preview: NotePreview | null = null;
  const tried = await changeRequest(context, {
    key,
    by,
    action: 'approve',
    transition: (execution, { approvalId, now, ...permission }) => {
      const found = previewOf(execution, { approvalId, by, note, permission }, now);
      preview = found.ok ? { ...found.value, isRead: key?.isRead } : null;
      return found.ok ? ifNotesAreTaken(context, execution.crew, execution) : found;
    },
  });
  if (!tried.ok) return tried;
  return preview ? ok(preview) : refuse({ kind: 'unknown' });
}

function previewOf(
  execution: Execution,
  { approvalId, by, note, permission }: Written & { approvalId: string; permission: Permission & OnText },
  now: Millis,
): Result<NotePreview, Refusal> {
  const found = findDecidable(execution, approvalId, { personId: by.id, now, ...permission });
  if (!found.ok) return found;
  const choice = { verdict: 'approve', feedback: note, text: note } as const;
  const tried = decide(execution, approvalId, { choice, by, review: 'confirmed', ...permission }, now);
  if (!tried.ok) return tried;
  const after = findApproval(tried.value, approvalId) ?? found.value.approval;
  const { minReviewMs, quorum } = found.value.policy;
  const afterMs = Math.max(0, now - shownAt(after));
  return ok({
    ...keyOf({ ref: execution.ref, approvalId, output: after.output }),
    crew: execution.crew,
    note,
    text: textAfter(after, { by, note, quorum }),
    needed: after.status === 'pending' ? Math.max(0, quorum - after.votes.length) : 0,
    soonMs: afterMs < minReviewMs ? afterMs : null,
  });
}

/** What the crew receives if the others who are needed have nothing to add. */
function textAfter(after: Approval, { by, note, quorum }: Written & { quorum: number }): string {
  if (after.status === 'decided') return after.decision.text;
  const others = after.votes.filter((vote) => vote.by.id !== by.id);
  return crewText(others, { by, feedback: note, text: note }, { quorum });
}

/** The button that asks for a note may be older than the setting that no longer takes any. */
export function ifNotesAreTaken<Value>({ crews }: ListenerContext, crew: string, value: Value): Result<Value, Refusal> {
  return crews.get(crew)?.approvalNotes === false ? refuse({ kind: 'notes-not-taken' }) : ok(value);
}

/** Whether anything is added to a note before it is sent, by what is known of the request. */
export function isNoteAlone({ card, policy }: Pick<DecidableRequest, 'card' | 'policy'>): boolean {
  return policy.quorum === 1 && card.votes.length === 0;
}

export const NOTE_BLOCK = 'note';
const NOTE_INPUT = 'note_input';

/** The preview carries the note in its `private_metadata` as JSON, where a typed character can take two. */
const NOTE_LIMIT = (METADATA_LIMIT - 600) / 2;
/** Of the notes of all: ten of the longest, each line of which is quoted. */
const PREVIEW_LIMIT = 38_000;

/** Whether a note is sent as it is typed, or together with what others have written or are still to write. */
type Sending = 'as-typed' | 'with-others';

/**
 * Asks for the note of an approval; the preview follows where anything is added to it. Its `private_metadata` is read by
 * `parseApprovalValue`.
 */
export function noteModal(card: ShownRequest & Pick<CardModel, 'crew'>, sending: Sending, say: Say): ModalView {
  const who = { crew: escapedLine(card.crew, 80) };
  const isPreviewed = sending === 'with-others';
  return modal({
    callbackId: 'write_note',
    title: say('note.title'),
    submit: isPreviewed ? say('modal.preview') : say('note.approve'),
    close: say('modal.cancel'),
    metadata: JSON.stringify({ ...keyOf(card), sending }),
    blocks: [
      section(isPreviewed ? say('note.intro-previewed', who) : say('note.intro', who)),
      {
        type: 'input',
        block_id: NOTE_BLOCK,
        label: plain(say('note.label')),
        hint: plain(say('note.hint', { most: NOTE_LIMIT })),
        element: {
          type: 'plain_text_input',
          action_id: NOTE_INPUT,
          multiline: true,
          focus_on_load: true,
          max_length: NOTE_LIMIT,
        },
      },
    ],
  });
}

/** Older versions always promised a preview. */
const sendingIn = z.object({ sending: z.literal('as-typed') });

/** What the form has promised to do with the note. */
export function parseSending(metadata: string): Sending {
  return parse(sendingIn, metadata)?.sending ?? 'with-others';
}

/** The note without surrounding space, clean enough to be shown and sent exactly as it is. */
export function readNote(values: FormValues): string {
  return cut(typedText(values, NOTE_BLOCK).trim(), NOTE_LIMIT);
}

/** An approval with a note, before it is made. */
interface NotePreview extends ApprovalKey {
  crew: string;
  note: string;
  /** What the crew will receive: the note, joined with those of others. */
  text: string;
  /** How many more people have to approve after this one. */
  needed: number;
  /** How soon this approval comes if it comes sooner than the policy would like, otherwise null. */
  soonMs: number | null;
}

/** Shows exactly what the crew will receive. Its `private_metadata` is read by `parseNote`. */
export function notePreviewModal(preview: NotePreview, say: Say): ModalView {
  const { ref, approvalId, hash, isRead, note, text, needed, soonMs } = preview;
  const who = { crew: escapedLine(preview.crew, 80) };
  const review = soonMs === null ? 'unasked' : 'confirmed';
  return modal({
    callbackId: 'send_note',
    title: say('note.title'),
    submit: say('note.approve'),
    close: say('modal.back'),
    metadata: JSON.stringify({ ref, approvalId, hash, isRead, note, review }),
    blocks: [
      ...(soonMs === null ? [] : [section(soonQuestion(soonMs, say))]),
      section(needed === 0 ? say('note.exactly', who) : say('note.so-far', who)),
      preformatted(text, PREVIEW_LIMIT),
      ...(needed === 0 ? [] : [section(say('note.needed', { count: needed }))]),
    ],
  });
}

function soonQuestion(soonMs: number, say: Say): string {
  return say('note.soon', { duration: seconds(soonMs, say), why: soonText(soonMs, say) });
}

const noteMetadata = approvalKey.extend({
  note: z.string(),
  /** Older versions never asked. */
  review: z.enum(['confirmed', 'unasked']).default('unasked'),
});

/** The note that a confirmed preview sends; null if the metadata isn't that of a preview. */
export function parseNote(metadata: string): z.infer<typeof noteMetadata> | null {
  return parse(noteMetadata, metadata);
}

/** Asks whether the person wants to approve that soon. Its `private_metadata` is read by `parseApprovalValue`. */
export function approveSoonModal(key: ApprovalKey, afterMs: number, say: Say): ModalView {
  const question = say('soon.title', { duration: seconds(afterMs, say) });
  return modal({
    callbackId: 'approve_soon',
    title: question.length <= MODAL_TITLE_LIMIT ? question : say('soon.title-short'),
    submit: say('note.approve'),
    close: say('soon.back'),
    metadata: approvalValue(key),
    blocks: [section(soonText(afterMs, say))],
  });
}

/** For a person who approves sooner than the policy would like. */
function soonText(afterMs: number, say: Say): string {
  return say('soon.text', { duration: seconds(afterMs, say) });
}
