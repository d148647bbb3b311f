import type { InputBlock, InputBlockElement } from '@slack/types';
import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
import type { Say } from '../language/say.ts';
import { plain } from '../ui/blocks.ts';
import { HINT_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { cutLine } from '../ui/text/cut.ts';
import {
  type FieldBudget,
  fieldText,
  fitsField,
  inputBlockId,
  inputElement,
  isPrefilled,
  isTyped,
} from './input-element.ts';

const LABEL_LENGTH = 150;
const HINT_LENGTH = HINT_LIMIT - 500;

/** What is known about the values of a form. */
export interface FormState {
  values: Inputs;
  /** The names that the crew said are missing. */
  missing: readonly string[];
  /** What is wrong with an input, by its name; plain text. */
  wrong: Readonly<Record<string, string>>;
}

/** One input of the form with its current value and a hint. */
export function inputBlock(field: InputField, budget: FieldBudget, state: FormState, say: Say): InputBlock {
  const given = Object.hasOwn(state.values, field.name) ? state.values[field.name] : undefined;
  const value = given === undefined ? (field.default ?? undefined) : given;
  const element = inputElement(field, value, { budget, say });
  // Left empty, a value that can't be used would turn into the default unseen.
  const isWrong = wrongOf(field, state) !== '';
  const isOptional = !isWrong && mayStayEmpty(field, element);
  const hint = [wrongOf(field, state), ...hints(field, value, { budget, isOptional, isWrong, say })]
    .filter(Boolean)
    .join(' ');
  return {
    type: 'input',
    block_id: inputBlockId(field),
    label: plain(labelOf(field, state, say)),
    ...(hint !== '' && { hint: plain(hint, HINT_LENGTH) }),
    optional: isOptional,
    element,
  };
}

function labelOf(field: InputField, state: FormState, say: Say): string {
  const label = cutLine(field.label, LABEL_LENGTH) || say('input.unnamed');
  if (state.missing.includes(field.name)) return `⚠️ ${say('form.missing', { label })}`;
  return wrongOf(field, state) === '' ? label : `⚠️ ${label}`;
}

function wrongOf({ name }: InputField, { wrong }: FormState): string {
  return Object.hasOwn(wrong, name) ? cutLine(wrong[name] ?? '', 300) : '';
}

/** Not if the field is prefilled with its default: clearing it would bring the default back unseen. */
function mayStayEmpty(field: InputField, element: InputBlockElement): boolean {
  return field.default !== null && !isPrefilled(element);
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
    isOptional ? ifLeftEmpty(field, say) : '',
  ];
}

function rangeOf({ min, max }: InputField, say: Say): string {
  if (min !== null && max !== null) return say('input.range', { min: String(min), max: String(max) });
  if (min !== null) return say('input.at-least', { min: String(min) });
  return max === null ? '' : say('input.at-most', { max: String(max) });
}

function ifLeftEmpty(field: InputField, say: Say): string {
  const { default: preset } = field;
  return preset === '' ? '' : say('input.if-empty', { value: cutLine(fieldText(field, preset), 60) });
}

function tooLong(length: number, { typed }: FieldBudget, say: Say): string {
  return length > TYPED_TEXT_LIMIT
    ? say('input.too-long', { length, most: TYPED_TEXT_LIMIT })
    : say('input.no-room', { length, most: typed });
}
