import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blockTextLength, checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { UNSUPPORTED } from '../../../../src/sandbox/slack-workspace/block-kit/surface.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button, section } from '../support/blocks.ts';

const DOCS = 'https://docs.slack.dev/reference/block-kit';

describe('a message may have', () => {
  it.each<[string, fits: JsonObject[], refused: JsonObject[], says: string, at: string, page: string]>([
    [
      'no empty text',
      [section('x')],
      [section('')],
      'must be more than 0 characters',
      '/blocks/0/text/text',
      'composition-objects/text-object',
    ],
    [
      'a block_id once',
      [section('x', { block_id: 'a' }), section('x', { block_id: 'b' })],
      [section('x', { block_id: 'a' }), section('x', { block_id: 'a' })],
      '`block_id` "a" already exists',
      '/blocks/1/block_id',
      'blocks',
    ],
    [
      'an action_id once in a block',
      [actions(button('a'), button('b'))],
      [actions(button('a'), button('b', { action_id: 'a' }))],
      '`action_id` "a" already exists for another element',
      '/blocks/0/elements',
      'blocks',
    ],
    [
      'no unknown properties',
      [section('x')],
      [section('x', { colour: 'red' })],
      'invalid additional property: colour',
      '/blocks/0',
      'blocks/section-block',
    ],
    [
      'only blocks that exist',
      [{ type: 'divider' }],
      [{ type: 'accordion' }],
      'unsupported type: accordion',
      '/blocks/0/type',
      'blocks',
    ],
  ])('%s', (_, fits, refused, says, at, page) => {
    expect(checkMessage(fits)).toEqual([]);
    expect(checkMessage(refused)).toContainEqual({ pointer: at, message: says, documentation: `${DOCS}/${page}` });
  });
});

it('counts everything that blocks say', () => {
  // https://github.com/metabase/metabase/blob/323beec579f654865037e7cb214541d280eee1c2/src/metabase/slackbot/blocks.clj
  const image = { type: 'image', image_url: 'https://example.com/1234567', alt_text: '1234' };
  expect(blockTextLength([section('12345'), actions(button('123')), { type: 'markdown', text: '12' }, image])).toBe(14);
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

describe('what Slack has and this workspace lacks', () => {
  const reference = readFileSync('src/sandbox/slack-workspace/REFERENCE.md', 'utf8');
  const messages = (blocks: JsonObject[]) => checkMessage(blocks).map(({ message }) => message);

  it('is refused by name, not as a mistake', () => {
    const says = (type: string) => [`${type} exists in Slack but is not supported by this workspace`];
    for (const type of UNSUPPORTED.blocks) expect(messages([{ type }])).toEqual(says(type));
    for (const type of UNSUPPORTED.elements) expect(messages([actions({ type })])).toEqual(says(type));
    for (const type of UNSUPPORTED['rich text']) {
      const words = { type: 'rich_text_section', elements: [{ type }] };
      expect(messages([{ type: 'rich_text', elements: [words] }])).toEqual(says(type));
    }
  });

  it.each(Object.entries(UNSUPPORTED))('is listed in the reference: %s', (what, types) => {
    const [, list = ''] = new RegExp(`^\\| ${what} \\| (.*) \\|$`, 'im').exec(reference) ?? [];
    expect(list.split(', ')).toEqual(types.map((type) => `\`${type}\``));
  });
});
