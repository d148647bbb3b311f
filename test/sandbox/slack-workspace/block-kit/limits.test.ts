import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import {
  actions,
  button,
  input,
  modal,
  mrkdwn,
  option,
  plain,
  problemsOf,
  section,
  textInput,
} from '../support/blocks.ts';

const DOCS = 'https://docs.slack.dev/reference/block-kit';
const x = (count: number) => 'x'.repeat(count);
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const options = (count: number) => many(count, (index) => option(`Option ${index}`));
const confirm = (more: JsonObject) => [
  actions(
    button('x', {
      confirm: { title: plain('a'), text: plain('b'), confirm: plain('c'), deny: plain('d'), ...more },
    }),
  ),
];
const select = (more: JsonObject) => [actions({ type: 'static_select', options: options(1), ...more })];
const contextActions = (...elements: JsonObject[]) => [{ type: 'context_actions', elements }];
const feedback = (more: JsonObject): JsonObject => {
  const side = { text: plain('Good'), value: 'good' };
  return { type: 'feedback_buttons', positive_button: side, negative_button: { ...side, ...more } };
};
const icon = (more: JsonObject): JsonObject => ({
  type: 'icon_button',
  icon: 'trash',
  text: plain('Delete'),
  ...more,
});
const image = (more: JsonObject) => ({ type: 'image', image_url: 'https://a.example/b.png', alt_text: 'x', ...more });
const cell = (text: string): JsonObject => ({ type: 'raw_text', text });
const table = (rows: JsonObject[][], more: JsonObject = {}) => [{ type: 'table', rows, ...more }];
const richList = (more: JsonObject) => [
  {
    type: 'rich_text',
    elements: [{ type: 'rich_text_list', style: 'bullet', elements: [], ...more }],
  },
];
const workflow = (more: JsonObject) => [
  actions({
    type: 'workflow_button',
    action_id: 'a',
    text: plain('x'),
    workflow: { trigger: { url: 'https://slack.com/shortcuts/Ft1/x' } },
    ...more,
  }),
];
const inModal = (element: JsonObject, more: JsonObject = {}) => modal([input('a', element, more)]);

/** What is limited, the page that says so, blocks of a message (or a view) with this many, how many, and where. */
type Row = [what: string, page: string, make: (count: number) => JsonObject[] | JsonObject, most: number, at: string];

// Where nothing else is said, Slack's own documentation of the block, element or object; also in `@slack/types`.
describe('characters', () => {
  it.each<Row>([
    ['a block_id', 'blocks/section-block', (n) => [section('x', { block_id: x(n) })], 255, '/blocks/0/block_id'],
    ['section text', 'blocks/section-block', (n) => [section(x(n))], 3000, '/blocks/0/text/text'],
    [
      'a field',
      'blocks/section-block',
      (n) => [{ type: 'section', fields: [mrkdwn(x(n))] }],
      2000,
      '/blocks/0/fields/0/text',
    ],
    ['a header', 'blocks/header-block', (n) => [{ type: 'header', text: plain(x(n)) }], 150, '/blocks/0/text/text'],
    [
      'context text',
      'composition-objects/text-object',
      (n) => [{ type: 'context', elements: [mrkdwn(x(n))] }],
      3000,
      '/blocks/0/elements/0/text',
    ],
    ['an image’s alt text', 'blocks/image-block', (n) => [image({ alt_text: x(n) })], 2000, '/blocks/0/alt_text'],
    ['an image’s address', 'blocks/image-block', (n) => [image({ image_url: x(n) })], 3000, '/blocks/0/image_url'],
    ['an image’s title', 'blocks/image-block', (n) => [image({ title: plain(x(n)) })], 2000, '/blocks/0/title/text'],
    [
      'an image element’s address',
      'block-elements/image-element',
      (n) => [section('x', { accessory: image({ image_url: x(n) }) })],
      3000,
      '/blocks/0/accessory/image_url',
    ],
    [
      'an input’s label',
      'blocks/input-block',
      (n) => [input('a', textInput(), { label: plain(x(n)) })],
      2000,
      '/blocks/0/label/text',
    ],
    [
      'an input’s hint',
      'blocks/input-block',
      (n) => [input('a', textInput(), { hint: plain(x(n)) })],
      2000,
      '/blocks/0/hint/text',
    ],
    [
      'an alert',
      'blocks/alert-block',
      (n) => modal([{ type: 'alert', text: mrkdwn(x(n)) }]),
      200,
      '/view/blocks/0/text/text',
    ],
    [
      'an action_id',
      'block-elements/button-element',
      (n) => [actions(button('x', { action_id: x(n) }))],
      255,
      '/blocks/0/elements/0/action_id',
    ],
    [
      'a button',
      'block-elements/button-element',
      (n) => [actions(button(x(n), { action_id: 'a' }))],
      75,
      '/blocks/0/elements/0/text/text',
    ],
    [
      'a button’s value',
      'block-elements/button-element',
      (n) => [actions(button('x', { value: x(n) }))],
      2000,
      '/blocks/0/elements/0/value',
    ],
    [
      'a button’s address',
      'block-elements/button-element',
      (n) => [actions(button('x', { url: x(n) }))],
      3000,
      '/blocks/0/elements/0/url',
    ],
    [
      'what screen readers say of a button',
      'block-elements/button-element',
      (n) => [actions(button('x', { accessibility_label: x(n) }))],
      75,
      '/blocks/0/elements/0/accessibility_label',
    ],
    [
      'a workflow button',
      'block-elements/workflow-button-element',
      (n) => workflow({ text: plain(x(n)) }),
      75,
      '/blocks/0/elements/0/text/text',
    ],
    [
      'what screen readers say of a workflow button',
      'block-elements/workflow-button-element',
      (n) => workflow({ accessibility_label: x(n) }),
      75,
      '/blocks/0/elements/0/accessibility_label',
    ],
    [
      'a feedback button',
      'block-elements/feedback-buttons-element',
      (n) => contextActions(feedback({ text: plain(x(n)) })),
      75,
      '/blocks/0/elements/0/negative_button/text/text',
    ],
    [
      'a feedback button’s value',
      'block-elements/feedback-buttons-element',
      (n) => contextActions(feedback({ value: x(n) })),
      2000,
      '/blocks/0/elements/0/negative_button/value',
    ],
    [
      'what screen readers say of a feedback button',
      'block-elements/feedback-buttons-element',
      (n) => contextActions(feedback({ accessibility_label: x(n) })),
      75,
      '/blocks/0/elements/0/negative_button/accessibility_label',
    ],
    [
      'an icon button’s value',
      'block-elements/icon-button-element',
      (n) => contextActions(icon({ value: x(n) })),
      2000,
      '/blocks/0/elements/0/value',
    ],
    [
      'what screen readers say of an icon button',
      'block-elements/icon-button-element',
      (n) => contextActions(icon({ accessibility_label: x(n) })),
      75,
      '/blocks/0/elements/0/accessibility_label',
    ],
    [
      'a placeholder',
      'block-elements/select-menu-element',
      (n) => select({ placeholder: plain(x(n)) }),
      150,
      '/blocks/0/elements/0/placeholder/text',
    ],
    [
      'a placeholder of an input',
      'block-elements/plain-text-input-element',
      (n) => [input('a', textInput({ placeholder: plain(x(n)) }))],
      150,
      '/blocks/0/element/placeholder/text',
    ],
    [
      'an option',
      'composition-objects/option-object',
      (n) => select({ options: [option(x(n), 'x')] }),
      75,
      '/blocks/0/elements/0/options/0/text/text',
    ],
    // The types still say 75.
    [
      'an option’s value',
      'composition-objects/option-object',
      (n) => select({ options: [option('x', x(n))] }),
      150,
      '/blocks/0/elements/0/options/0/value',
    ],
    [
      'a checkbox’s value',
      'composition-objects/option-object',
      (n) => [actions({ type: 'checkboxes', options: [option('x', x(n))] })],
      150,
      '/blocks/0/elements/0/options/0/value',
    ],
    [
      'an overflow option’s value',
      'composition-objects/option-object',
      (n) => [actions({ type: 'overflow', options: [option('x', x(n))] })],
      150,
      '/blocks/0/elements/0/options/0/value',
    ],
    [
      'an option’s description',
      'composition-objects/option-object',
      (n) => select({ options: [{ ...option('x'), description: plain(x(n)) }] }),
      75,
      '/blocks/0/elements/0/options/0/description/text',
    ],
    [
      'an overflow option’s address',
      'composition-objects/option-object',
      (n) => [actions({ type: 'overflow', options: [{ ...option('x'), url: x(n) }] })],
      3000,
      '/blocks/0/elements/0/options/0/url',
    ],
    [
      'the label of a group of options',
      'composition-objects/option-group-object',
      (n) => [actions({ type: 'static_select', option_groups: [{ label: plain(x(n)), options: options(1) }] })],
      75,
      '/blocks/0/elements/0/option_groups/0/label/text',
    ],
    [
      'the title of a confirmation',
      'composition-objects/confirmation-dialog-object',
      (n) => confirm({ title: plain(x(n)) }),
      100,
      '/blocks/0/elements/0/confirm/title/text',
    ],
    [
      'the text of a confirmation',
      'composition-objects/confirmation-dialog-object',
      (n) => confirm({ text: mrkdwn(x(n)) }),
      300,
      '/blocks/0/elements/0/confirm/text/text',
    ],
    [
      'the confirming button',
      'composition-objects/confirmation-dialog-object',
      (n) => confirm({ confirm: plain(x(n)) }),
      30,
      '/blocks/0/elements/0/confirm/confirm/text',
    ],
    [
      'the declining button',
      'composition-objects/confirmation-dialog-object',
      (n) => confirm({ deny: plain(x(n)) }),
      30,
      '/blocks/0/elements/0/confirm/deny/text',
    ],
  ])('%s (%s)', (_, __, make, most, at) => {
    expect(problemsOf(make(most))).toEqual([]);
    expect(problemsOf(make(most + 1))).toEqual([`must be less than ${most + 1} characters ${at}`]);
  });
});

describe('items', () => {
  it.each<Row>([
    ['blocks in a message', 'blocks', (n) => many(n, () => ({ type: 'divider' })), 50, '/blocks'],
    ['blocks in a modal', 'blocks', (n) => modal(many(n, () => ({ type: 'divider' }))), 100, '/view/blocks'],
    [
      'blocks in Home',
      'blocks',
      (n) => ({ type: 'home', blocks: many(n, () => ({ type: 'divider' })) }),
      100,
      '/view/blocks',
    ],
    [
      'fields',
      'blocks/section-block',
      (n) => [{ type: 'section', fields: many(n, () => mrkdwn('x')) }],
      10,
      '/blocks/0/fields',
    ],
    [
      'elements of context',
      'blocks/context-block',
      (n) => [{ type: 'context', elements: many(n, () => mrkdwn('x')) }],
      10,
      '/blocks/0/elements',
    ],
    [
      'elements of actions',
      'blocks/actions-block',
      (n) => [actions(...many(n, (i) => button(`B${i}`)))],
      25,
      '/blocks/0/elements',
    ],
    [
      'elements of context actions',
      'blocks/context-actions-block',
      (n) => contextActions(...many(n, () => icon({}))),
      5,
      '/blocks/0/elements',
    ],
    ['rows of a table', 'blocks/table-block', (n) => table(many(n, () => [cell('x')])), 100, '/blocks/0/rows'],
    ['cells of a row', 'blocks/table-block', (n) => table([many(n, () => cell('x'))]), 20, '/blocks/0/rows/0'],
    [
      'column settings',
      'blocks/table-block',
      (n) => table([[cell('x')]], { column_settings: many(n, () => null) }),
      20,
      '/blocks/0/column_settings',
    ],
    [
      'options of a select',
      'block-elements/select-menu-element',
      (n) => select({ options: options(n) }),
      100,
      '/blocks/0/elements/0/options',
    ],
    [
      'groups of options',
      'block-elements/select-menu-element',
      (n) => [
        actions({ type: 'static_select', option_groups: many(n, () => ({ label: plain('x'), options: options(1) })) }),
      ],
      100,
      '/blocks/0/elements/0/option_groups',
    ],
    [
      'options of a group',
      'composition-objects/option-group-object',
      (n) => [actions({ type: 'static_select', option_groups: [{ label: plain('x'), options: options(n) }] })],
      100,
      '/blocks/0/elements/0/option_groups/0/options',
    ],
    [
      'options of a multi-select',
      'block-elements/multi-select-menu-element',
      (n) => [actions({ type: 'multi_static_select', options: options(n) })],
      100,
      '/blocks/0/elements/0/options',
    ],
    [
      'checkboxes',
      'block-elements/checkboxes-element',
      (n) => [actions({ type: 'checkboxes', options: options(n) })],
      10,
      '/blocks/0/elements/0/options',
    ],
    [
      'radio buttons',
      'block-elements/radio-button-group-element',
      (n) => [actions({ type: 'radio_buttons', options: options(n) })],
      10,
      '/blocks/0/elements/0/options',
    ],
    [
      'an overflow menu',
      'block-elements/overflow-menu-element',
      (n) => [actions({ type: 'overflow', options: options(n) })],
      5,
      '/blocks/0/elements/0/options',
    ],
    [
      'when an input dispatches',
      'composition-objects/dispatch-action-configuration-object',
      (n) => [
        input('a', textInput({ dispatch_action_config: { trigger_actions_on: many(n, () => 'on_enter_pressed') } })),
      ],
      2,
      '/blocks/0/element/dispatch_action_config/trigger_actions_on',
    ],
  ])('%s (%s)', (_, __, make, most, at) => {
    expect(problemsOf(make(most))).toEqual([]);
    expect(problemsOf(make(most + 1))).toContain(`no more than ${most} items allowed ${at}`);
  });
});

describe('numbers', () => {
  it.each<[...Row, least: number]>([
    [
      'the level of a header',
      'blocks/header-block',
      (n) => [{ type: 'header', text: plain('x'), level: n }],
      4,
      '/blocks/0/level',
      1,
    ],
    [
      'the shortest text',
      'block-elements/plain-text-input-element',
      (n) => [input('a', textInput({ min_length: n }))],
      3000,
      '/blocks/0/element/min_length',
      0,
    ],
    [
      'the longest text',
      'block-elements/plain-text-input-element',
      (n) => [input('a', textInput({ max_length: n }))],
      3000,
      '/blocks/0/element/max_length',
      1,
    ],
    [
      'files at most',
      'block-elements/file-input-element',
      (n) => inModal({ type: 'file_input', max_files: n }),
      10,
      '/view/blocks/0/element/max_files',
      1,
    ],
    // https://github.com/nicklambourne/slackblocks/blob/main/typescript/CHANGELOG.md, compared with Slack's `blocks.validate`
    [
      'how far a list is indented',
      'block-elements/rich-text-list-element',
      (n) => richList({ indent: n }),
      8,
      '/blocks/0/elements/0/indent',
      0,
    ],
    [
      'the border of a list',
      'block-elements/rich-text-list-element',
      (n) => richList({ border: n }),
      1,
      '/blocks/0/elements/0/border',
      0,
    ],
  ])('%s (%s)', (_, __, make, most, at, least) => {
    for (const count of [least, most]) expect(problemsOf(make(count))).toEqual([]);
    expect(problemsOf(make(most + 1))).toEqual([`must be at most ${most} ${at}`]);
    expect(problemsOf(make(least - 1))).toEqual([`must be at least ${least} ${at}`]);
  });

  it('one choice of a multi-select, at least', () => {
    const most = (count: number) => [actions({ type: 'multi_users_select', max_selected_items: count })];
    expect(problemsOf(most(1))).toEqual([]);
    expect(problemsOf(most(0))).toEqual(['must be at least 1 /blocks/0/elements/0/max_selected_items']);
  });
});

const NUMBER = { type: 'number_input', is_decimal_allowed: false };

describe('refuses', () => {
  it.each<
    [what: string, page: string, fits: JsonObject[] | JsonObject, refused: JsonObject[] | JsonObject, says: string]
  >([
    [
      'a header without plain text',
      'blocks/header-block',
      [{ type: 'header', text: plain('x') }],
      [{ type: 'header', text: mrkdwn('x') }],
      'unsupported type: mrkdwn /blocks/0/text/type',
    ],
    [
      'a section without text and fields',
      'blocks/section-block',
      [section('x')],
      [{ type: 'section' }],
      'missing required field: text /blocks/0',
    ],
    [
      'a third style of buttons',
      'block-elements/button-element',
      [actions(button('x', { style: 'danger' }))],
      [actions(button('x', { style: 'default' }))],
      'must be one of: primary, danger /blocks/0/elements/0/style',
    ],
    [
      'a workflow button without an action_id',
      'block-elements/workflow-button-element',
      workflow({}),
      workflow({ action_id: null }),
      'missing required field: action_id /blocks/0/elements/0',
    ],
    [
      'icons other than the trash',
      'block-elements/icon-button-element',
      contextActions(icon({})),
      contextActions(icon({ icon: 'rocket' })),
      'must be one of: trash /blocks/0/elements/0/icon',
    ],
    [
      'an initial option that isn’t offered',
      'block-elements/select-menu-element',
      select({ initial_option: option('Option 0') }),
      select({ initial_option: option('b') }),
      'initial option must exactly match one of the provided options /blocks/0/elements/0',
    ],
    [
      'a smallest number above the largest',
      'block-elements/number-input-element',
      inModal({ ...NUMBER, min_value: '2', max_value: '2' }),
      inModal({ ...NUMBER, min_value: '3', max_value: '2' }),
      'min_value must not exceed max_value /view/blocks/0/element',
    ],
    [
      'a filter that filters nothing',
      'composition-objects/conversation-filter-object',
      [actions({ type: 'conversations_select', filter: { exclude_bot_users: true } })],
      [actions({ type: 'conversations_select', filter: {} })],
      'must provide at least one filter /blocks/0/elements/0/filter',
    ],
    [
      'a file by both id and address',
      'composition-objects/slack-file-object',
      [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0123456' } }],
      [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0123456', url: 'x' } }],
      'must provide either id or url /blocks/0/slack_file',
    ],
    [
      'other things than text and links in code',
      'block-elements/rich-text-preformatted-element',
      [{ type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x' }] }] }],
      [{ type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'x' }] }] }],
      'unsupported type: emoji /blocks/0/elements/0/elements/0/type',
    ],
    [
      'files that are sent at once',
      'blocks/input-block',
      inModal({ type: 'file_input' }),
      inModal({ type: 'file_input' }, { dispatch_action: true }),
      'unsupported type: file_input /view/blocks/0/element/type',
    ],
    [
      'a number without its text',
      'blocks/table-block',
      table([[{ type: 'raw_number', value: 1.5, text: '1.5' }]]),
      table([[{ type: 'raw_number', value: 1.5 }]]),
      'missing required field: text /blocks/0/rows/0/0',
    ],
    [
      'an empty cell',
      'blocks/table-block',
      table([[cell(' ')]]),
      table([[cell('')]]),
      'must be more than 0 characters /blocks/0/rows/0/0/text',
    ],
  ])('%s (%s)', (_, __, fits, refused, says) => {
    expect(problemsOf(fits)).toEqual([]);
    expect(problemsOf(refused)).toContain(says);
  });
});

it('names the page of the documentation that has the rule', () => {
  const [problem] = checkMessage(select({ options: [option('x', x(151))] }));
  expect(problem?.documentation).toBe(`${DOCS}/composition-objects/option-object`);
});
