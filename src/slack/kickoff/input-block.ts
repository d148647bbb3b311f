import type { InputBlock, InputBlockElement } from '@slack/types';
import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
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

/** One input of the form with its current value and a hint. */
export function inputBlock(
  field: InputField,
  budget: FieldBudget,
  { values, missing }: { values: Inputs; missing: string[] },
): InputBlock {
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  const value = given === undefined ? (field.default ?? undefined) : given;
  const label = cutLine(field.label, LABEL_LENGTH) || 'Input';
  const element = inputElement(field, value, budget);
  const isOptional = mayStayEmpty(field, element);
  const hint = hintOf(field, value, { budget, isOptional });
  return {
    type: 'input',
    block_id: inputBlockId(field),
    label: plain(missing.includes(field.name) ? `⚠️ ${label} (missing)` : label),
    ...(hint !== '' && { hint: plain(hint, HINT_LENGTH) }),
    optional: isOptional,
    element,
  };
}

/** Not if the field is prefilled with its default: clearing it would bring the default back unseen. */
function mayStayEmpty(field: InputField, element: InputBlockElement): boolean {
  return field.default !== null && !isPrefilled(element);
}

function hintOf(
  field: InputField,
  value: Json | undefined,
  { budget, isOptional }: { budget: FieldBudget; isOptional: boolean },
): string {
  const { type, options, help } = field;
  const isLong = value !== undefined && isTyped(field, budget) && !fitsField(field, value, budget);
  const said = [
    isLong ? tooLong(fieldText(field, value).length, budget) : '',
    budget.help > 0 && help ? cutLine(help, budget.help) : '',
    type === 'json' ? 'JSON, such as {"name": "value"} or ["a", "b"].' : '',
    type === 'choice' && options.length > budget.options ? `One of ${options.length} choices, typed as they are.` : '',
    isOptional ? ifLeftEmpty(field) : '',
  ];
  return said.filter(Boolean).join(' ');
}

function ifLeftEmpty(field: InputField): string {
  const { default: preset } = field;
  return preset === '' ? '' : `If left empty: ${cutLine(fieldText(field, preset), 60)}`;
}

function tooLong(length: number, { typed }: FieldBudget): string {
  return length > TYPED_TEXT_LIMIT
    ? `The value so far has ${length} characters; a field holds ${TYPED_TEXT_LIMIT}. Please give a shorter one.`
    : `The value so far has ${length} characters; this form is too full for more than ${typed} a field. Please type it again.`;
}
