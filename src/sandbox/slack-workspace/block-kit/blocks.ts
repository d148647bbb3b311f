// The rules of blocks: each by itself, and all of a list together.

import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../json.ts';
import { anyText, plainText, slackFile } from './composition.ts';
import { DATA_VISUALIZATION } from './data-visualization.ts';
import { elementsOf, IMAGE_ELEMENT, MENU_TYPES } from './elements.ts';
import { childBlocks, elementsIn, heldElements } from './interactive.ts';
import { richTextElement } from './rich-text.ts';
import {
  BLOCK_KIT_DOCS,
  type BlockProblem,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  literal,
  oneOfTypes,
  optional,
  type Report,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';
import { refusals, type Surface, takesBlock } from './surface.ts';
import { DATA_TABLE, TABLE, unevenRows } from './table.ts';
import { PLAN, repeatedTasks, TASK_CARD } from './tasks.ts';

/** https://docs.slack.dev/reference/block-kit/blocks */
export const MOST_BLOCKS: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/** Validates a list of blocks on a surface. */
export function checkBlocks(blocks: Json, surface: Surface, pointer: string): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const report: Report = (at, message, documentation) =>
    problems.push({ pointer: at, message, documentation: documentation ?? `${BLOCK_KIT_DOCS}/blocks` });
  list(blockRule(surface), { max: MOST_BLOCKS[surface] })(blocks, pointer, report);
  if (Array.isArray(blocks)) {
    reportRepeatedIds(blocks, pointer, report);
    reportSecondFocus(blocks, pointer, report);
  }
  return problems;
}

/** A `block_id` must be unique in its message or view, an `action_id` in its block. */
function reportRepeatedIds(blocks: Json[], pointer: string, report: Report): void {
  const blockIds = new Set<string>();
  const visit = (block: Json, at: string) => {
    if (!isObject(block)) return;
    // The id of a markdown block is ignored: https://docs.slack.dev/reference/block-kit/blocks/markdown-block
    const blockId = block.type === 'markdown' ? undefined : stringAt(block, 'block_id');
    if (blockId !== undefined && blockIds.has(blockId))
      report(`${at}/block_id`, `\`block_id\` "${blockId}" already exists`);
    if (blockId !== undefined) blockIds.add(blockId);
    const actionIds = elementsIn(block).flatMap((element) => stringAt(element, 'action_id') ?? []);
    for (const repeated of new Set(actionIds.filter((id, nth) => actionIds.indexOf(id) !== nth)))
      report(`${at}/elements`, `\`action_id\` "${repeated}" already exists for another element`);
    const childField = block.type === 'plan' ? 'tasks' : 'child_blocks';
    for (const [index, child] of childBlocks(block).entries()) visit(child, `${at}/${childField}/${index}`);
  };
  for (const [index, block] of blocks.entries()) visit(block, `${pointer}/${index}`);
}

/** Only one element may have `focus_on_load`. */
function reportSecondFocus(blocks: Json[], pointer: string, report: Report): void {
  const focused = heldElements(blocks).filter(({ element }) => element.focus_on_load === true);
  if (focused.length > 1) report(pointer, 'only one element can have focus_on_load set to true');
}

const CHOICES = ['checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];
const TYPED = ['plain_text_input', 'number_input', 'email_text_input', 'url_text_input', 'file_input'];
const IN_ACTIONS = ['button', 'overflow', 'workflow_button', 'datetimepicker', ...CHOICES, ...MENU_TYPES];
const IN_SECTION = ['button', 'overflow', 'workflow_button', ...CHOICES, ...MENU_TYPES];
const IN_INPUT = ['datetimepicker', ...CHOICES, ...MENU_TYPES, ...TYPED];
const IN_CONTEXT_ACTIONS = ['feedback_buttons', 'icon_button'];
const IN_CONTEXT = oneOfTypes(
  new Map<string, Rule>([IMAGE_ELEMENT, ['plain_text', anyText(3000)], ['mrkdwn', anyText(3000)]]),
);

function block(type: string, fields: Fields, also?: (value: JsonObject) => string[]): [string, Rule] {
  const page = `${BLOCK_KIT_DOCS}/blocks/${type.replaceAll('_', '-')}-block`;
  return [type, shape({ type: literal(type), block_id: identifier, ...fields }, page, also)];
}

const RICH_TEXT = block('rich_text', { elements: required(list(richTextElement, {})) });

/** Blocks that people read. https://docs.slack.dev/reference/block-kit/blocks */
const SHOWN: [string, Rule][] = [
  block('alert', {
    text: required(anyText(200)),
    level: optional(string({ of: ['default', 'info', 'warning', 'error', 'success'] })),
  }),
  block('context', { elements: required(list(IN_CONTEXT, { min: 1, max: 10 })) }),
  block('data_visualization', DATA_VISUALIZATION),
  block('data_table', DATA_TABLE, unevenRows),
  block('divider', {}),
  block('header', { text: required(plainText(150)), level: optional(integer({ min: 1, max: 4 })) }),
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
  block('markdown', { text: required(string({ min: 1 })) }),
  RICH_TEXT,
  block('plan', PLAN, repeatedTasks),
  block('table', TABLE),
  block('task_card', TASK_CARD),
];

/** Returns the blocks that people use, with the elements that this surface takes. */
function usedOn(surface: Surface): [string, Rule][] {
  const oneOf = (types: readonly string[]) => oneOfTypes(elementsOf(types, surface));
  return [
    block('actions', { elements: required(list(oneOf(IN_ACTIONS), { min: 1, max: 25 })) }),
    block('context_actions', { elements: required(list(oneOf(IN_CONTEXT_ACTIONS), { min: 1, max: 5 })) }),
    ['input', input(oneOf(IN_INPUT))],
    block(
      'section',
      {
        text: optional(anyText(3000)),
        fields: optional(list(anyText(2000), { min: 1, max: 10 })),
        accessory: optional(oneOfTypes(new Map([...elementsOf(IN_SECTION, surface), IMAGE_ELEMENT]))),
        expand: optional(boolean),
      },
      (section) => ('text' in section || 'fields' in section ? [] : ['missing required field: text']),
    ),
  ];
}

/** An element for files can't dispatch: then it is an unsupported type. https://docs.slack.dev/reference/block-kit/blocks/input-block */
function input(element: Rule): Rule {
  const [, rule] = block('input', {
    label: required(plainText(2000)),
    element: required(element),
    dispatch_action: optional(boolean),
    hint: optional(plainText(2000)),
    optional: optional(boolean),
  });
  return (value, pointer, report) => {
    rule(value, pointer, report);
    if (stringAt(objectAt(value, 'element'), 'type') !== 'file_input' || !isObject(value)) return;
    if (value.dispatch_action === true)
      report(`${pointer}/element/type`, 'unsupported type: file_input', `${BLOCK_KIT_DOCS}/blocks/input-block`);
  };
}

function blocksOn(surface: Surface): Rule {
  const accepted = [...SHOWN, ...usedOn(surface)].filter(([type]) => takesBlock(surface, type));
  return oneOfTypes(new Map([...accepted, container(accepted), ...refusals('blocks')]));
}

/**
 * Those children that both its page names and Slack's own validator accepts:
 * https://docs.rs/slack-morphism/2.31.0/slack_morphism/prelude/struct.SlackContainerBlock.html
 */
const IN_CONTAINER = ['actions', 'context', 'divider', 'header', 'image', 'section', 'table'];

/** https://docs.slack.dev/reference/block-kit/blocks/container-block */
function container(taken: readonly [string, Rule][]): [string, Rule] {
  const children = new Map([...taken.filter(([type]) => IN_CONTAINER.includes(type)), ...refusals('blocks')]);
  const [, richText] = RICH_TEXT;
  const fields: Fields = {
    title: optional(plainText(150)),
    rich_text_title: optional(richText),
    subtitle: optional(anyText(150)),
    child_blocks: required(list(oneOfTypes(children), { min: 1, max: 10 })),
    width: optional(string({ of: ['narrow', 'standard', 'wide', 'full'] })),
    icon: optional(oneOfTypes(new Map([IMAGE_ELEMENT]))),
    is_collapsible: optional(boolean),
    default_collapsed: optional(boolean),
    has_header_divider: optional(boolean),
  };
  return block('container', fields, (value) => [
    ...('title' in value || 'rich_text_title' in value ? [] : ['must provide either title or rich_text_title']),
    ...(value.default_collapsed === true && value.is_collapsible !== true
      ? ['default_collapsed requires is_collapsible to be true']
      : []),
    // https://github.com/slackapi/node-slack-sdk/pull/2721
    ...(value.has_header_divider === true && value.is_collapsible === true
      ? ['has_header_divider requires is_collapsible to be false']
      : []),
  ]);
}

const RULES: Readonly<Record<Surface, Rule>> = {
  message: blocksOn('message'),
  modal: blocksOn('modal'),
  home: blocksOn('home'),
};

function blockRule(surface: Surface): Rule {
  return RULES[surface];
}
