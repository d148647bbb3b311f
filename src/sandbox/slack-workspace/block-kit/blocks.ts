import type { JsonObject } from '../json.ts';
import { anyText, plainText, slackFile } from './composition.ts';
import { DATA_VISUALIZATION } from './data-visualization.ts';
import { elementsOf, IMAGE_ELEMENT, MENU_TYPES } from './elements.ts';
import { richTextElement } from './rich-text.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  literal,
  oneOfTypes,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

/** Where blocks are shown. Not every block is allowed everywhere. */
export type Surface = 'message' | 'modal' | 'home';

const CHOICES = ['checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];
const TYPED = ['plain_text_input', 'number_input', 'email_text_input', 'url_text_input'];

const IN_ACTIONS = elementsOf(['button', 'overflow', 'workflow_button', 'datetimepicker', ...CHOICES, ...MENU_TYPES]);
const IN_SECTION = new Map([
  ...elementsOf(['button', 'overflow', 'workflow_button', ...CHOICES, ...MENU_TYPES]),
  IMAGE_ELEMENT,
]);
const IN_INPUT = elementsOf(['datetimepicker', ...CHOICES, ...MENU_TYPES, ...TYPED]);
const IN_CONTEXT = oneOfTypes(
  new Map<string, Rule>([IMAGE_ELEMENT, ['plain_text', anyText(3000)], ['mrkdwn', anyText(3000)]]),
);

function block(type: string, fields: Fields, also?: (value: JsonObject) => string[]): [string, Rule] {
  const page = `${BLOCK_KIT_DOCS}/blocks/${type.replaceAll('_', '-')}-block`;
  return [type, shape({ type: literal(type), block_id: identifier, ...fields }, page, also)];
}

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
export const TABLE_LIMITS = { rows: 100, columns: 20 };

const tableCell: Rule = oneOfTypes(
  new Map<string, Rule>([
    [
      'raw_text',
      shape({ type: literal('raw_text'), text: required(string({ min: 1 })) }, `${BLOCK_KIT_DOCS}/blocks/table-block`),
    ],
    [
      'rich_text',
      shape(
        { type: literal('rich_text'), block_id: identifier, elements: required(list(richTextElement, {})) },
        `${BLOCK_KIT_DOCS}/blocks/table-block`,
      ),
    ],
  ]),
);

/** The blocks of every surface. https://docs.slack.dev/reference/block-kit/blocks */
const EVERYWHERE: [string, Rule][] = [
  block('actions', { elements: required(list(oneOfTypes(IN_ACTIONS), { min: 1, max: 25 })) }),
  block('context', { elements: required(list(IN_CONTEXT, { min: 1, max: 10 })) }),
  block('divider', {}),
  block('header', { text: required(plainText(150)) }),
  block(
    'image',
    {
      alt_text: required(string({ max: 2000 })),
      title: optional(plainText(2000)),
      image_url: optional(string({ min: 1, max: 3000 })),
      slack_file: optional(slackFile),
    },
    (image) => ('image_url' in image || 'slack_file' in image ? [] : ['must provide either image_url or slack_file']),
  ),
  block('input', {
    label: required(plainText(2000)),
    element: required(oneOfTypes(IN_INPUT)),
    dispatch_action: optional(boolean),
    hint: optional(plainText(2000)),
    optional: optional(boolean),
  }),
  block('rich_text', { elements: required(list(richTextElement, {})) }),
  block(
    'section',
    {
      text: optional(anyText(3000)),
      fields: optional(list(anyText(2000), { min: 1, max: 10 })),
      accessory: optional(oneOfTypes(IN_SECTION)),
      expand: optional(boolean),
    },
    (section) => ('text' in section || 'fields' in section ? [] : ['missing required field: text']),
  ),
  block('video', {
    alt_text: required(string()),
    title: required(plainText(200)),
    thumbnail_url: required(string({ min: 1 })),
    video_url: required(string({ min: 1 })),
    author_name: optional(string({ max: 50 })),
    description: optional(plainText(200)),
    provider_icon_url: optional(string()),
    provider_name: optional(string()),
    title_url: optional(string({ pattern: /^https:/ })),
  }),
];

/** The blocks allowed only in messages. */
const IN_MESSAGES: [string, Rule][] = [
  block('markdown', { text: required(string({ min: 1 })) }),
  block('context_actions', {
    elements: required(list(oneOfTypes(elementsOf(['feedback_buttons', 'icon_button'])), { min: 1, max: 5 })),
  }),
  block('data_visualization', DATA_VISUALIZATION),
  block('file', { source: required(string({ of: ['remote'] })), external_id: required(string({ min: 1 })) }),
  block('table', {
    rows: required(list(list(tableCell, { min: 1, max: TABLE_LIMITS.columns }), { min: 1, max: TABLE_LIMITS.rows })),
    column_settings: optional(
      list(
        shape(
          {
            align: optional(string({ of: ['left', 'center', 'right'] })),
            is_wrapped: optional(boolean),
            width: optional(integer()),
          },
          `${BLOCK_KIT_DOCS}/blocks/table-block`,
        ),
        { max: TABLE_LIMITS.columns },
      ),
    ),
  }),
];

/** Slack blocks this workspace can't validate or render yet; the error says so instead of blaming the app. */
const UNSUPPORTED = ['alert', 'call', 'card', 'carousel', 'container', 'data_table', 'plan', 'task_card'];
const unsupported = UNSUPPORTED.map((type): [string, Rule] => [
  type,
  (_, pointer, report) => report(pointer, `${type} blocks exist in Slack but are not supported by this workspace yet`),
]);

const MESSAGE = oneOfTypes(new Map([...EVERYWHERE, ...IN_MESSAGES, ...unsupported]));
const VIEW = oneOfTypes(new Map([...EVERYWHERE, ...unsupported]));

export function blockRule(surface: Surface): Rule {
  return surface === 'message' ? MESSAGE : VIEW;
}
