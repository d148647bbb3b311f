import type { InputBlockElement, PlainTextInput, PlainTextOption, RadioButtons, StaticSelect } from '@slack/types';
import type { InputField } from '../../core/crew.ts';
import type { Json } from '../../core/json.ts';
import { plain } from '../ui/blocks.ts';
import { OPTION_LIMIT, OPTIONS_PER_GROUP, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { cutLine } from '../ui/text/cut.ts';
import { fieldText } from './input-field.ts';
import { isDate } from './to-input.ts';

/** One element a block, so that its action id needs to tell nothing. */
export const INPUT = 'input';

/** How much of what is known a field may hold; a form of many fields must be content with less. */
export interface Room {
  /** Characters of a value that a text field begins with. */
  typed: number;
  /** Characters of help. */
  help: number;
  /** Options of a choice; one with more of them is typed. */
  options: number;
}

/** The element for a field's type, with the given value in it where it fits. */
export function inputElement(field: InputField, value: Json | undefined, room: Room): InputBlockElement {
  switch (field.type) {
    case 'text':
      return textInput(field, value, room);
    case 'long_text':
    case 'json':
      return { ...textInput(field, value, room), multiline: true };
    case 'number':
      return numberInput(value);
    case 'yes_no':
      return yesNo(value);
    case 'choice':
      return isTyped(field, room) ? textInput(field, value, room) : choice(field, value);
    case 'date':
      return dateInput(value);
  }
}

/** Whether a value stands in the element already. */
export function isPrefilled(element: InputBlockElement): boolean {
  return 'initial_value' in element || 'initial_option' in element || 'initial_date' in element;
}

/** Whether the field is one of text, so that a value may be too long for it. */
export function isTyped({ type, options }: InputField, room: Room): boolean {
  if (type === 'choice') return options.length === 0 || options.length > room.options;
  return type === 'text' || type === 'long_text' || type === 'json';
}

/** Whether a value can stand in a field of text. */
export function fitsField(field: InputField, value: Json, room: Room): boolean {
  return fieldText(field, value).length <= room.typed;
}

function textInput(field: InputField, value: Json | undefined, room: Room): PlainTextInput {
  const isNothing = value === undefined || (value === null && field.type !== 'json');
  const text = isNothing || !fitsField(field, value, room) ? '' : fieldText(field, value);
  return {
    type: 'plain_text_input',
    action_id: INPUT,
    multiline: text.includes('\n'),
    max_length: TYPED_TEXT_LIMIT,
    ...(text !== '' && { initial_value: text }),
  };
}

function numberInput(value: Json | undefined): InputBlockElement {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const initial = typeof number === 'number' && Number.isFinite(number) ? decimal(number) : null;
  return {
    type: 'number_input',
    action_id: INPUT,
    is_decimal_allowed: true,
    ...(initial !== null && { initial_value: initial }),
  };
}

/** Slack takes digits only, not `1e21`. */
function decimal(number: number): string | null {
  const text = String(number);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : null;
}

const YES: PlainTextOption = { text: plain('Yes'), value: 'yes' };
const NO: PlainTextOption = { text: plain('No'), value: 'no' };

function yesNo(value: Json | undefined): RadioButtons {
  const initial = value === true ? YES : value === false ? NO : null;
  return { type: 'radio_buttons', action_id: INPUT, options: [YES, NO], ...(initial && { initial_option: initial }) };
}

function choice(field: InputField, value: Json | undefined): StaticSelect {
  const options = field.options.map(
    (each, i): PlainTextOption => ({ text: optionText(field, each), value: String(i) }),
  );
  const initial = value === undefined ? undefined : options[placeOf(field, value)];
  return { type: 'static_select', action_id: INPUT, ...grouped(options), ...(initial && { initial_option: initial }) };
}

/** `1` and `"1"` may both be offered. */
function placeOf(field: InputField, value: Json): number {
  const same = field.options.indexOf(value);
  return same === -1 ? field.options.findIndex((each) => fieldText(field, each) === fieldText(field, value)) : same;
}

function optionText(field: InputField, value: Json) {
  return plain(cutLine(fieldText(field, value), OPTION_LIMIT) || '(empty)', OPTION_LIMIT);
}

/** The options as they are, or in groups where there are too many for one list. */
export function grouped(options: PlainTextOption[]): Pick<StaticSelect, 'options' | 'option_groups'> {
  if (options.length <= OPTIONS_PER_GROUP) return { options };
  const starts = Array.from({ length: Math.ceil(options.length / OPTIONS_PER_GROUP) }, (_, i) => i * OPTIONS_PER_GROUP);
  return {
    option_groups: starts.map((start) => {
      const held = options.slice(start, start + OPTIONS_PER_GROUP);
      return { label: plain(`${start + 1}–${start + held.length}`), options: held };
    }),
  };
}

function dateInput(value: Json | undefined): InputBlockElement {
  const initial = typeof value === 'string' && isDate(value) ? value : null;
  return { type: 'datepicker', action_id: INPUT, ...(initial !== null && { initial_date: initial }) };
}
