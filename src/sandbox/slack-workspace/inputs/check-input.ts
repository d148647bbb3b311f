import { optionsOf } from '../block-kit/composition.ts';
import { feedbackButton, heldElements } from '../block-kit/interactive.ts';
import { type Json, type JsonObject, stringAt } from '../json.ts';
import type { ChosenFile, ElementInput, ViewInputs } from '../person-actions.ts';
import { extensionOf } from '../state/files.ts';
import { inputKind, takesMany } from './element-kind.ts';

const REQUIRED = 'Please complete this required field.';

/** Error texts by `block_id`, for inputs that Slack's client refuses to submit. */
export function checkInputs(blocks: readonly Json[], inputs: ViewInputs): { [blockId: string]: string } {
  const errors: { [blockId: string]: string } = {};
  for (const { block, element } of heldElements(blocks)) {
    if (block.type !== 'input') continue;
    const input = inputs[String(block.block_id)]?.[String(element.action_id)];
    const problem =
      !input || isEmpty(input) ? (block.optional === true ? undefined : REQUIRED) : checkInput(element, input);
    if (problem) errors[String(block.block_id)] = problem;
  }
  return errors;
}

function isEmpty(input: ElementInput): boolean {
  switch (input.kind) {
    case 'text':
      return input.value.trim() === '';
    case 'options':
      return input.values.length === 0;
    case 'ids':
      return input.ids.length === 0;
    case 'moment':
      return input.value === null;
    case 'instant':
      return input.seconds === null;
    case 'files':
      return input.files.length === 0;
    case 'press':
      return false;
  }
}

/** Why an element can't take this input, in Slack's words; undefined if it can. */
export function checkInput(element: JsonObject, input: ElementInput): string | undefined {
  if (input.kind !== inputKind(element)) return 'This element takes another kind of input.';
  switch (input.kind) {
    case 'text':
      return checkText(element, input.value);
    case 'options':
      return checkChosen(element, input.values, new Set(optionsOf(element).map((option) => stringAt(option, 'value'))));
    case 'ids':
      return checkChosen(element, input.ids, undefined);
    case 'moment':
      return input.value === null || isMoment(element, input.value) ? undefined : 'Please enter a valid date or time.';
    case 'instant':
      return undefined;
    case 'files':
      return checkFiles(element, input.files);
    case 'press':
      return isButton(element, input.value) ? undefined : 'There is no such button.';
  }
}

/** Only feedback buttons differ by a value. */
function isButton(element: JsonObject, value: string | undefined): boolean {
  return element.type === 'feedback_buttons' ? feedbackButton(element, value) !== undefined : value === undefined;
}

function checkText(element: JsonObject, value: string): string | undefined {
  const { min_length: min = 0, max_length: max = 3000 } = element;
  switch (element.type) {
    case 'plain_text_input':
      if (typeof min === 'number' && value.length < min) return `Please enter at least ${min} characters.`;
      if (typeof max === 'number' && value.length > max) return `Please enter no more than ${max} characters.`;
      if (element.multiline !== true && /[\r\n]/.test(value)) return 'This field takes one line only.';
      return undefined;
    case 'number_input':
      return value === '' ? undefined : checkNumber(element, value);
    case 'email_text_input':
      return value === '' || /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)
        ? undefined
        : 'Please enter a valid email address.';
    case 'url_text_input':
      return value === '' || URL.canParse(value) ? undefined : 'Please enter a valid URL.';
    default:
      return undefined;
  }
}

function checkNumber(element: JsonObject, value: string): string | undefined {
  const pattern = element.is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (!pattern.test(value))
    return element.is_decimal_allowed === true ? 'Please enter a number.' : 'Please enter a whole number.';
  const min = stringAt(element, 'min_value');
  const max = stringAt(element, 'max_value');
  if (min !== undefined && Number(value) < Number(min)) return `Please enter a number of at least ${min}.`;
  if (max !== undefined && Number(value) > Number(max)) return `Please enter a number of at most ${max}.`;
  return undefined;
}

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
function checkFiles({ max_files: most = 10, filetypes }: JsonObject, files: ChosenFile[]): string | undefined {
  if (typeof most === 'number' && files.length > most) return `Please choose no more than ${most}.`;
  if (!Array.isArray(filetypes)) return undefined;
  const isWrong = files.some(({ name }) => !filetypes.includes(extensionOf(name) ?? ''));
  return isWrong ? `Please choose files of these types: ${filetypes.join(', ')}.` : undefined;
}

function checkChosen(
  element: JsonObject,
  chosen: string[],
  offered: Set<string | undefined> | undefined,
): string | undefined {
  const most = takesMany(element) ? (element.max_selected_items ?? Number.POSITIVE_INFINITY) : 1;
  if (typeof most === 'number' && chosen.length > most) return `Please choose no more than ${most}.`;
  if (offered && chosen.some((value) => !offered.has(value))) return 'Please choose one of the options.';
  return undefined;
}

function isMoment(element: JsonObject, value: string): boolean {
  if (element.type === 'timepicker') return /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}
