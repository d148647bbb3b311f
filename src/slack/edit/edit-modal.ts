import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { cleanText } from '../../core/text.ts';
import type { Say } from '../language/say.ts';
import { context, plain } from '../ui/blocks.ts';
import { type ApprovalKey, approvalKey, keyOf, parse, type ShownRequest } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { Span } from './edit.ts';

/** The block of the edited text, where an error about it is shown, too. */
export const TEXT_BLOCK = 'text';
const TEXT_INPUT = 'text_input';

/** What is edited: a part of a text, in a modal on its own or on top of the choice of that part. */
interface Edited {
  text: string;
  span: Span;
  close: 'cancel' | 'back';
}

/** A text, or a part of it, to be edited; the preview follows. `parseEditKey` reads its `private_metadata`. */
export function editModal(
  card: ShownRequest & { crew: string },
  { text, span: { start, end }, close }: Edited,
  say: Say,
): ModalView {
  return modal({
    callbackId: 'edit_text',
    title: say('edit.title'),
    submit: say('modal.preview'),
    close: say(`modal.${close}`),
    metadata: JSON.stringify({ ...keyOf(card), start, end }),
    blocks: [
      context(say('edit.intro', { crew: escapedLine(card.crew, 80) })),
      {
        type: 'input',
        block_id: TEXT_BLOCK,
        label: plain(say('edit.text')),
        hint: plain(say('edit.hint', { most: TYPED_TEXT_LIMIT })),
        element: {
          type: 'plain_text_input',
          action_id: TEXT_INPUT,
          multiline: true,
          focus_on_load: true,
          initial_value: text.slice(start, end),
          max_length: TYPED_TEXT_LIMIT,
        },
      },
    ],
  });
}

const editKey = approvalKey.extend({
  start: z.number().int().min(0),
  end: z.number().int().min(0),
});

/** Which part of which text was edited; null if the metadata isn't ours. */
export function parseEditKey(metadata: string): (ApprovalKey & Span) | null {
  return parse(editKey, metadata);
}

/** The edited text, without the space around it. */
export function readEdited(values: FormValues): string {
  return cleanText(typedText(values, TEXT_BLOCK)).trim();
}
