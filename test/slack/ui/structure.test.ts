import type { RichTextBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { plainFields, shownFields } from '../../../src/slack/ui/fields.ts';
import { blocksHeight, DESK } from '../../../src/slack/ui/rendered-height.ts';
import { calledTool, inWords, namesInWords, structureOf, toolInWords } from '../../../src/slack/ui/structure.ts';
import { say } from './models.ts';
import { said } from './said.ts';

const MAIL = { to: 'ana@example.com', subject: 'Refund', body: 'Hi Ana,\n\nyour money is back.\n\nMaria' };
const FIELDS = 'To: ana@example.com\nSubject: Refund\nBody: \n> Hi Ana,\n> your money is back.\n> Maria';

const shownOf = (text: string) => {
  const structure = structureOf(text);
  return structure && { tool: calledTool(structure), reason: structure.reason, fields: plainFields(structure, say) };
};

describe('a text is no structure', () => {
  it.each([
    ['with an article above it', `${'A paragraph.\n\n'.repeat(10)}\`\`\`json\n{"a": 1}\n\`\`\``],
    ['with a name of several lines', JSON.stringify({ 'Note: fine\nAmount: 5\nTotal': 5_000 })],
    ['with a name that is longer than any', JSON.stringify({ a: [{ ['x'.repeat(101)]: 1 }] })],
    ['with such a name in a call', JSON.stringify({ name: 'pay', arguments: JSON.stringify({ 'a\nb': 1 }) })],
  ])('%s', (_, text) => {
    expect(structureOf(text)).toBeNull();
  });
});

describe('the call of a tool', () => {
  it.each<[string, string]>([
    ['LangChain', JSON.stringify({ name: 'send_email', args: MAIL })],
    ['LangChain with an id', JSON.stringify({ name: 'send_email', args: MAIL, id: 'call_1', type: 'tool_call' })],
    ['CrewAI', JSON.stringify({ tool: 'send_email', tool_input: MAIL })],
    ['a tool and arguments', JSON.stringify({ tool: 'send_email', arguments: MAIL })],
    ['an action', JSON.stringify({ action: 'send_email', args: MAIL })],
    [
      'OpenAI',
      JSON.stringify({
        id: 'call_1',
        type: 'function',
        function: { name: 'send_email', arguments: JSON.stringify(MAIL) },
      }),
    ],
    ['Anthropic', JSON.stringify({ type: 'tool_use', id: 'toolu_1', name: 'send_email', input: MAIL })],
    [
      'a middleware of LangChain',
      JSON.stringify({
        action_requests: [
          {
            name: 'send_email',
            args: MAIL,
            description: `Tool execution requires approval\n\nTool: send_email\nArgs: {}`,
          },
        ],
        review_configs: [{ action_name: 'send_email', allowed_decisions: ['approve'] }],
      }),
    ],
    ['its other spelling', JSON.stringify({ actionRequests: [{ name: 'send_email', args: MAIL }], reviewConfigs: [] })],
    ['a code block', `\`\`\`json\n${JSON.stringify({ name: 'send_email', args: MAIL }, null, 2)}\n\`\`\``],
    ['the OpenAI Agents SDK', `send_email\n\`\`\`json\n${JSON.stringify(MAIL, null, 2)}\n\`\`\``],
    ['the OpenAI Agents SDK on one line', `send_email \`${JSON.stringify(MAIL)}\``],
  ])('of %s is its arguments, and has the name of the tool', (_, text) => {
    expect(shownOf(text)).toEqual({ tool: 'send_email', reason: '', fields: FIELDS });
  });

  it.each([
    ['an id that numbers no call', { action: 'delete', id: 'cus_42', args: { why: 'Asked.' } }, 'Id: cus_42'],
    ['an id that is no text', { type: 'tool_call', id: { iban: 'DE1' }, name: 'pay', args: {} }, 'Id: iban DE1'],
    [
      'an id that says something, beside a type',
      { type: 'function', id: 'eve-9000', name: 'pay', args: {} },
      'Id: eve-9000',
    ],
    ['the id of a call that says something', { name: 'delete', args: {}, call_id: 'all-users' }, 'Call ID: all-users'],
    ['an index that is none', { name: 'delete', args: {}, index: 9000 }, 'Index: 9000'],
    [
      'a description that says more at its end',
      {
        name: 'pay',
        args: { to: 'Ana' },
        description: 'Tool execution requires approval\n\nTool: pay\nArgs: Ana and Eve',
      },
      'Args: Ana and Eve',
    ],
    [
      'a setting of a call that says more',
      { action_requests: [{ name: 'pay', args: {} }], review_configs: [{ args_schema: { to: 'Eve' } }] },
      'to Eve',
    ],
    ['a type that is no type of a call', { action: 'refund', type: 'full', args: { order: 7 } }, 'Type: full'],
    [
      'a description that says more',
      { name: 'pay', args: {}, description: 'Pay Eve, too.\n\nTool: pay\nArgs: {}' },
      'Pay Eve, too.',
    ],
    [
      'what only seems to be about its program',
      { action_requests: [{ name: 'pay', args: {} }], review_configs: [{ to: 'Eve' }] },
      'To: Eve',
    ],
  ])('shows %s', (_, call, line) => {
    expect(shownOf(JSON.stringify(call))?.fields.toLowerCase()).toContain(line.toLowerCase());
  });

  it('keeps what stands beside its arguments, and what stands above', () => {
    expect(shownOf(JSON.stringify({ name: 'pay', args: { amount: 5 }, account: 'A-1' }))?.fields).toBe(
      'Amount: 5\nAccount: A-1',
    );
    expect(shownOf('It may have been made already.\n\npay `{"amount": 5}`')).toMatchObject({
      tool: 'pay',
      fields: 'It may have been made already.\nAmount: 5',
    });
    expect(shownOf('{"name": "ping", "args": {}}')?.fields).toBe('No arguments');
  });

  it('is numbered among several', () => {
    const calls = [
      { name: 'pay', args: { amount: 5 } },
      { name: 'mcp__mail__send_email', args: { to: 'a' } },
    ];
    expect(shownOf(JSON.stringify(calls))).toEqual({
      tool: null,
      reason: '',
      fields: '1. Pay pay\nAmount: 5\n2. Send e-mail mcp__mail__send_email\nTo: a',
    });
  });

  it.each([
    ['its arguments', { name: 'pay', args: { amount: 5, approval_context: 'Late by 3 days.' } }],
    ['what stands beside them', { name: 'pay', args: { amount: 5 }, why: 'Late by 3 days.' }],
  ])('gives a reason in %s apart from its fields', (_, call) => {
    expect(shownOf(JSON.stringify(call))).toEqual({ tool: 'pay', reason: 'Late by 3 days.', fields: 'Amount: 5' });
  });
});

describe('a structured text', () => {
  it.each<[string, string, string]>([
    [
      'numbers and dates as they are',
      '{"amount": 1250.00, "big": 12345678901234567890, "on": "2026-11-29T08:00:00Z", "ok": true}',
      'Amount: 1250.00\nBig: 12345678901234567890\nOn: 2026-11-29T08:00:00Z\nOK: true'.replace('OK', 'Ok'),
    ],
    ['letters instead of their numbers', '{"text": "\\u4f60\\u597d"}', 'Text: 你好'],
    [
      'nested objects below their names',
      '{"customer": {"name": "Ana", "orders": [1, 2]}}',
      'Customer: \nName: Ana\nOrders: \n1\n2',
    ],
    [
      'short objects of a list on a line',
      '[{"sku": "A1", "qty": 2}, {"sku": "B2", "qty": 1}]',
      'SKU: A1 · Qty: 2\nSKU: B2 · Qty: 1',
    ],
    [
      'names that would look alike as they are',
      '{"userId": 1, "user_id": 2, "Full name": "x"}',
      'userId: 1\nuser_id: 2\nFull name: x',
    ],
    ['a name that is given twice twice', '{"to": "a", "to": "b"}', 'to: a\nto: b'],
    ['an object of scalars on a line', '{"replicas": {"min": 6, "max": 24}}', 'Replicas: min 6 · max 24'],
    ['what is empty', '{"a": "", "b": [], "c": {}, "d": null}', 'A: ""\nB: []\nC: {}\nD: null'],
    ['an empty text', '{}', '{}'],
    ['an empty list', '```json\n[]\n```', '[]'],
    [
      'a value with the sign between fields on a line of its own',
      '{"payment": {"to": "Ana · amount 5", "amount": 5000}}',
      'Payment: \nTo: Ana · amount 5\nAmount: 5000',
    ],
    [
      'lines of a value with a mark, so that none passes for a field',
      '{"note": "Hi\\nAmount: 5"}',
      'Note: \n> Hi\n> Amount: 5',
    ],
    ['what nobody sees by its number', '{"to": "ana\\u200b@x", "cc": "\\u202eb"}', 'To: ana⟨U+200B⟩@x\nCc: ⟨U+202E⟩b'],
  ])('shows %s', (_, text, fields) => {
    expect(shownOf(text)).toEqual({ tool: null, reason: '', fields });
  });

  it('shows names in bold, lines of a value as a quote, and a list in points', () => {
    const structure = structureOf(JSON.stringify({ ...MAIL, cc: ['ben', 'cleo'] }));
    const always = () => true;
    const { block } = structure ? shownFields(structure, { whole: always, part: always }, say) : { block: null };
    expect(block?.elements.map(({ type }) => type)).toEqual([
      'rich_text_section',
      'rich_text_section',
      'rich_text_section',
      'rich_text_quote',
      'rich_text_section',
      'rich_text_list',
    ]);
    expect(block?.elements[0]).toMatchObject({
      elements: [{ text: 'To: ', style: { bold: true } }, { text: 'ana@example.com' }],
    });
    expect(said({ text: '', blocks: block ? [block] : [] })).toContain('Hi Ana,\n\nyour money is back.');
  });

  it.each<[string, object, number, string, object]>([
    ['fields', { ...MAIL, cc: 'x' }, 50, 'Refund', { unit: 'fields', count: 2 }],
    ['fields after a name whose value is missing', { ...MAIL, cc: 'x' }, 70, 'Refund', { unit: 'fields', count: 2 }],
    ['fields within the lines of a value', { ...MAIL, cc: 'x' }, 100, 'Hi Ana,', { unit: 'fields', count: 2 }],
    ['lines of the last value', MAIL, 100, 'Hi Ana,', { unit: 'lines', count: 2 }],
    [
      'objects below scalars',
      { who: { name: 'Ana', mail: ['a', 'b'] }, sum: 40 },
      30,
      '40',
      { unit: 'fields', count: 5 },
    ],
    ['points of a list', ['one', 'two', 'three'], 25, 'one', { unit: 'items', count: 2 }],
    [
      'lines of a long one',
      { text: 'A short one. '.repeat(40) },
      50,
      'A short one. A short one.',
      { unit: 'fields', count: 1 },
    ],
  ])('says how many %s are missing', (_, value, px, last, left) => {
    const structure = structureOf(JSON.stringify(value));
    const fits = (block: RichTextBlock) => blocksHeight([block], DESK) <= px;
    const shown = structure && shownFields(structure, { whole: fits, part: fits }, say);
    expect(shown?.left).toEqual(left);
    expect(
      said({ text: '', blocks: shown ? [shown.block] : [] })
        .trimEnd()
        .endsWith(last),
    ).toBe(true);
  });

  it.each([
    'Just words.',
    '',
    '[1, 2',
    '{"a": 1} and more',
    'A list:\n\n- one',
    '```js\nlet a = {};\n```',
    '```json\n{}\n```\n\nThen words.',
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ])('is none: %j', (text) => {
    expect(structureOf(text)).toBeNull();
  });
});

it.each([
  ['send_email', 'Send e-mail'],
  ['refund_amount', 'Refund amount'],
  ['refundAmount', 'Refund amount'],
  ['customerID', 'Customer ID'],
  ['HTTPServer', 'HTTP server'],
  ['user-id', 'User ID'],
  ['Preis (€)', 'Preis (€)'],
  ['名前', '名前'],
])('the name %s reads “%s”', (name, words) => {
  expect(inWords(name)).toBe(words);
  expect(namesInWords([name, 'other'])).toEqual([words, 'Other']);
});

it.each([
  ['mcp__github__create_issue', 'Create issue'],
  ['gmail.send_email', 'Send e-mail'],
  ['tools/run', 'Run'],
])('the tool %s is called “%s”', (tool, words) => {
  expect(toolInWords(tool)).toBe(words);
});
