import { isObject, type JsonObject, stringAt } from '../json.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
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

const COMPOSITION = `${BLOCK_KIT_DOCS}/composition-objects`;
const TEXT = `${COMPOSITION}/text-object`;

/** A `plain_text` object. https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export function plainText(max: number): Rule {
  return oneOfTypes(new Map([['plain_text', plainTextShape(max)]]));
}

/** A `plain_text` or `mrkdwn` object. */
export function anyText(max: number): Rule {
  return oneOfTypes(
    new Map([
      ['plain_text', plainTextShape(max)],
      ['mrkdwn', mrkdwnShape(max)],
    ]),
  );
}

function plainTextShape(max: number): Rule {
  return shape(
    { type: literal('plain_text'), text: required(string({ min: 1, max })), emoji: optional(boolean) },
    TEXT,
  );
}

function mrkdwnShape(max: number): Rule {
  return shape({ type: literal('mrkdwn'), text: required(string({ min: 1, max })), verbatim: optional(boolean) }, TEXT);
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export const confirmDialog: Rule = shape(
  {
    title: required(plainText(100)),
    text: required(anyText(300)),
    confirm: required(plainText(30)),
    deny: required(plainText(30)),
    style: optional(string({ of: ['primary', 'danger'] })),
  },
  `${COMPOSITION}/confirmation-dialog-object`,
);

const OPTION_DOCS = `${COMPOSITION}/option-object`;

/** Slack's types still say 75. https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const optionValue = string({ max: 150 });

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export function option(text: Rule): Rule {
  return shape(
    {
      text: required(text),
      value: required(optionValue),
      description: optional(anyText(75)),
    },
    OPTION_DOCS,
  );
}

export const overflowOption: Rule = shape(
  {
    text: required(plainText(75)),
    value: required(optionValue),
    description: optional(plainText(75)),
    url: optional(string({ max: 3000 })),
  },
  OPTION_DOCS,
);

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-group-object */
export const optionGroup: Rule = shape(
  { label: required(plainText(75)), options: required(list(option(plainText(75)), { min: 1, max: 100 })) },
  `${COMPOSITION}/option-group-object`,
);

/** https://docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object */
export const dispatchConfig: Rule = shape(
  {
    trigger_actions_on: required(
      list(string({ of: ['on_enter_pressed', 'on_character_entered'] }), { min: 1, max: 2 }),
    ),
  },
  `${COMPOSITION}/dispatch-action-configuration-object`,
);

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
export const conversationFilter: Rule = shape(
  {
    include: optional(list(string({ of: ['im', 'mpim', 'private', 'public'] }), { min: 1 })),
    exclude_external_shared_channels: optional(boolean),
    exclude_bot_users: optional(boolean),
  },
  `${COMPOSITION}/conversation-filter-object`,
  (filter) => (Object.keys(filter).length > 0 ? [] : ['must provide at least one filter']),
);

export const workflow: Rule = shape(
  {
    trigger: required(
      shape(
        {
          url: required(string({ min: 1 })),
          customizable_input_parameters: optional(
            list(shape({ name: required(string()), value: required(string()) }, `${COMPOSITION}/workflow-object`), {}),
          ),
        },
        `${COMPOSITION}/trigger-object`,
      ),
    ),
  },
  `${COMPOSITION}/workflow-object`,
);

export const slackFile: Rule = shape(
  { id: optional(string({ min: 1 })), url: optional(string({ min: 1 })) },
  `${COMPOSITION}/slack-file-object`,
  (file) => ('id' in file === 'url' in file ? ['must provide either id or url'] : []),
);

export function initialAmongOptions(element: JsonObject): string[] {
  const offered = new Set(optionsOf(element).map((offer) => stringAt(offer, 'value')));
  const initial = [element.initial_option, ...(Array.isArray(element.initial_options) ? element.initial_options : [])];
  return initial
    .filter(isObject)
    .filter((choice) => !offered.has(stringAt(choice, 'value')))
    .map(() => 'initial option must exactly match one of the provided options');
}

/** All options of an element, including those in groups. */
export function optionsOf(element: JsonObject): JsonObject[] {
  const grouped = Array.isArray(element.option_groups) ? element.option_groups.filter(isObject) : [];
  return [element, ...grouped].flatMap((holder) =>
    Array.isArray(holder.options) ? holder.options.filter(isObject) : [],
  );
}

export const selectionLimit = optional(integer({ min: 1 }));
