import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { checkView, viewIsTooLarge } from '../../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import type { Json, JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, input, modal, plain, section, textInput } from '../support/blocks.ts';

const DOCS = 'https://docs.slack.dev/reference';
const dividers = (count: number): JsonObject[] => Array.from({ length: count }, () => ({ type: 'divider' }));
const messages = (view: JsonObject) => checkView(view).map(({ pointer, message }) => `${message} ${pointer}`);

/** A row for a field of a modal that may have so many characters. */
const text = (name: string, most: number, made: (value: string) => Json = String, at = name) => {
  const filled = (length: number) => ({ [name]: made('x'.repeat(length)) });
  const says = `must be less than ${most + 1} characters /view/${at}`;
  return [`${most} characters of ${name}`, filled(most), filled(most + 1), says] as const;
};

describe('a modal may have', () => {
  // https://docs.slack.dev/reference/views/modal-views
  it.each<readonly [string, JsonObject, JsonObject, string]>([
    ...['title', 'submit', 'close'].map((name) => text(name, 24, (value) => plain(value), `${name}/text`)),
    text('private_metadata', 3000),
    text('callback_id', 255),
    ['100 blocks', { blocks: dividers(100) }, { blocks: dividers(101) }, 'no more than 100 items allowed /view/blocks'],
  ])('%s', (_, fits, refused, says) => {
    expect(checkView(modal([], fits))).toEqual([]);
    expect(messages(modal([], refused))).toContain(says);
  });
});

it('asks for a submit button where there is something to submit', () => {
  const { submit: _, ...silent } = modal([input('why', textInput())]);
  expect(checkView(silent)).toContainEqual({
    pointer: '/view',
    message: 'submit is required when the view has input blocks',
    documentation: `${DOCS}/views/modal-views`,
  });
  expect(checkView(modal([input('why', textInput())]))).toEqual([]);
});

describe('what not every surface takes:', () => {
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
  const contextActions = {
    type: 'context_actions',
    elements: [{ type: 'icon_button', icon: 'trash', text: plain('x') }],
  };
  const workflow = {
    type: 'workflow_button',
    action_id: 'a',
    text: plain('x'),
    workflow: { trigger: { url: 'https://slack.com/shortcuts/Ft1/x' } },
  };
  const chart = {
    type: 'data_visualization',
    title: 'x',
    chart: { type: 'pie', segments: [{ label: 'a', value: 1 }] },
  };
  // Each as its page of https://docs.slack.dev/reference/block-kit says, charts as
  // https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
  it.each<[type: string, block: JsonObject, on: string]>([
    ['alert', { type: 'alert', text: plain('x') }, 'modal'],
    ['context_actions', contextActions, 'message'],
    ['data_visualization', chart, 'message, home'],
    ['markdown', { type: 'markdown', text: 'x' }, 'message'],
    ['table', table, 'message, home'],
    ['datetimepicker', input('a', { type: 'datetimepicker' }), 'message, modal'],
    ['email_text_input', input('a', { type: 'email_text_input' }), 'modal'],
    ['file_input', input('a', { type: 'file_input' }), 'modal'],
    ['number_input', input('a', { type: 'number_input', is_decimal_allowed: true }), 'modal'],
    ['plain_text_input', input('a', textInput()), 'message, modal, home'],
    ['url_text_input', input('a', { type: 'url_text_input' }), 'modal'],
    ['workflow_button', actions(workflow), 'message'],
  ])('%s', (type, block, on) => {
    const found = {
      message: checkMessage([block]),
      modal: checkView(modal([block])),
      home: checkView({ type: 'home', blocks: [block] }),
    };
    const refused = Object.entries(found).filter(([, problems]) => problems.length > 0);
    expect(
      Object.keys(found)
        .filter((surface) => !refused.some(([name]) => name === surface))
        .join(', '),
    ).toBe(on);
    for (const [, problems] of refused)
      expect(problems.map(({ message }) => message)).toEqual([`unsupported type: ${type}`]);
  });
});

it('takes 10,000 characters in each table of Home', () => {
  // https://docs.slack.dev/reference/block-kit/blocks/table-block
  const table = (cell: string) => ({
    type: 'table',
    rows: Array.from({ length: 10 }, () => [{ type: 'raw_text', text: cell }]),
  });
  const full = table('x'.repeat(1000));
  expect(checkView({ type: 'home', blocks: [full, full] })).toEqual([]);
  expect(messages({ type: 'home', blocks: [full, table('x'.repeat(1001))] })).toEqual([
    'tables must be less than 10001 characters in total /view/blocks/1',
  ]);
});

it('focuses one element only', () => {
  const focused = textInput({ focus_on_load: true });
  expect(messages(modal([input('a', focused), input('b', focused)]))).toContain(
    'only one element can have focus_on_load set to true /view/blocks',
  );
});

it('takes a home tab without a title', () => {
  expect(checkView({ type: 'home', blocks: [section('x')] })).toEqual([]);
  expect(messages({ type: 'home', title: plain('x'), blocks: [] })).toContain(
    'invalid additional property: title /view',
  );
});

it('holds home tabs to the limits of modals, and takes no buttons of a modal', () => {
  // https://docs.slack.dev/reference/views/home-tab-views
  const home = (more: JsonObject) => messages({ type: 'home', blocks: [], ...more });
  expect(home({ blocks: dividers(100), private_metadata: 'x'.repeat(3000) })).toEqual([]);
  expect(home({ blocks: dividers(101) })).toContain('no more than 100 items allowed /view/blocks');
  expect(home({ private_metadata: 'x'.repeat(3001) })).toContain(
    'must be less than 3001 characters /view/private_metadata',
  );
  for (const name of ['submit', 'close']) {
    expect(home({ [name]: plain('x') })).toContain(`invalid additional property: ${name} /view`);
  }
});

it('names what a menu or a time needs that this workspace lacks or nobody has', () => {
  const wrong = modal([
    input('where', { type: 'conversations_select', response_url_enabled: 'yes' }),
    input('at', { type: 'timepicker', timezone: 'Europe/Atlantis' }),
    input('day', { type: 'datepicker', initial_date: '2026-13-01' }),
    input('kind', { type: 'conversations_select', filter: { include: ['everything'] } }),
  ]);
  expect(messages(wrong)).toEqual([
    'must provide a boolean /view/blocks/0/element/response_url_enabled',
    'must be a valid time zone /view/blocks/1/element/timezone',
    'must match the expected format /view/blocks/2/element/initial_date',
    'must be one of: im, mpim, private, public /view/blocks/3/element/filter/include/0',
  ]);
});

it('refuses views over 250 KB', () => {
  // https://docs.slack.dev/surfaces/modals
  expect(viewIsTooLarge(modal([section('x'.repeat(249_000))]))).toBe(false);
  expect(viewIsTooLarge(modal([section('x'.repeat(251_000))]))).toBe(true);
});
