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

export const NOTE_BLOCK = 'note';
const NOTE_INPUT = 'note_input';

/** The preview carries the note in its `private_metadata` as JSON, where a typed character can take two. */
const NOTE_LIMIT = (METADATA_LIMIT - 600) / 2;

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

/** Shows exactly what the crew will receive. Its `private_metadata` is read by `parseNote`. */
export function notePreviewModal(model: ApprovalKey & { crew: string }, note: string): ModalView {
  const { ref, approvalId, crew } = model;
  return modal({
    callbackId: 'send_note',
    title: 'Approve with note',
    submit: 'Approve',
    close: 'Back',
    metadata: JSON.stringify({ ref, approvalId, note }),
    blocks: [
      section(`This is exactly what *${escapedLine(crew, 80)}* will receive, together with your approval:`),
      preformatted(note, NOTE_LIMIT),
      section('It joins what the crew keeps in mind for its next task. Nothing is sent until you approve.'),
    ],
  });
}

const noteMetadata = z.object({ ref: z.string(), approvalId: z.string(), note: z.string() });

/** The note that a confirmed preview sends; null if the metadata isn't that of a preview. */
export function parseNote(metadata: string): z.infer<typeof noteMetadata> | null {
  return parse(noteMetadata, metadata);
}
