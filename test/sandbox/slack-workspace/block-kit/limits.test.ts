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

type Made = JsonObject[] | JsonObject;

/** What is limited, blocks of a message (or a view) with this many, how many, and where. */
type Rule = [what: string, make: (count: number) => Made, most: number, at: string];

/** The rules by the pages of the documentation that name them. */
const rowsOf = <Each extends [what: string, ...unknown[]]>(pages: Readonly<Record<string, readonly Each[]>>) =>
  Object.entries(pages).flatMap(([page, rules]) => rules.map((rule): [string, Each] => [`${rule[0]} (${page})`, rule]));

/** The pointer of a place below the first block, unless it begins elsewhere. */
const pointer = (at: string) => (at.startsWith('/') ? at : `/blocks/0/${at}`);

// Where nothing else is said, Slack's own documentation of the block, element or object; also in `@slack/types`.
describe('characters', () => {
  it.each(
    rowsOf<Rule>({
      'blocks/section-block': [
        ['a block_id', (n) => [section('x', { block_id: x(n) })], 255, 'block_id'],
        ['section text', (n) => [section(x(n))], 3000, 'text/text'],
        ['a field', (n) => [{ type: 'section', fields: [mrkdwn(x(n))] }], 2000, 'fields/0/text'],
      ],
      'blocks/header-block': [['a header', (n) => [{ type: 'header', text: plain(x(n)) }], 150, 'text/text']],
      'composition-objects/text-object': [
        ['context text', (n) => [{ type: 'context', elements: [mrkdwn(x(n))] }], 3000, 'elements/0/text'],
      ],
      'blocks/image-block': [
        ['an image’s alt text', (n) => [image({ alt_text: x(n) })], 2000, 'alt_text'],
        ['an image’s address', (n) => [image({ image_url: x(n) })], 3000, 'image_url'],
        ['an image’s title', (n) => [image({ title: plain(x(n)) })], 2000, 'title/text'],
      ],
      'block-elements/image-element': [
        [
          'an image element’s address',
          (n) => [section('x', { accessory: image({ image_url: x(n) }) })],
          3000,
          'accessory/image_url',
        ],
      ],
      'blocks/input-block': [
        ['an input’s label', (n) => [input('a', textInput(), { label: plain(x(n)) })], 2000, 'label/text'],
        ['an input’s hint', (n) => [input('a', textInput(), { hint: plain(x(n)) })], 2000, 'hint/text'],
      ],
      'blocks/alert-block': [
        ['an alert', (n) => modal([{ type: 'alert', text: mrkdwn(x(n)) }]), 200, '/view/blocks/0/text/text'],
      ],
      'block-elements/button-element': [
        ['an action_id', (n) => [actions(button('x', { action_id: x(n) }))], 255, 'elements/0/action_id'],
        ['a button', (n) => [actions(button(x(n), { action_id: 'a' }))], 75, 'elements/0/text/text'],
        ['a button’s value', (n) => [actions(button('x', { value: x(n) }))], 2000, 'elements/0/value'],
        ['a button’s address', (n) => [actions(button('x', { url: x(n) }))], 3000, 'elements/0/url'],
        [
          'a spoken button',
          (n) => [actions(button('x', { accessibility_label: x(n) }))],
          75,
          'elements/0/accessibility_label',
        ],
      ],
      'block-elements/workflow-button-element': [
        ['a workflow button', (n) => workflow({ text: plain(x(n)) }), 75, 'elements/0/text/text'],
        [
          'a spoken workflow button',
          (n) => workflow({ accessibility_label: x(n) }),
          75,
          'elements/0/accessibility_label',
        ],
      ],
      'block-elements/feedback-buttons-element': [
        [
          'a feedback button',
          (n) => contextActions(feedback({ text: plain(x(n)) })),
          75,
          'elements/0/negative_button/text/text',
        ],
        [
          'a feedback button’s value',
          (n) => contextActions(feedback({ value: x(n) })),
          2000,
          'elements/0/negative_button/value',
        ],
        [
          'a spoken feedback button',
          (n) => contextActions(feedback({ accessibility_label: x(n) })),
          75,
          'elements/0/negative_button/accessibility_label',
        ],
      ],
      'block-elements/icon-button-element': [
        ['an icon button’s value', (n) => contextActions(icon({ value: x(n) })), 2000, 'elements/0/value'],
        [
          'a spoken icon button',
          (n) => contextActions(icon({ accessibility_label: x(n) })),
          75,
          'elements/0/accessibility_label',
        ],
      ],
      'block-elements/select-menu-element': [
        ['a placeholder', (n) => select({ placeholder: plain(x(n)) }), 150, 'elements/0/placeholder/text'],
      ],
      'block-elements/plain-text-input-element': [
        [
          'a placeholder of an input',
          (n) => [input('a', textInput({ placeholder: plain(x(n)) }))],
          150,
          'element/placeholder/text',
        ],
      ],
      'composition-objects/option-object': [
        ['an option', (n) => select({ options: [option(x(n), 'x')] }), 75, 'elements/0/options/0/text/text'], // The types still say 75.
        ['an option’s value', (n) => select({ options: [option('x', x(n))] }), 150, 'elements/0/options/0/value'],
        [
          'a checkbox’s value',
          (n) => [actions({ type: 'checkboxes', options: [option('x', x(n))] })],
          150,
          'elements/0/options/0/value',
        ],
        [
          'an overflow option’s value',
          (n) => [actions({ type: 'overflow', options: [option('x', x(n))] })],
          150,
          'elements/0/options/0/value',
        ],
        [
          'an option’s description',
          (n) => select({ options: [{ ...option('x'), description: plain(x(n)) }] }),
          75,
          'elements/0/options/0/description/text',
        ],
        [
          'an overflow option’s address',
          (n) => [actions({ type: 'overflow', options: [{ ...option('x'), url: x(n) }] })],
          3000,
          'elements/0/options/0/url',
        ],
      ],
      'composition-objects/option-group-object': [
        [
          'the label of a group of options',
          (n) => [actions({ type: 'static_select', option_groups: [{ label: plain(x(n)), options: options(1) }] })],
          75,
          'elements/0/option_groups/0/label/text',
        ],
      ],
      'composition-objects/confirmation-dialog-object': [
        ['the title of a confirmation', (n) => confirm({ title: plain(x(n)) }), 100, 'elements/0/confirm/title/text'],
        ['the text of a confirmation', (n) => confirm({ text: mrkdwn(x(n)) }), 300, 'elements/0/confirm/text/text'],
        ['the confirming button', (n) => confirm({ confirm: plain(x(n)) }), 30, 'elements/0/confirm/confirm/text'],
        ['the declining button', (n) => confirm({ deny: plain(x(n)) }), 30, 'elements/0/confirm/deny/text'],
      ],
    }),
  )('%s', (_, [, make, most, at]) => {
    expect(problemsOf(make(most))).toEqual([]);
    expect(problemsOf(make(most + 1))).toEqual([`must be less than ${most + 1} characters ${pointer(at)}`]);
  });
});

describe('items', () => {
  it.each(
    rowsOf<Rule>({
      blocks: [
        ['blocks in a message', (n) => many(n, () => ({ type: 'divider' })), 50, '/blocks'],
        ['blocks in a modal', (n) => modal(many(n, () => ({ type: 'divider' }))), 100, '/view/blocks'],
        [
          'blocks in Home',
          (n) => ({ type: 'home', blocks: many(n, () => ({ type: 'divider' })) }),
          100,
          '/view/blocks',
        ],
      ],
      'blocks/section-block': [
        ['fields', (n) => [{ type: 'section', fields: many(n, () => mrkdwn('x')) }], 10, 'fields'],
      ],
      'blocks/context-block': [
        ['elements of context', (n) => [{ type: 'context', elements: many(n, () => mrkdwn('x')) }], 10, 'elements'],
      ],
      'blocks/actions-block': [
        ['elements of actions', (n) => [actions(...many(n, (i) => button(`B${i}`)))], 25, 'elements'],
      ],
      'blocks/context-actions-block': [
        ['elements of context actions', (n) => contextActions(...many(n, () => icon({}))), 5, 'elements'],
      ],
      'blocks/table-block': [
        ['rows of a table', (n) => table(many(n, () => [cell('x')])), 100, 'rows'],
        ['cells of a row', (n) => table([many(n, () => cell('x'))]), 20, 'rows/0'],
        [
          'column settings',
          (n) => table([[cell('x')]], { column_settings: many(n, () => null) }),
          20,
          'column_settings',
        ],
      ],
      'block-elements/select-menu-element': [
        ['options of a select', (n) => select({ options: options(n) }), 100, 'elements/0/options'],
        [
          'groups of options',
          (n) => [
            actions({
              type: 'static_select',
              option_groups: many(n, () => ({ label: plain('x'), options: options(1) })),
            }),
          ],
          100,
          'elements/0/option_groups',
        ],
      ],
      'composition-objects/option-group-object': [
        [
          'options of a group',
          (n) => [actions({ type: 'static_select', option_groups: [{ label: plain('x'), options: options(n) }] })],
          100,
          'elements/0/option_groups/0/options',
        ],
      ],
      'block-elements/multi-select-menu-element': [
        [
          'options of a multi-select',
          (n) => [actions({ type: 'multi_static_select', options: options(n) })],
          100,
          'elements/0/options',
        ],
      ],
      'block-elements/checkboxes-element': [
        ['checkboxes', (n) => [actions({ type: 'checkboxes', options: options(n) })], 10, 'elements/0/options'],
      ],
      'block-elements/radio-button-group-element': [
        ['radio buttons', (n) => [actions({ type: 'radio_buttons', options: options(n) })], 10, 'elements/0/options'],
      ],
      'block-elements/overflow-menu-element': [
        ['an overflow menu', (n) => [actions({ type: 'overflow', options: options(n) })], 5, 'elements/0/options'],
      ],
      'composition-objects/dispatch-action-configuration-object': [
        [
          'when an input dispatches',
          (n) => [
            input(
              'a',
              textInput({ dispatch_action_config: { trigger_actions_on: many(n, () => 'on_enter_pressed') } }),
            ),
          ],
          2,
          'element/dispatch_action_config/trigger_actions_on',
        ],
      ],
    }),
  )('%s', (_, [, make, most, at]) => {
    expect(problemsOf(make(most))).toEqual([]);
    expect(problemsOf(make(most + 1))).toContain(`no more than ${most} items allowed ${pointer(at)}`);
  });
});

describe('numbers', () => {
  it.each(
    rowsOf<[...Rule, least: number]>({
      'blocks/header-block': [
        ['the level of a header', (n) => [{ type: 'header', text: plain('x'), level: n }], 4, 'level', 1],
      ],
      'block-elements/plain-text-input-element': [
        ['the shortest text', (n) => [input('a', textInput({ min_length: n }))], 3000, 'element/min_length', 0],
        ['the longest text', (n) => [input('a', textInput({ max_length: n }))], 3000, 'element/max_length', 1],
      ],
      'block-elements/file-input-element': [
        [
          'files at most',
          (n) => inModal({ type: 'file_input', max_files: n }),
          10,
          '/view/blocks/0/element/max_files',
          1,
        ],
      ],
      'block-elements/rich-text-list-element': [
        // https://github.com/nicklambourne/slackblocks/blob/main/typescript/CHANGELOG.md, compared with Slack's `blocks.validate`
        ['how far a list is indented', (n) => richList({ indent: n }), 8, 'elements/0/indent', 0],
        ['the border of a list', (n) => richList({ border: n }), 1, 'elements/0/border', 0],
      ],
    }),
  )('%s', (_, [, make, most, at, least]) => {
    for (const count of [least, most]) expect(problemsOf(make(count))).toEqual([]);
    expect(problemsOf(make(most + 1))).toEqual([`must be at most ${most} ${pointer(at)}`]);
    expect(problemsOf(make(least - 1))).toEqual([`must be at least ${least} ${pointer(at)}`]);
  });

  it('one choice of a multi-select, at least', () => {
    const most = (count: number) => [actions({ type: 'multi_users_select', max_selected_items: count })];
    expect(problemsOf(most(1))).toEqual([]);
    expect(problemsOf(most(0))).toEqual(['must be at least 1 /blocks/0/elements/0/max_selected_items']);
  });
});

const NUMBER = { type: 'number_input', is_decimal_allowed: false };

describe('refuses', () => {
  it.each(
    rowsOf<[what: string, fits: Made, refused: Made, says: string]>({
      'blocks/header-block': [
        [
          'a header without plain text',
          [{ type: 'header', text: plain('x') }],
          [{ type: 'header', text: mrkdwn('x') }],
          'unsupported type: mrkdwn /blocks/0/text/type',
        ],
      ],
      'blocks/section-block': [
        [
          'a section without text and fields',
          [section('x')],
          [{ type: 'section' }],
          'missing required field: text /blocks/0',
        ],
      ],
      'block-elements/button-element': [
        [
          'a third style of buttons',
          [actions(button('x', { style: 'danger' }))],
          [actions(button('x', { style: 'default' }))],
          'must be one of: primary, danger /blocks/0/elements/0/style',
        ],
      ],
      'block-elements/workflow-button-element': [
        [
          'a workflow button without an action_id',
          workflow({}),
          workflow({ action_id: null }),
          'missing required field: action_id /blocks/0/elements/0',
        ],
      ],
      'block-elements/icon-button-element': [
        [
          'icons other than the trash',
          contextActions(icon({})),
          contextActions(icon({ icon: 'rocket' })),
          'must be one of: trash /blocks/0/elements/0/icon',
        ],
      ],
      'block-elements/select-menu-element': [
        [
          'an initial option that isn’t offered',
          select({ initial_option: option('Option 0') }),
          select({ initial_option: option('b') }),
          'initial option must exactly match one of the provided options /blocks/0/elements/0',
        ],
      ],
      'block-elements/number-input-element': [
        [
          'a smallest number above the largest',
          inModal({ ...NUMBER, min_value: '2', max_value: '2' }),
          inModal({ ...NUMBER, min_value: '3', max_value: '2' }),
          'min_value must not exceed max_value /view/blocks/0/element',
        ],
      ],
      'composition-objects/conversation-filter-object': [
        [
          'a filter that filters nothing',
          [actions({ type: 'conversations_select', filter: { exclude_bot_users: true } })],
          [actions({ type: 'conversations_select', filter: {} })],
          'must provide at least one filter /blocks/0/elements/0/filter',
        ],
      ],
      'composition-objects/slack-file-object': [
        [
          'a file by both id and address',
          [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0123456' } }],
          [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0123456', url: 'x' } }],
          'must provide either id or url /blocks/0/slack_file',
        ],
      ],
      'block-elements/rich-text-preformatted-element': [
        [
          'other things than text and links in code',
          [
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x' }] }],
            },
          ],
          [
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'x' }] }],
            },
          ],
          'unsupported type: emoji /blocks/0/elements/0/elements/0/type',
        ],
      ],
      'blocks/input-block': [
        [
          'files that are sent at once',
          inModal({ type: 'file_input' }),
          inModal({ type: 'file_input' }, { dispatch_action: true }),
          'unsupported type: file_input /view/blocks/0/element/type',
        ],
      ],
      'blocks/table-block': [
        [
          'a number without its text',
          table([[{ type: 'raw_number', value: 1.5, text: '1.5' }]]),
          table([[{ type: 'raw_number', value: 1.5 }]]),
          'missing required field: text /blocks/0/rows/0/0',
        ],
        [
          'an empty cell',
          table([[cell(' ')]]),
          table([[cell('')]]),
          'must be more than 0 characters /blocks/0/rows/0/0/text',
        ],
      ],
    }),
  )('%s', (_, [, fits, refused, says]) => {
    expect(problemsOf(fits)).toEqual([]);
    expect(problemsOf(refused)).toContain(says);
  });
});

it('names the page of the documentation that has the rule', () => {
  const [problem] = checkMessage(select({ options: [option('x', x(151))] }));
  expect(problem?.documentation).toBe(`${DOCS}/composition-objects/option-object`);
});
