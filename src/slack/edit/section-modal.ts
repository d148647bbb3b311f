import type { ModalView, PlainTextOption } from '@slack/types';
import type { Say } from '../language/say.ts';
import { plain, section } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { cutLine } from '../ui/text/cut.ts';
import type { Span } from './edit.ts';
import { sectionTitle } from './section-title.ts';
import type { Section } from './sections.ts';

export const SECTION_BLOCK = 'section';
const SECTION_INPUT = 'section_input';

/** Asks which part of a text is to be edited. Its `private_metadata` is read by `parseApprovalValue`. */
export function sectionModal(key: ApprovalKey, sections: readonly Section[], say: Say): ModalView {
  return modal({
    callbackId: 'choose_section',
    title: say('edit.title'),
    submit: say('modal.next'),
    close: say('modal.cancel'),
    metadata: approvalValue(key),
    blocks: [
      section(say('edit.which')),
      {
        type: 'input',
        block_id: SECTION_BLOCK,
        label: plain(say('edit.part')),
        element: {
          type: 'static_select',
          action_id: SECTION_INPUT,
          placeholder: plain(say('edit.choose-part')),
          ...grouped(sections.map((each) => optionOf(each, say))),
        },
      },
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
