import type {
  InputBlock,
  InputBlockElement,
  PlainTextInput,
  PlainTextOption,
  RadioButtons,
  StaticSelect,
} from '@slack/types';
import type { InputField } from '../../core/values/input-field.ts';
import type { Inputs, Json } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { fingerprint } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { plain } from './blocks.ts';
import { elementIn, type FormValues, typedText } from './button-value.ts';
import { isDate, parseInput } from './input-values.ts';
import { input, select, textInput } from './inputs.ts';
import { HINT_LIMIT, OPTION_LIMIT, TYPED_TEXT_LIMIT } from './limits.ts';
import { cut, cutLine } from './text/escape.ts';

// Turns a crew's inputs and the fields of answers into inputs of a Slack form, and reads them back.

const LABEL_LENGTH = 150;
const HINT_LENGTH = HINT_LIMIT - 500;

export interface FormState {
  values: Inputs;
  missing: readonly string[];
  wrong: Readonly<Record<string, string>>;
}

export function inputBlock(field: InputField, budget: FieldBudget, state: FormState, say: Say): InputBlock {
  const entry = Object.hasOwn(state.values, field.name) ? state.values[field.name] : undefined;
  const value = entry === undefined ? (field.default ?? undefined) : entry;
  const element = inputElement(field, value, { budget, say });
  // If the field were optional and left empty, the default would silently replace a wrong value.
  const isWrong = wrongOf(field, state) !== '';
  // If a field is prefilled with its default, clearing it would silently bring the default back.
  const isOptional = !isWrong && (field.isOptional === true || (field.default !== null && !isPrefilled(element)));
  const hint = [wrongOf(field, state), ...hints(field, value, { budget, isOptional, isWrong, say })]
    .filter(Boolean)
    .join(' ');
  const label = labelOf(field, state, say);
  return input(inputBlockId(field), { label, hint: cut(hint, HINT_LENGTH), optional: isOptional, element });
}

function labelOf(field: InputField, state: FormState, say: Say): string {
  const label = cutLine(field.label, LABEL_LENGTH) || say('input.unnamed');
  if (state.missing.includes(field.name)) return `⚠️ ${say('form.missing', { label })}`;
  return wrongOf(field, state) === '' ? label : `⚠️ ${label}`;
}

function wrongOf({ name }: InputField, { wrong }: FormState): string {
  return Object.hasOwn(wrong, name) ? cutLine(wrong[name] ?? '', 300) : '';
}

function hints(
  field: InputField,
  value: Json | undefined,
  { budget, isOptional, isWrong, say }: { budget: FieldBudget; isOptional: boolean; isWrong: boolean; say: Say },
): string[] {
  const { type, options, help } = field;
  const isLong = value !== undefined && isTyped(field, budget) && !fitsField(field, value, budget);
  return [
    isLong ? tooLong(fieldText(field, value).length, budget, say) : '',
    budget.help > 0 && help ? cutLine(help, budget.help) : '',
    type === 'number' && !isWrong ? rangeOf(field, say) : '',
    type === 'json' ? say('input.json-hint', { one: '{"name": "value"}', other: '["a", "b"]' }) : '',
    type === 'choice' && options.length > budget.options ? say('input.choices-hint', { count: options.length }) : '',
    isOptional ? emptyHint(field, say) : '',
  ];
}

function rangeOf({ min, max }: InputField, say: Say): string {
  if (min !== null && max !== null) return say('input.range', { min: String(min), max: String(max) });
  if (min !== null) return say('input.at-least', { min: String(min) });
  return max === null ? '' : say('input.at-most', { max: String(max) });
}

function emptyHint(field: InputField, say: Say): string {
  const { default: preset } = field;
  return preset === '' || preset === null
    ? ''
    : say('input.if-empty', { value: cutLine(fieldText(field, preset), 60) });
}

function tooLong(length: number, { typed }: FieldBudget, say: Say): string {
  return length > TYPED_TEXT_LIMIT
    ? say('input.too-long', { length, most: TYPED_TEXT_LIMIT })
    : say('input.no-room', { length, most: typed });
}

/** The `action_id` of every input, each of which is alone in its block. */
const INPUT = 'input';

/** The room of a field for its value, help and options. A form of many fields has little room for each. */
export interface FieldBudget {
  /** Characters of the value that a text field is prefilled with. */
  typed: number;
  help: number;
  /** The most options of a list. If a choice has more, people type it. */
  options: number;
}

/** Returns the same id for an input whenever the form is shown again, so that Slack keeps what was typed. */
export function inputBlockId({ name, type }: Pick<InputField, 'name' | 'type'>): string {
  const isShort = /^[\w .-]{1,60}$/.test(name);
  return `input:${type}:${isShort ? name : fingerprint(name)}`;
}

/** Returns a value as the text of its field. In a JSON field a string needs its quotes. */
export function fieldText({ type }: Pick<InputField, 'type'>, value: Json): string {
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value);
}

function inputElement(
  field: InputField,
  value: Json | undefined,
  { budget, say }: { budget: FieldBudget; say: Say },
): InputBlockElement {
  switch (field.type) {
    case 'text':
      return typedInput(field, value, budget);
    case 'long_text':
    case 'json':
      return { ...typedInput(field, value, budget), multiline: true };
    case 'number':
      return numberInput(field, value);
    case 'yes_no':
      return yesNo(value, say);
    case 'choice':
      return isTyped(field, budget) ? typedInput(field, value, budget) : choice(field, value, say);
    case 'date':
      return dateInput(value);
  }
}

function isPrefilled(element: InputBlockElement): boolean {
  return 'initial_value' in element || 'initial_option' in element || 'initial_date' in element;
}

function isTyped({ type, options }: InputField, budget: FieldBudget): boolean {
  if (type === 'choice') return options.length === 0 || options.length > budget.options;
  return type === 'text' || type === 'long_text' || type === 'json';
}

function fitsField(field: InputField, value: Json, budget: FieldBudget): boolean {
  return fieldText(field, value).length <= budget.typed;
}

function typedInput(field: InputField, value: Json | undefined, budget: FieldBudget): PlainTextInput {
  const isEmpty = value === undefined || (value === null && field.type !== 'json');
  const text = isEmpty || !fitsField(field, value, budget) ? '' : fieldText(field, value);
  return textInput(INPUT, { multiline: text.includes('\n'), max_length: TYPED_TEXT_LIMIT, initial: text });
}

function numberInput({ min, max }: InputField, value: Json | undefined): InputBlockElement {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isWithin = (each: number) => each >= (min ?? each) && each <= (max ?? each);
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

/** Returns a number in digits, as Slack needs it; null for one like `1e21`. */
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
  const nameOf = (each: Json) => cutLine(fieldText(field, each), OPTION_LIMIT) || say('input.empty-option');
  const options = field.options.map(
    (each, i): PlainTextOption => ({ text: plain(nameOf(each), OPTION_LIMIT), value: String(i) }),
  );
  return select(INPUT, options, value === undefined ? null : options[indexOf(field, value)]);
}

/** Prefers an equal option, because both `1` and `"1"` may be offered. */
function indexOf(field: InputField, value: Json): number {
  const same = field.options.indexOf(value);
  return same === -1 ? field.options.findIndex((each) => fieldText(field, each) === fieldText(field, value)) : same;
}

function dateInput(value: Json | undefined): InputBlockElement {
  const initial = typeof value === 'string' && isDate(value) ? value : null;
  return { type: 'datepicker', action_id: INPUT, ...(initial !== null && { initial_date: initial }) };
}

type FieldErrors = Record<string, string>;

/**
 * Reads the inputs of a submitted form with the JSON types that the crew expects. A field that is empty or not in the form takes its
 * default. Without a default it is left out, and the crew decides whether it is required.
 */
export function readFields(values: FormValues, fields: InputField[], say: Say): Result<Inputs, FieldErrors> {
  const read = fields.map((field) => ({ field, result: readField(values, field, say) }));
  const errors = read.flatMap(({ field, result }) =>
    result.ok ? [] : [[inputBlockId(field), cutLine(result.refusal, 500)]],
  );
  if (errors.length > 0) return refuse(Object.fromEntries(errors));
  const inputs = read.flatMap(({ field, result }): [string, Json][] =>
    result.ok && result.value !== undefined ? [[field.name, result.value]] : [],
  );
  return ok(Object.fromEntries(inputs));
}

function readField(values: FormValues, field: InputField, say: Say): Result<Json | undefined, string> {
  const blockId = inputBlockId(field);
  const typed = typedText(values, blockId);
  if (typed.trim() === '') return ok(field.default ?? undefined);
  const isPicked = elementIn(values, blockId)?.type === 'static_select';
  if (field.type !== 'choice' || !isPicked) return parseInput(field, typed, say);
  // The value of an option is its index.
  const option = field.options[Number(typed)];
  return option === undefined ? refuse(say('input.not-offered')) : ok(option);
}
