// The windows for editing a text: the choice of a part, the text, and the choice of what happens with the edits.
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Output } from '../../../core/state/request.ts';
import { cleanText } from '../../../core/values/text.ts';
import type { Say } from '../../language/say.ts';
import type { Span } from '../../request/edits/edit.ts';
import type { Section } from '../../request/edits/sections.ts';
import { context, plain, section } from '../../ui/blocks.ts';
import {
  approvalValue,
  codec,
  type FormValues,
  keyOf,
  type RequestKey,
  requestKey,
  type ShownRequest,
  typedText,
} from '../../ui/button-value.ts';
import type { Comparison } from '../../ui/comparison/comparison.ts';
import { rowPages, rowsOf, shownRows } from '../../ui/comparison/rows.ts';
import { input, select, textInput } from '../../ui/inputs.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { cutLine } from '../../ui/text/escape.ts';

/** Block of the edited text. Errors about the text are shown there, too. */
export const TEXT_BLOCK = 'text';

/** Shows a text, or a part of it, to be edited. `editKey` reads its `private_metadata`. */
export function editModal(
  card: ShownRequest,
  { text, span: { start, end }, close }: { text: string; span: Span; close: 'cancel' | 'back' },
  say: Say,
): ModalView {
  return modal(say, {
    callbackId: 'edit_text',
    title: say('edit.title'),
    submit: say('modal.next'),
    close: say(`modal.${close}`),
    metadata: editKey.write({ ...keyOf(card), start, end }),
    blocks: [
      context(say('edit.intro')),
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
    ],
  });
}

export const WAY_BLOCK = 'way';

export type EditWay = 'approve' | 'reject';

/** An edited text. `ways`: what can be done with it, at least one. */
export interface EditChoice {
  crew: string;
  edited: Output;
  comparison: Comparison | null;
  ways: readonly EditWay[];
  /** True if others have to approve the edited text, too. */
  needsOthers: boolean;
}

/** Shows the edits, and asks what happens with them. `editedKey` reads its `private_metadata`. */
export function editChoiceModal(
  key: RequestKey,
  { crew, edited, comparison, ways, needsOthers }: EditChoice,
  say: Say,
): ModalView {
  const names = { crew: cutLine(crew, 30) };
  const approveHint = needsOthers ? say('edit.approve-hint-others') : say('edit.approve-hint', names);
  const hints = { approve: approveHint, reject: say('edit.reject-hint', names) };
  const options = ways.map((way) => ({
    text: plain(say(`edit.${way}`), OPTION_LIMIT),
    value: way,
    description: plain(hints[way], OPTION_LIMIT),
  }));
  const [only, ...others] = ways;
  return modal(say, {
    callbackId: 'send_edits',
    title: say('edit.choice-title'),
    submit: say(others.length === 0 && only === 'approve' ? 'card.approve' : 'edit.send'),
    close: say('modal.back'),
    metadata: editedKey.write({ ...key, edited }),
    blocks: [
      ...changedBlocks(comparison, say),
      input(WAY_BLOCK, {
        label: say('edit.choice'),
        element: {
          type: 'radio_buttons',
          action_id: 'way_input',
          options,
          ...(others.length === 0 && options[0] && { initial_option: options[0] }),
        },
      }),
    ],
  });
}

function changedBlocks(comparison: Comparison | null, say: Say): KnownBlock[] {
  if (comparison?.kind !== 'compared') return [context(say(`compare.${comparison?.kind ?? 'gone'}`))];
  const { pages, isCut } = rowPages(rowsOf(comparison.lines));
  return [
    context(say('compare.legend')),
    shownRows(pages[0] ?? [], (lines) => say('compare.left-out', { count: lines })),
    ...(isCut || pages.length > 1 ? [context(say('compare.cut'))] : []),
  ];
}

/** Returns null if the person has chosen nothing. */
export function readWay(values: FormValues): EditWay | null {
  const way = typedText(values, WAY_BLOCK);
  return way === 'approve' || way === 'reject' ? way : null;
}

export const editedKey = codec(
  requestKey.extend({ edited: z.object({ hash: z.string(), length: z.number().int().min(0) }) }),
);

export const editKey = codec(requestKey.extend({ start: z.number().int().min(0), end: z.number().int().min(0) }));

/** Reads the edited text, without the space around it. */
export function readEdited(values: FormValues): string {
  return cleanText(typedText(values, TEXT_BLOCK)).trim();
}

export const SECTION_BLOCK = 'section';

/** Asks which part of a text is to be edited. `parseApprovalValue` reads its `private_metadata`. */
export function sectionModal(key: RequestKey, sections: readonly Section[], say: Say): ModalView {
  const options = sections.map((each) => ({
    text: plain(cutLine(sectionTitle(each, say), OPTION_LIMIT), OPTION_LIMIT),
    value: `${each.start}:${each.end}`,
  }));
  return modal(say, {
    callbackId: 'choose_section',
    title: say('edit.title'),
    submit: say('modal.next'),
    metadata: approvalValue(key),
    blocks: [
      section(say('edit.which')),
      input(SECTION_BLOCK, {
        label: say('edit.part'),
        element: { ...select('section_input', options), placeholder: plain(say('edit.choose-part')) },
      }),
    ],
  });
}

/** Reads the chosen part. Null if there is none. */
export function readSection(values: FormValues): Span | null {
  const [, start, end] = /^(\d{1,9}):(\d{1,9})$/.exec(typedText(values, SECTION_BLOCK)) ?? [];
  return start === undefined ? null : { start: Number(start), end: Number(end) };
}

/** Names a part of a text by its heading, or by its place. Plain text. */
export function sectionTitle({ heading, part }: Pick<Section, 'heading' | 'part'>, say: Say): string {
  if (heading === null) return part ? say('edit.part-of', part) : say('edit.beginning');
  const place = part ? ` (${part.number}/${part.of})` : '';
  return `${cutLine(heading, OPTION_LIMIT - place.length)}${place}`;
}
