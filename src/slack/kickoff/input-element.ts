import type { InputBlockElement, PlainTextInput, PlainTextOption, RadioButtons, StaticSelect } from '@slack/types';
import type { InputField } from '../../core/crew.ts';
import type { Json } from '../../core/json.ts';
import { fingerprint } from '../../core/messages/fingerprint.ts';
import type { Say } from '../language/say.ts';
import { plain } from '../ui/blocks.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { cutLine } from '../ui/text/cut.ts';
import { isDate } from './to-input.ts';

/** The same for every element, since each is alone in its block. */
const INPUT = 'input';

/** How much of what is known a field may hold: a form of many fields has little room for each. */
export interface FieldBudget {
  /** Characters of the value that a text field is prefilled with. */
  typed: number;
  /** Characters of help. */
  help: number;
  /** Options of a choice; one that has more is typed. */
  options: number;
}

/** The same for the same input whenever the form is shown again, so that Slack keeps what was typed. */
export function inputBlockId({ name, type }: Pick<InputField, 'name' | 'type'>): string {
  const isShort = /^[\w .-]{1,60}$/.test(name);
  return `input:${type}:${isShort ? name : fingerprint(name)}`;
}

/** A value as the text of its field. In a JSON field a string has its quotes, or it would be read as something else. */
export function fieldText({ type }: Pick<InputField, 'type'>, value: Json): string {
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value);
}

/** The element for a field's type, prefilled with the value if it fits. */
export function inputElement(
  field: InputField,
  value: Json | undefined,
  { budget, say }: { budget: FieldBudget; say: Say },
): InputBlockElement {
  switch (field.type) {
    case 'text':
      return textInput(field, value, budget);
    case 'long_text':
    case 'json':
      return { ...textInput(field, value, budget), multiline: true };
    case 'number':
      return numberInput(field, value);
    case 'yes_no':
      return yesNo(value, say);
    case 'choice':
      return isTyped(field, budget) ? textInput(field, value, budget) : choice(field, value, say);
    case 'date':
      return dateInput(value);
  }
}

/** Whether the element has a value already. */
export function isPrefilled(element: InputBlockElement): boolean {
  return 'initial_value' in element || 'initial_option' in element || 'initial_date' in element;
}

/** Whether the field is typed as text, so that a value may be too long for it. */
export function isTyped({ type, options }: InputField, budget: FieldBudget): boolean {
  if (type === 'choice') return options.length === 0 || options.length > budget.options;
  return type === 'text' || type === 'long_text' || type === 'json';
}

/** Whether a value fits into a text field. */
export function fitsField(field: InputField, value: Json, budget: FieldBudget): boolean {
  return fieldText(field, value).length <= budget.typed;
}

function textInput(field: InputField, value: Json | undefined, budget: FieldBudget): PlainTextInput {
  const isEmpty = value === undefined || (value === null && field.type !== 'json');
  const text = isEmpty || !fitsField(field, value, budget) ? '' : fieldText(field, value);
  return {
    type: 'plain_text_input',
    action_id: INPUT,
    multiline: text.includes('\n'),
    max_length: TYPED_TEXT_LIMIT,
    ...(text !== '' && { initial_value: text }),
  };
}

function numberInput({ min, max }: InputField, value: Json | undefined): InputBlockElement {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isWithin = (given: number) => given >= (min ?? given) && given <= (max ?? given);
  const initial = typeof number === 'number' && isWithin(number) ? decimal(number) : null;
  const [least, most] = [min === null ? null : decimal(min), max === null ? null : decimal(max)];
  return {
    type: 'number_input',
    action_id: INPUT,
    is_decimal_allowed: true,
    ...(least !== null && { min_value: least }),
    ...(most !== null && { max_value: most }),
    ...(initial !== null && { initial_value: initial }),
  };
}

/** Slack takes digits only, no `1e21`, nor a first value outside the limits. */
function decimal(number: number): string | null {
  const text = String(number);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : null;
}

function yesNo(value: Json | undefined, say: Say): RadioButtons {
  const yes: PlainTextOption = { text: plain(say('input.yes')), value: 'yes' };
  const no: PlainTextOption = { text: plain(say('input.no')), value: 'no' };
  const initial = value === true ? yes : value === false ? no : null;
  return { type: 'radio_buttons', action_id: INPUT, options: [yes, no], ...(initial && { initial_option: initial }) };
}

function choice(field: InputField, value: Json | undefined, say: Say): StaticSelect {
  const options = field.options.map(
    (each, i): PlainTextOption => ({ text: optionText(field, each, say), value: String(i) }),
  );
  const initial = value === undefined ? undefined : options[indexOf(field, value)];
  return { type: 'static_select', action_id: INPUT, ...grouped(options), ...(initial && { initial_option: initial }) };
}

/** Both `1` and `"1"` may be offered. */
function indexOf(field: InputField, value: Json): number {
  const same = field.options.indexOf(value);
  return same === -1 ? field.options.findIndex((each) => fieldText(field, each) === fieldText(field, value)) : same;
}

function optionText(field: InputField, value: Json, say: Say) {
  return plain(cutLine(fieldText(field, value), OPTION_LIMIT) || say('input.empty-option'), OPTION_LIMIT);
}

function dateInput(value: Json | undefined): InputBlockElement {
  const initial = typeof value === 'string' && isDate(value) ? value : null;
  return { type: 'datepicker', action_id: INPUT, ...(initial !== null && { initial_date: initial }) };
}
