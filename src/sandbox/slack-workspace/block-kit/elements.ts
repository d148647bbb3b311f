// The rules of interactive elements and of the image: buttons, menus, then what else people fill in.

import type { JsonObject } from '../json.ts';
import {
  anyText,
  confirmDialog,
  conversationFilter,
  dispatchConfig,
  initialAmongOptions,
  option,
  optionGroup,
  overflowOption,
  plainText,
  selectionLimit,
  slackFile,
  workflow,
} from './composition.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  literal,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';
import { refusals, type Surface, takesElement } from './surface.ts';
import { isTimeZone } from './time-zone.ts';

type ElementRule = [type: string, rule: Rule];

const elementDocs = (page: string) => `${BLOCK_KIT_DOCS}/block-elements/${page}`;

function element(type: string, page: string, fields: Fields, also?: (value: JsonObject) => string[]): ElementRule {
  return [type, shape({ type: literal(type), action_id: identifier, ...fields }, elementDocs(page), also)];
}

// Fields shared by many elements.
const confirm = optional(confirmDialog);
const placeholder = optional(plainText(150));
const focus_on_load = optional(boolean);
const style = optional(string({ of: ['primary', 'danger'] }));
const accessibility_label = optional(string({ max: 75 }));
const ids = optional(list(string({ min: 1 }), {}));

const FEEDBACK = 'feedback-buttons-element';
const feedbackButton: Rule = shape(
  { text: required(plainText(75)), value: required(string({ max: 2000 })), accessibility_label },
  elementDocs(FEEDBACK),
);

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
const BUTTON_ELEMENTS: ElementRule[] = [
  element('button', 'button-element', {
    text: required(plainText(75)),
    url: optional(string({ max: 3000 })),
    value: optional(string({ max: 2000 })),
    style,
    confirm,
    accessibility_label,
  }),
  element('overflow', 'overflow-menu-element', {
    options: required(list(overflowOption, { min: 1, max: 5 })),
    confirm,
  }),
  element('workflow_button', 'workflow-button-element', {
    text: required(plainText(75)),
    action_id: required(string({ min: 1, max: 255 })),
    workflow: required(workflow),
    style,
    confirm,
    accessibility_label,
  }),
  element('feedback_buttons', FEEDBACK, {
    positive_button: required(feedbackButton),
    negative_button: required(feedbackButton),
  }),
  element('icon_button', 'icon-button-element', {
    // The only one at this time.
    icon: required(string({ of: ['trash'] })),
    text: required(plainText(75)),
    value: optional(string({ max: 2000 })),
    accessibility_label,
    confirm,
    visible_to_user_ids: ids,
  }),
];

const SELECT = 'select-menu-element';
const MULTI = 'multi-select-menu-element';
const select = { confirm, placeholder, focus_on_load };
const multi = { ...select, max_selected_items: selectionLimit };

const response_url_enabled = optional(boolean);
const conversations = { default_to_current_conversation: optional(boolean), filter: optional(conversationFilter) };
const plainOption = option(plainText(75));
const staticOptions = {
  options: optional(list(plainOption, { min: 1, max: 100 })),
  option_groups: optional(list(optionGroup, { min: 1, max: 100 })),
};

function oneOptionSource(menu: JsonObject): string[] {
  const isOne = 'options' in menu !== 'option_groups' in menu;
  return [...(isOne ? [] : ['must provide either options or option_groups']), ...initialAmongOptions(menu)];
}

/** Single- and multi-select menus. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const MENU_ELEMENTS: ElementRule[] = [
  element(
    'static_select',
    SELECT,
    { ...select, ...staticOptions, initial_option: optional(plainOption) },
    oneOptionSource,
  ),
  element('users_select', SELECT, { ...select, initial_user: optional(string()) }),
  element('channels_select', SELECT, { ...select, initial_channel: optional(string()), response_url_enabled }),
  element('conversations_select', SELECT, {
    ...select,
    ...conversations,
    initial_conversation: optional(string()),
    response_url_enabled,
  }),
  element(
    'multi_static_select',
    MULTI,
    { ...multi, ...staticOptions, initial_options: optional(list(plainOption, { min: 1, max: 100 })) },
    oneOptionSource,
  ),
  element('multi_users_select', MULTI, { ...multi, initial_users: ids }),
  element('multi_channels_select', MULTI, { ...multi, initial_channels: ids }),
  element('multi_conversations_select', MULTI, { ...multi, ...conversations, initial_conversations: ids }),
];

const textFields = { placeholder, focus_on_load, dispatch_action_config: optional(dispatchConfig) };
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
const INPUT_ELEMENTS: ElementRule[] = [
  element(
    'plain_text_input',
    'plain-text-input-element',
    {
      ...textFields,
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
      ...textFields,
      is_decimal_allowed: required(boolean),
      initial_value: decimal,
      min_value: decimal,
      max_value: decimal,
    },
    valuesInOrder,
  ),
  element('email_text_input', 'email-input-element', { ...textFields, initial_value: optional(string()) }),
  element('url_text_input', 'url-input-element', { ...textFields, initial_value: optional(string()) }),
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

/** https://docs.slack.dev/reference/block-kit/block-elements/image-element */
export const IMAGE_ELEMENT: ElementRule = [
  'image',
  shape(
    {
      type: literal('image'),
      alt_text: required(string({ max: 2000 })),
      image_url: optional(string({ min: 1, max: 3000 })),
      slack_file: optional(slackFile),
    },
    elementDocs('image-element'),
    (image) => ('image_url' in image || 'slack_file' in image ? [] : ['must provide either image_url or slack_file']),
  ),
];

/** The elements of these types that a surface takes, by type. https://docs.slack.dev/reference/block-kit/block-elements */
export function elementsOf(types: readonly string[], surface: Surface): ReadonlyMap<string, Rule> {
  const kinds = [...BUTTON_ELEMENTS, ...MENU_ELEMENTS, ...INPUT_ELEMENTS].filter(
    ([type]) => types.includes(type) && takesElement(surface, type),
  );
  return new Map([...kinds, ...refusals('elements')]);
}

export const MENU_TYPES = MENU_ELEMENTS.map(([type]) => type);
