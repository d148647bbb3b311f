import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import type { CrewRefusal } from '../../../../core/state/request.ts';
import type { InputField } from '../../../../core/values/input-field.ts';
import { fingerprint } from '../../../../core/values/text.ts';
import type { Say } from '../../../language/say.ts';
import { context, plain, section } from '../../../ui/blocks.ts';
import { type FormValues, typedText } from '../../../ui/button-value.ts';
import { input, select, textInput } from '../../../ui/inputs.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../../../ui/limits.ts';
import { cut, cutLine, escapedLine, escapeMrkdwn } from '../../../ui/text/escape.ts';
import { inputsSentence } from '../trouble.ts';

// The part of the choice of a crew where a shortcut's message becomes one of the crew's inputs.

const MESSAGE_BLOCK = 'message';
const INTO_BLOCK = 'into';

export interface ChosenMessage {
  text: string;
  length: number;
  /** The crew's inputs that can take it, or why they are unknown. */
  inputs: { kind: 'inputs'; fields: readonly InputField[] } | { kind: 'unknown'; code: CrewRefusal };
}

/** Renders the input that takes the message, and its text. The text's field stays for every crew, or Slack would drop what was typed. */
export function messageBlocks({ text, length, inputs }: ChosenMessage, crew: string, say: Say): KnownBlock[] {
  const fields = inputs.kind === 'inputs' ? inputs.fields : [];
  const isCut = length > TYPED_TEXT_LIMIT;
  return [
    ...(inputs.kind === 'unknown' ? [section(`⚠️ ${escapeMrkdwn(inputsSentence(inputs.code, crew, say))}`)] : []),
    ...(inputs.kind === 'inputs' && fields.length === 0
      ? [section(`⚠️ ${say('choice.no-text-input', { crew: escapedLine(crew, 80) })}`)]
      : []),
    ...(fields.length > 1 ? [intoSelect(fields, crew, say)] : []),
    messageInput(text, fields.length === 1 ? (fields[0] ?? null) : null, say),
    ...(isCut ? [context(say('shortcut.cut', { count: length, most: TYPED_TEXT_LIMIT }))] : []),
  ];
}

function messageInput(text: string, only: InputField | null, say: Say): InputBlock {
  const initial = cut(text, TYPED_TEXT_LIMIT);
  const goesTo = cutLine(only?.label ?? '', OPTION_LIMIT);
  return input(MESSAGE_BLOCK, {
    label: say('choice.message'),
    hint: goesTo === '' ? say('choice.message-hint') : say('choice.message-goes', { input: goesTo }),
    element: textInput('message_input', { multiline: true, max_length: TYPED_TEXT_LIMIT, initial }),
  });
}

/**
 * Builds the select of the input that takes the message. Its id differs for each crew, so that Slack doesn't keep the choice for
 * another one.
 */
function intoSelect(fields: readonly InputField[], crew: string, say: Say): InputBlock {
  // A message most likely belongs in the first input that takes several lines.
  const preferred = fields.find(({ type }) => type === 'long_text') ?? fields[0];
  const element = select('into_input', fields.map(optionOf), preferred && optionOf(preferred));
  return input(`${INTO_BLOCK}:${fingerprint(crew)}`, { label: say('choice.into'), element });
}

function optionOf(field: InputField): PlainTextOption {
  return { text: plain(cutLine(field.label, OPTION_LIMIT) || field.name, OPTION_LIMIT), value: optionValue(field) };
}

function optionValue({ name }: InputField): string {
  return fingerprint(name);
}

export function readMessage(values: FormValues): string {
  return typedText(values, MESSAGE_BLOCK);
}

/** Returns the block of the chosen input, where an error about it is shown; null if there was nothing to choose. */
export function intoBlockIn(values: FormValues): string | null {
  return Object.keys(values).find((id) => id.startsWith(`${INTO_BLOCK}:`)) ?? null;
}

/** Returns the input that takes the message: the chosen one, or the only one; null if the crew no longer has it. */
export function readInto(values: FormValues, fields: readonly InputField[]): InputField | null {
  const block = intoBlockIn(values);
  if (block === null) return fields.length === 1 ? (fields[0] ?? null) : null;
  return fields.find((field) => optionValue(field) === typedText(values, block)) ?? null;
}

export function textInputs(fields: readonly InputField[]): InputField[] {
  return fields.filter(({ type }) => type === 'text' || type === 'long_text');
}
