// The modals for editing a text: one for the choice of a part, one for the text.
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { cleanText } from '../../../core/values/text.ts';
import type { Say } from '../../language/say.ts';
import type { Span } from '../../request/edits/edit.ts';
import type { Section } from '../../request/edits/sections.ts';
import { button, buttons, context, plain, preformatted, section } from '../../ui/blocks.ts';
import {
  type ApprovalKey,
  approvalKey,
  approvalValue,
  codec,
  type FormValues,
  keyOf,
  type ShownRequest,
  typedText,
} from '../../ui/button-value.ts';
import { input, select, textInput } from '../../ui/inputs.ts';
import { FEEDBACK_LENGTH, OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';

/** The block of the edited text, where an error about it is shown, too. */
export const TEXT_BLOCK = 'text';

/** What is edited: a part of a text, in a modal on its own or on top of the choice of that part. */
interface Edited {
  text: string;
  span: Span;
  close: 'cancel' | 'back';
}

/** A text, or a part of it, to be edited and sent. `editKey` reads its `private_metadata`. */
export function editModal(
  card: ShownRequest & { crew: string },
  { text, span: { start, end }, close }: Edited,
  say: Say,
): ModalView {
  return modal(say, {
    callbackId: 'edit_text',
    title: say('edit.title'),
    submit: say('edit.send'),
    close: say(`modal.${close}`),
    metadata: editKey.write({ ...keyOf(card), start, end }),
    blocks: [
      context(say('edit.intro', { crew: escapedLine(card.crew, 80) })),
      input(TEXT_BLOCK, {
        label: say('edit.text'),
        hint: say('edit.hint', { most: TYPED_TEXT_LIMIT }),
        element: textInput('text_input', {
          multiline: true,
          focus_on_load: true,
          initial: text.slice(start, end),
          max_length: TYPED_TEXT_LIMIT,
        }),
      }),
      ...buttons(button('preview_edits', say('modal.preview'), { value: 'preview' })),
    ],
  });
}

/** Shows edits as they are sent, where no field holds the list. */
export function editListModal(
  { crew }: { crew: string },
  { count, feedback }: { count: number; feedback: string },
  say: Say,
): ModalView {
  return modal(say, {
    callbackId: 'answer',
    title: say('edit.preview-title'),
    close: say('modal.back'),
    blocks: [
      section(say('edit.list', { count, crew: escapedLine(crew, 80) })),
      preformatted(feedback, FEEDBACK_LENGTH),
    ],
  });
}

export const editKey = codec(approvalKey.extend({ start: z.number().int().min(0), end: z.number().int().min(0) }));

/** The edited text, without the space around it. */
export function readEdited(values: FormValues): string {
  return cleanText(typedText(values, TEXT_BLOCK)).trim();
}

export const SECTION_BLOCK = 'section';

/** Asks which part of a text is to be edited. Its `private_metadata` is read by `parseApprovalValue`. */
export function sectionModal(key: ApprovalKey, sections: readonly Section[], say: Say): ModalView {
  return modal(say, {
    callbackId: 'choose_section',
    title: say('edit.title'),
    submit: say('modal.next'),
    metadata: approvalValue(key),
    blocks: [
      section(say('edit.which')),
      input(SECTION_BLOCK, {
        label: say('edit.part'),
        element: {
          ...select(
            'section_input',
            sections.map((each) => optionOf(each, say)),
          ),
          placeholder: plain(say('edit.choose-part')),
        },
      }),
    ],
  });
}

function optionOf(each: Section, say: Say): PlainTextOption {
  return {
    text: plain(cutLine(sectionTitle(each, say), OPTION_LIMIT), OPTION_LIMIT),
    value: `${each.start}:${each.end}`,
  };
}

/** The chosen part as it was offered; null if there is none. */
export function readSection(values: FormValues): Span | null {
  const [, start, end] = /^(\d{1,9}):(\d{1,9})$/.exec(typedText(values, SECTION_BLOCK)) ?? [];
  return start === undefined ? null : { start: Number(start), end: Number(end) };
}

/** A part of a text by its heading, or where it stands; plain text. */
export function sectionTitle({ heading, part }: Pick<Section, 'heading' | 'part'>, say: Say): string {
  if (heading === null) return part ? say('edit.part-of', part) : say('edit.beginning');
  const place = part ? ` (${part.number}/${part.of})` : '';
  return `${cutLine(heading, OPTION_LIMIT - place.length)}${place}`;
}
