import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../core/messages/view-models.ts';
import { plain, preformatted, section } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue, parse } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { METADATA_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { seconds } from '../ui/text/moment.ts';
import { soonText } from './approve-soon-modal.ts';

export const NOTE_BLOCK = 'note';
const NOTE_INPUT = 'note_input';

/** The preview carries the note in its `private_metadata` as JSON, where a typed character can take two. */
const NOTE_LIMIT = (METADATA_LIMIT - 600) / 2;
/** Of the notes of all: ten of the longest. */
const PREVIEW_LIMIT = 12_500;

/** Asks for the note of an approval; the preview follows. Its `private_metadata` is read by `parseApprovalValue`. */
export function noteModal(model: Pick<CardModel, 'ref' | 'approvalId' | 'crew'>): ModalView {
  return modal({
    callbackId: 'write_note',
    title: 'Approve with note',
    submit: 'Preview',
    close: 'Cancel',
    metadata: approvalValue(model),
    blocks: [
      section(
        `*${escapedLine(model.crew, 80)}* goes on with your note. You will see exactly what it receives before it is sent.`,
      ),
      {
        type: 'input',
        block_id: NOTE_BLOCK,
        label: plain('Note for the crew'),
        hint: plain(
          'The whole note joins what the crew keeps in mind for its next task, so please keep it short and relevant.',
        ),
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

/** The note without surrounding space, clean enough to be shown and sent exactly as it is. */
export function readNote(values: FormValues): string {
  return cut(typedText(values, NOTE_BLOCK).trim(), NOTE_LIMIT);
}

/** An approval with a note, before it is made. */
export interface NotePreview extends ApprovalKey {
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
export function notePreviewModal({ ref, approvalId, crew, note, text, needed, soonMs }: NotePreview): ModalView {
  const what = needed === 0 ? 'This is exactly what' : 'So far, this is what';
  const review = soonMs === null ? 'unasked' : 'confirmed';
  return modal({
    callbackId: 'send_note',
    title: 'Approve with note',
    submit: 'Approve',
    close: 'Back',
    metadata: JSON.stringify({ ref, approvalId, note, review }),
    blocks: [
      ...(soonMs === null ? [] : [section(`⚠️ *Approve after ${seconds(soonMs)}?* ${soonText(soonMs)}`)]),
      section(`${what} *${escapedLine(crew, 80)}* will receive, together with your approval:`),
      preformatted(text, PREVIEW_LIMIT),
      ...(needed === 0 ? [] : [section(neededText(needed))]),
      section('It joins what the crew keeps in mind for its next task. Nothing is sent until you approve.'),
    ],
  });
}

function neededText(needed: number): string {
  const more = needed === 1 ? 'One more person has' : `${needed} more people have`;
  return `${more} to approve after you. Their notes come below yours.`;
}

const noteMetadata = z.object({
  ref: z.string(),
  approvalId: z.string(),
  note: z.string(),
  /** Older versions never asked. */
  review: z.enum(['confirmed', 'unasked']).default('unasked'),
});

/** The note that a confirmed preview sends; null if the metadata isn't that of a preview. */
export function parseNote(metadata: string): z.infer<typeof noteMetadata> | null {
  return parse(noteMetadata, metadata);
}
