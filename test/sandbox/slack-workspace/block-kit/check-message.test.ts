import { describe, expect, it } from 'vitest';
import { blockTextLength, checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button, input, mrkdwn, option, plain, section, textInput } from '../support/blocks.ts';

const DOCS = 'https://docs.slack.dev/reference/block-kit';
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const options = (count: number) => many(count, (index) => option(`Option ${index}`));

/** What is tried, the block that just fits, the one that doesn't, and the page of the documentation that says so. */
type Limit = {
  name: string;
  fits: JsonObject[];
  refused: JsonObject[];
  says: string;
  at: string;
  documentation: string;
};

const LIMITS: Limit[] = [
  {
    name: '50 blocks in a message',
    fits: many(50, () => ({ type: 'divider' })),
    refused: many(51, () => ({ type: 'divider' })),
    says: 'no more than 50 items allowed',
    at: '/blocks',
    documentation: `${DOCS}/blocks`,
  },
  {
    name: '3,000 characters of section text',
    fits: [section('x'.repeat(3000))],
    refused: [section('x'.repeat(3001))],
    says: 'must be less than 3001 characters',
    at: '/blocks/0/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: 'no empty text',
    fits: [section('x')],
    refused: [section('')],
    says: 'must be more than 0 characters',
    at: '/blocks/0/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '10 section fields',
    fits: [{ type: 'section', fields: many(10, () => mrkdwn('x')) }],
    refused: [{ type: 'section', fields: many(11, () => mrkdwn('x')) }],
    says: 'no more than 10 items allowed',
    at: '/blocks/0/fields',
    documentation: `${DOCS}/blocks/section-block`,
  },
  {
    name: '2,000 characters in a field',
    fits: [{ type: 'section', fields: [mrkdwn('x'.repeat(2000))] }],
    refused: [{ type: 'section', fields: [mrkdwn('x'.repeat(2001))] }],
    says: 'must be less than 2001 characters',
    at: '/blocks/0/fields/0/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: 'text or fields in a section',
    fits: [section('x')],
    refused: [{ type: 'section' }],
    says: 'missing required field: text',
    at: '/blocks/0',
    documentation: `${DOCS}/blocks/section-block`,
  },
  {
    name: '150 characters in a header',
    fits: [{ type: 'header', text: plain('x'.repeat(150)) }],
    refused: [{ type: 'header', text: plain('x'.repeat(151)) }],
    says: 'must be less than 151 characters',
    at: '/blocks/0/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: 'plain text in a header',
    fits: [{ type: 'header', text: plain('x') }],
    refused: [{ type: 'header', text: mrkdwn('x') }],
    says: 'unsupported type: mrkdwn',
    at: '/blocks/0/text/type',
    documentation: `${DOCS}/blocks/header-block`,
  },
  {
    name: '10 context elements',
    fits: [{ type: 'context', elements: many(10, () => mrkdwn('x')) }],
    refused: [{ type: 'context', elements: many(11, () => mrkdwn('x')) }],
    says: 'no more than 10 items allowed',
    at: '/blocks/0/elements',
    documentation: `${DOCS}/blocks/context-block`,
  },
  {
    name: '25 action elements',
    fits: [actions(...many(25, (index) => button(`B${index}`)))],
    refused: [actions(...many(26, (index) => button(`B${index}`)))],
    says: 'no more than 25 items allowed',
    at: '/blocks/0/elements',
    documentation: `${DOCS}/blocks/actions-block`,
  },
  {
    name: '75 characters on a button',
    fits: [actions(button('x'.repeat(75)))],
    refused: [actions(button('x'.repeat(76)))],
    says: 'must be less than 76 characters',
    at: '/blocks/0/elements/0/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '2,000 characters in a button’s value',
    fits: [actions(button('x', { value: 'x'.repeat(2000) }))],
    refused: [actions(button('x', { value: 'x'.repeat(2001) }))],
    says: 'must be less than 2001 characters',
    at: '/blocks/0/elements/0/value',
    documentation: `${DOCS}/block-elements/button-element`,
  },
  {
    name: 'two styles of buttons',
    fits: [actions(button('x', { style: 'danger' }))],
    refused: [actions(button('x', { style: 'default' }))],
    says: 'must be one of: primary, danger',
    at: '/blocks/0/elements/0/style',
    documentation: `${DOCS}/block-elements/button-element`,
  },
  {
    name: '255 characters in an action_id',
    fits: [actions(button('x', { action_id: 'x'.repeat(255) }))],
    refused: [actions(button('x', { action_id: 'x'.repeat(256) }))],
    says: 'must be less than 256 characters',
    at: '/blocks/0/elements/0/action_id',
    documentation: `${DOCS}/block-elements/button-element`,
  },
  {
    name: '255 characters in a block_id',
    fits: [section('x', { block_id: 'x'.repeat(255) })],
    refused: [section('x', { block_id: 'x'.repeat(256) })],
    says: 'must be less than 256 characters',
    at: '/blocks/0/block_id',
    documentation: `${DOCS}/blocks/section-block`,
  },
  {
    name: '100 options in a select',
    fits: [actions({ type: 'static_select', options: options(100) })],
    refused: [actions({ type: 'static_select', options: options(101) })],
    says: 'no more than 100 items allowed',
    at: '/blocks/0/elements/0/options',
    documentation: `${DOCS}/block-elements/select-menu-element`,
  },
  {
    name: '75 characters in an option',
    fits: [actions({ type: 'static_select', options: [option('x'.repeat(75), 'x')] })],
    refused: [actions({ type: 'static_select', options: [option('x'.repeat(76), 'x')] })],
    says: 'must be less than 76 characters',
    at: '/blocks/0/elements/0/options/0/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '75 characters in an option’s value',
    fits: [actions({ type: 'static_select', options: [option('x', 'x'.repeat(75))] })],
    refused: [actions({ type: 'static_select', options: [option('x', 'x'.repeat(76))] })],
    says: 'must be less than 76 characters',
    at: '/blocks/0/elements/0/options/0/value',
    documentation: `${DOCS}/composition-objects/option-object`,
  },
  {
    name: 'an initial option among the options',
    fits: [actions({ type: 'static_select', options: [option('a')], initial_option: option('a') })],
    refused: [actions({ type: 'static_select', options: [option('a')], initial_option: option('b') })],
    says: 'initial option must exactly match one of the provided options',
    at: '/blocks/0/elements/0',
    documentation: `${DOCS}/block-elements/select-menu-element`,
  },
  {
    name: '150 characters of placeholder',
    fits: [actions({ type: 'users_select', placeholder: plain('x'.repeat(150)) })],
    refused: [actions({ type: 'users_select', placeholder: plain('x'.repeat(151)) })],
    says: 'must be less than 151 characters',
    at: '/blocks/0/elements/0/placeholder/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '5 entries in an overflow menu',
    fits: [section('x', { accessory: { type: 'overflow', options: options(5) } })],
    refused: [section('x', { accessory: { type: 'overflow', options: options(6) } })],
    says: 'no more than 5 items allowed',
    at: '/blocks/0/accessory/options',
    documentation: `${DOCS}/block-elements/overflow-menu-element`,
  },
  {
    name: '10 checkboxes',
    fits: [actions({ type: 'checkboxes', options: options(10) })],
    refused: [actions({ type: 'checkboxes', options: options(11) })],
    says: 'no more than 10 items allowed',
    at: '/blocks/0/elements/0/options',
    documentation: `${DOCS}/block-elements/checkboxes-element`,
  },
  {
    name: '300 characters in a confirmation',
    fits: [actions(button('x', { confirm: confirmation('x'.repeat(300)) }))],
    refused: [actions(button('x', { confirm: confirmation('x'.repeat(301)) }))],
    says: 'must be less than 301 characters',
    at: '/blocks/0/elements/0/confirm/text/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '12,000 characters over all markdown blocks',
    fits: many(2, () => ({ type: 'markdown', text: 'x'.repeat(6000) })),
    refused: [
      { type: 'markdown', text: 'x'.repeat(6000) },
      { type: 'markdown', text: 'x'.repeat(6001) },
    ],
    says: 'markdown blocks must be less than 12001 characters in total',
    at: '/blocks',
    documentation: `${DOCS}/blocks/markdown-block`,
  },
  {
    name: 'a block_id once in a message',
    fits: [section('x', { block_id: 'a' }), section('x', { block_id: 'b' })],
    refused: [section('x', { block_id: 'a' }), section('x', { block_id: 'a' })],
    says: '`block_id` "a" already exists',
    at: '/blocks/1/block_id',
    documentation: `${DOCS}/blocks`,
  },
  {
    name: 'an action_id once in a block',
    fits: [actions(button('a'), button('b'))],
    refused: [actions(button('a'), button('b', { action_id: 'a' }))],
    says: '`action_id` "a" already exists for another element',
    at: '/blocks/0/elements',
    documentation: `${DOCS}/blocks`,
  },
  {
    name: 'no unknown properties',
    fits: [section('x')],
    refused: [section('x', { colour: 'red' })],
    says: 'invalid additional property: colour',
    at: '/blocks/0',
    documentation: `${DOCS}/blocks/section-block`,
  },
  {
    name: 'only blocks that exist',
    fits: [{ type: 'divider' }],
    refused: [{ type: 'accordion' }],
    says: 'unsupported type: accordion',
    at: '/blocks/0/type',
    documentation: `${DOCS}/blocks`,
  },
  {
    name: '3,000 as the longest input',
    fits: [input('a', textInput({ max_length: 3000 }))],
    refused: [input('a', textInput({ max_length: 3001 }))],
    says: 'must be at most 3000',
    at: '/blocks/0/element/max_length',
    documentation: `${DOCS}/block-elements/plain-text-input-element`,
  },
  {
    name: '2,000 characters in an input’s label',
    fits: [input('a', textInput(), { label: plain('x'.repeat(2000)) })],
    refused: [input('a', textInput(), { label: plain('x'.repeat(2001)) })],
    says: 'must be less than 2001 characters',
    at: '/blocks/0/label/text',
    documentation: `${DOCS}/composition-objects/text-object`,
  },
  {
    name: '100 rows in a table',
    fits: [{ type: 'table', rows: many(100, () => [{ type: 'raw_text', text: 'x' }]) }],
    refused: [{ type: 'table', rows: many(101, () => [{ type: 'raw_text', text: 'x' }]) }],
    says: 'no more than 100 items allowed',
    at: '/blocks/0/rows',
    documentation: `${DOCS}/blocks/table-block`,
  },
  {
    name: 'one table in a message',
    fits: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] }],
    refused: many(2, () => ({ type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] })),
    says: 'only_one_table_allowed',
    at: '/blocks',
    documentation: `${DOCS}/blocks/table-block`,
  },
];

function confirmation(text: string): JsonObject {
  return { title: plain('Sure?'), text: plain(text), confirm: plain('Yes'), deny: plain('No') };
}

describe('a message may have', () => {
  it.each(LIMITS)('$name', ({ fits, refused, says, at, documentation }) => {
    expect(checkMessage(fits)).toEqual([]);
    expect(checkMessage(refused)).toContainEqual({ pointer: at, message: says, documentation });
  });
});

it('counts everything that blocks say', () => {
  expect(blockTextLength([section('12345'), actions(button('123')), { type: 'markdown', text: '12' }])).toBe(10);
});

it('takes rich text with everything in it', () => {
  const words = [
    { type: 'text', text: 'bold', style: { bold: true } },
    { type: 'user', user_id: 'UMARIA001' },
    { type: 'link', url: 'https://example.com', text: 'here' },
  ];
  const inner = { type: 'rich_text_section', elements: words };
  const list = { type: 'rich_text_list', style: 'bullet', elements: [inner] };
  expect(
    checkMessage([{ type: 'rich_text', elements: [inner, list, { type: 'rich_text_quote', elements: words }] }]),
  ).toEqual([]);
});

it('reports unsupported blocks as such, not as mistakes', () => {
  expect(checkMessage([{ type: 'plan', title: 'x' }])[0]?.message).toMatch(/exist in Slack but are not supported/);
});
