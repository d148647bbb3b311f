import { describe, expect, it } from 'vitest';
import { checkView, viewIsTooLarge } from '../../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { input, modal, plain, section, textInput } from '../support/blocks.ts';

const DOCS = 'https://docs.slack.dev/reference';
const dividers = (count: number): JsonObject[] => Array.from({ length: count }, () => ({ type: 'divider' }));
const messages = (view: JsonObject) => checkView(view).map(({ pointer, message }) => `${message} ${pointer}`);

describe('a modal may have', () => {
  // https://docs.slack.dev/reference/views/modal-views
  it.each([
    [
      '24 characters of title',
      { title: plain('x'.repeat(24)) },
      { title: plain('x'.repeat(25)) },
      'must be less than 25 characters /view/title/text',
    ],
    [
      '24 characters of submit',
      { submit: plain('x'.repeat(24)) },
      { submit: plain('x'.repeat(25)) },
      'must be less than 25 characters /view/submit/text',
    ],
    [
      '24 characters of close',
      { close: plain('x'.repeat(24)) },
      { close: plain('x'.repeat(25)) },
      'must be less than 25 characters /view/close/text',
    ],
    [
      '3,000 characters of private_metadata',
      { private_metadata: 'x'.repeat(3000) },
      { private_metadata: 'x'.repeat(3001) },
      'must be less than 3001 characters /view/private_metadata',
    ],
    [
      '255 characters of callback_id',
      { callback_id: 'x'.repeat(255) },
      { callback_id: 'x'.repeat(256) },
      'must be less than 256 characters /view/callback_id',
    ],
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

it('takes markdown blocks in messages only', () => {
  // https://docs.slack.dev/reference/block-kit/blocks/markdown-block
  expect(messages(modal([{ type: 'markdown', text: 'x' }]))).toContain(
    'unsupported type: markdown /view/blocks/0/type',
  );
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
    input('where', { type: 'conversations_select', response_url_enabled: true }),
    input('at', { type: 'timepicker', timezone: 'Europe/Atlantis' }),
    input('day', { type: 'datepicker', initial_date: '2026-13-01' }),
    input('kind', { type: 'conversations_select', filter: { include: ['everything'] } }),
  ]);
  expect(messages(wrong)).toEqual([
    'response_url_enabled exists in Slack but is not supported by this workspace yet /view/blocks/0/element/response_url_enabled',
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
