import type { JsonObject } from '../json.ts';
import { anyText, dispatchConfig, initialAmongOptions, option } from './composition.ts';
import { confirm, type ElementRule, element, focus_on_load, placeholder } from './element-rule.ts';
import { boolean, integer, list, optional, type Rule, required, string } from './rule.ts';
import { isTimeZone } from './time-zone.ts';

const typed = { placeholder, focus_on_load, dispatch_action_config: optional(dispatchConfig) };
const decimal = optional(string({ pattern: /^-?\d+(\.\d+)?$/ }));

/** An IANA name. */
const timeZone: Rule = (value, pointer, report) => {
  if (typeof value !== 'string' || !isTimeZone(value)) report(pointer, 'must be a valid time zone');
};

const anyOption = option(anyText(75));
const choices = { options: required(list(anyOption, { min: 1, max: 10 })), confirm, focus_on_load };

function lengthsInOrder({ min_length: min, max_length: max }: JsonObject): string[] {
  const isReversed = typeof min === 'number' && typeof max === 'number' && min > max;
  return isReversed ? ['min_length must not exceed max_length'] : [];
}

function valuesInOrder({ min_value: min, max_value: max }: JsonObject): string[] {
  const isReversed = typeof min === 'string' && typeof max === 'string' && Number(min) > Number(max);
  return isReversed ? ['min_value must not exceed max_value'] : [];
}

/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
export const INPUT_ELEMENTS: ElementRule[] = [
  element(
    'plain_text_input',
    'plain-text-input-element',
    {
      ...typed,
      initial_value: optional(string({ max: 3000 })),
      multiline: optional(boolean),
      min_length: optional(integer({ min: 0, max: 3000 })),
      max_length: optional(integer({ min: 1, max: 3000 })),
    },
    lengthsInOrder,
  ),
  element(
    'number_input',
    'number-input-element',
    {
      ...typed,
      is_decimal_allowed: required(boolean),
      initial_value: decimal,
      min_value: decimal,
      max_value: decimal,
    },
    valuesInOrder,
  ),
  element('email_text_input', 'email-input-element', { ...typed, initial_value: optional(string()) }),
  element('url_text_input', 'url-input-element', { ...typed, initial_value: optional(string()) }),
  element(
    'checkboxes',
    'checkboxes-element',
    { ...choices, initial_options: optional(list(anyOption, { min: 1, max: 10 })) },
    initialAmongOptions,
  ),
  element(
    'radio_buttons',
    'radio-button-group-element',
    { ...choices, initial_option: optional(anyOption) },
    initialAmongOptions,
  ),
  element('datepicker', 'date-picker-element', {
    confirm,
    placeholder,
    focus_on_load,
    initial_date: optional(string({ pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/ })),
  }),
  element('timepicker', 'time-picker-element', {
    confirm,
    placeholder,
    focus_on_load,
    initial_time: optional(string({ pattern: /^([01]\d|2[0-3]):[0-5]\d$/ })),
    timezone: optional(timeZone),
  }),
  element('file_input', 'file-input-element', {
    filetypes: optional(list(string({ min: 1 }), { min: 1 })),
    max_files: optional(integer({ min: 1, max: 10 })),
  }),
  element('datetimepicker', 'datetime-picker-element', {
    initial_date_time: optional(integer({ min: 1_000_000_000, max: 9_999_999_999 })),
    confirm,
    focus_on_load,
  }),
];
