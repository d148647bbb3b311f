import type {
  ActionsBlock,
  Button,
  Confirm,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
  SectionBlock,
  StaticSelect,
} from '@slack/types';
import type { ActionId } from './action-ids.ts';
import {
  BUTTON_LIMIT,
  CONFIRM_BUTTON_LIMIT,
  CONFIRM_TEXT_LIMIT,
  CONFIRM_TITLE_LIMIT,
  HEADER_LIMIT,
  MESSAGE_BLOCKS_TEXT_LIMIT,
  MESSAGE_TEXT_LIMIT,
  OPTIONS_PER_GROUP,
  TEXT_LIMIT,
} from './limits.ts';
import { cut, cutMrkdwn } from './text/escape.ts';

// Builds Slack's blocks within their limits.

/** A message: notifications and screen readers use `text`, everyone else sees `blocks`. */
export interface Rendered {
  text: string;
  blocks: KnownBlock[];
}

/** A notification shows far less text than Slack accepts. */
const FALLBACK_LENGTH = MESSAGE_TEXT_LIMIT - 1_000;
const CONTEXT_LENGTH = 2_000;

/** `text` is mrkdwn in which foreign text is escaped already. */
export function rendered(text: string, blocks: KnownBlock[]): Rendered {
  return { text: cutMrkdwn(text, FALLBACK_LENGTH), blocks };
}

/** Returns our own text, in which foreign text is already escaped. `verbatim` keeps Slack from adding links. */
function mrkdwn(text: string, most = TEXT_LIMIT): MrkdwnElement {
  return { type: 'mrkdwn', text: cutMrkdwn(text, most), verbatim: true };
}

/** Returns text in which Slack parses nothing. Names of emoji stay as typed. */
export function plain(text: string, most = TEXT_LIMIT): PlainTextElement {
  return { type: 'plain_text', text: cut(text, most) || ' ', emoji: false };
}

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text), expand: true };
}

export function sectionWith(text: string, accessory: Button | Overflow): SectionBlock {
  return { ...section(text), accessory };
}

/** Returns a line of small text; nothing if it is empty. */
export function contextLine(text: string): ContextBlock[] {
  return text === '' ? [] : [context(text)];
}

export function context(...lines: string[]): ContextBlock {
  return { type: 'context', elements: lines.map((line) => mrkdwn(line, CONTEXT_LENGTH)) };
}

export function header(text: string): HeaderBlock {
  return { type: 'header', text: plain(text, HEADER_LIMIT) };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

/** Shows foreign text as a quote, in which Slack parses nothing. */
export function quote(text: string, most: number): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [textOf(text, most)] }] };
}

/** Shows foreign text exactly as it is, in which Slack parses nothing. */
export function preformatted(text: string, most: number): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [textOf(text, most)] }] };
}

function textOf(text: string, most: number): { type: 'text'; text: string } {
  return { type: 'text', text: cut(text, most) || ' ' };
}

interface ButtonOptions {
  value: string;
  style?: 'primary' | 'danger' | undefined;
  confirm?: Confirm;
  /** Screen readers read it in place of the label if several buttons have the same one. It begins with the label. */
  spoken?: string;
}

export function button(actionId: ActionId, label: string, { value, style, confirm, spoken }: ButtonOptions): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(label, BUTTON_LIMIT),
    value,
    ...(style && { style }),
    ...(confirm && { confirm }),
    ...spokenAs(spoken),
  };
}

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields */
export function spokenAs(words: string | undefined): Pick<Button, 'accessibility_label'> {
  return words === undefined ? {} : { accessibility_label: cut(words, BUTTON_LIMIT) };
}

/** Asks a question that a person answers before their click counts. */
export function confirm(question: { title: string; text: string; yes: string; no: string; style?: 'danger' }): Confirm {
  return {
    title: plain(question.title, CONFIRM_TITLE_LIMIT),
    text: plain(question.text, CONFIRM_TEXT_LIMIT),
    confirm: plain(question.yes, CONFIRM_BUTTON_LIMIT),
    deny: plain(question.no, CONFIRM_BUTTON_LIMIT),
    ...(question.style && { style: question.style }),
  };
}

/** Returns a row of buttons, perhaps with a menu; nothing if all are null. */
export function buttons(...candidates: (Button | Overflow | StaticSelect | null)[]): ActionsBlock[] {
  const elements = candidates.filter((each) => each !== null);
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

/** Makes a bulleted list of sentences (mrkdwn), in as few texts for sections as possible. */
export function bulleted(sentences: readonly string[]): string[] {
  const texts: string[] = [];
  for (const sentence of sentences) {
    const line = cutMrkdwn(`• ${sentence}`, TEXT_LIMIT);
    const last = texts.at(-1);
    const joined = `${last}\n${line}`;
    if (last !== undefined && joined.length <= TEXT_LIMIT) texts[texts.length - 1] = joined;
    else texts.push(line);
  }
  return texts;
}

/** The action of buttons that only open an address. Slack reports the click, which needs no answer. */
export const OPEN_LINK = 'open_link';

export function linkButton(label: string, url: string): Button {
  return { type: 'button', action_id: OPEN_LINK, text: plain(label, BUTTON_LIMIT), url };
}

export function grouped(options: PlainTextOption[]): Pick<StaticSelect, 'options' | 'option_groups'> {
  if (options.length <= OPTIONS_PER_GROUP) return { options };
  return { option_groups: optionGroups(options, (first, last) => `${first}–${last}`) };
}

/**
 * Groups options. The numbers of its first and last option label each group.
 * https://docs.slack.dev/reference/block-kit/composition-objects/option-group-object
 */
export function optionGroups(
  options: readonly PlainTextOption[],
  labelOf: (first: number, last: number) => string,
): NonNullable<StaticSelect['option_groups']> {
  const starts = Array.from({ length: Math.ceil(options.length / OPTIONS_PER_GROUP) }, (_, i) => i * OPTIONS_PER_GROUP);
  return starts.map((start) => {
    const own = options.slice(start, start + OPTIONS_PER_GROUP);
    return { label: plain(labelOf(start + 1, start + own.length)), options: own };
  });
}

/** Room for the heading of a list and the line that counts the rest. */
const AROUND_A_LIST = 4_200;

/** Returns the first texts that fit into the blocks of one message, beside a heading and a line about the rest. */
export function fittingTexts(texts: readonly string[]): string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= MESSAGE_BLOCKS_TEXT_LIMIT - AROUND_A_LIST;
  });
}
