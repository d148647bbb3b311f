import { describe, expect, it } from 'vitest';
import { type MessageContent, mentionsIn, mrkdwnOf, textAsTyped } from '../../../../src/slack/ui/message-text.ts';

const NAMES: Record<string, string> = { UMARIA001: 'Maria', C0ROOM001: 'releases', S0LEADS01: '@leads' };
const nameOf = (id: string) => NAMES[id] ?? null;
const read = (mrkdwn: string) => textAsTyped(mrkdwn, nameOf);
const content = (some: Partial<MessageContent>): MessageContent => ({ text: '', blocks: [], attachments: [], ...some });
const readBlocks = (...blocks: unknown[]) => read(mrkdwnOf(content({ blocks })));

describe('the text of a message, as people would type it', () => {
  it.each([
    ['<@UMARIA001> and <@U0NOBODY1|jon>, <@U0NOBODY2>', '@Maria and @jon, @U0NOBODY2'],
    ['in <#C0ROOM001|> or <#C0OTHER01|general> or <#C0SECRET1>', 'in #releases or #general or #C0SECRET1'],
    ['<!subteam^S0LEADS01> <!subteam^S0OTHER01|@others>', '@leads @others'],
    ['<!here> <!channel|channel> <!everyone>', '@here @channel @everyone'],
    ['<!date^1392734382^{date}^https://a.example|18 February>', '18 February'],
    ['see <https://a.example/?x=1&amp;y=2>', 'see https://a.example/?x=1&y=2'],
    ['see <https://a.example|the draft>', 'see the draft (https://a.example)'],
    ['<http://a.example|a.example> <mailto:a@b.example|a@b.example>', 'http://a.example a@b.example'],
    ['1 &lt; 2 &amp;&amp; *bold*, &amp;lt;', '1 < 2 && *bold*, &lt;'],
    ['  two\r\nlines \u202e ', 'two\nlines'],
    ['<> <|> <@>', '<> <|> @'],
  ])('reads %s', (mrkdwn, readable) => expect(read(mrkdwn)).toBe(readable));

  it('names whom it mentions, each once', () => {
    expect(
      mentionsIn('<@UMARIA001> <@UMARIA001|m> <#C0ROOM001> <!subteam^S0LEADS01> <!here> <https://a> <@x y>'),
    ).toEqual([
      { kind: 'person', id: 'UMARIA001' },
      { kind: 'channel', id: 'C0ROOM001' },
      { kind: 'group', id: 'S0LEADS01' },
    ]);
  });

  it('comes from the blocks only where there is no other', () => {
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'A <b> heading' } }];
    expect(mrkdwnOf(content({ text: 'Said', blocks }))).toBe('Said');
    expect(readBlocks(...blocks)).toBe('A <b> heading');
  });

  it('reads every kind of block that has text', () => {
    const text = (said: string) => ({ type: 'mrkdwn', text: said });
    const fields = [text('*A*'), { type: 'plain_text', text: '<@UMARIA001>' }];
    expect(
      readBlocks(
        { type: 'section', text: text('For <@UMARIA001>'), fields },
        { type: 'divider' },
        { type: 'context', elements: [text('by &amp;'), { type: 'image', image_url: 'x', alt_text: 'a cat' }] },
        { type: 'markdown', text: '**All** of it' },
        { type: 'image', alt_text: 'a dog' },
      ),
    ).toBe('For @Maria\n*A*\n<@UMARIA001>\nby &\na cat\n**All** of it\na dog');
  });

  it('reads rich text with its lists, quotes and mentions', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const said = (text: string) => ({ type: 'text', text });
    expect(
      readBlocks({
        type: 'rich_text',
        elements: [
          section(said('Hi '), { type: 'user', user_id: 'UMARIA001' }, said(', a < b in '), {
            ...{ type: 'channel', channel_id: 'C0ROOM001' },
          }),
          {
            type: 'rich_text_list',
            style: 'ordered',
            indent: 0,
            elements: [section(said('one')), section(said('two'))],
          },
          { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(said('deep'))] },
          { type: 'rich_text_quote', elements: [said('said\nso')] },
          { type: 'rich_text_preformatted', elements: [said('x = 1')] },
          section(
            { type: 'link', url: 'https://a.example/?a=1&b=2', text: 'a draft' },
            said(' '),
            { type: 'emoji', name: 'flag-de', unicode: '1f1e9-1f1ea' },
            { type: 'emoji', name: 'party' },
            { type: 'usergroup', usergroup_id: 'S0LEADS01' },
            { type: 'broadcast', range: 'here' },
            { type: 'date', timestamp: 1, format: '{date}', fallback: 'today' },
          ),
        ],
      }),
    ).toBe(
      [
        'Hi @Maria, a < b in #releases',
        ...['1. one', '2. two', '    • deep', '> said', '> so', 'x = 1'],
        'a draft (https://a.example/?a=1&b=2) 🇩🇪:party:@leads@heretoday',
      ].join('\n'),
    );
  });

  it('reads what was forwarded', () => {
    const attachments = [
      { text: 'The <@UMARIA001> said', fallback: 'x' },
      { text: '', fallback: 'A file' },
    ];
    expect(read(mrkdwnOf(content({ attachments })))).toBe('The @Maria said\nA file');
  });

  const CELL = (text: string) => ({ type: 'raw_text', text });
  const RICH = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'UMARIA001' }] }],
  };
  it.each([
    [
      'title, text and fields',
      {
        ...{ pretext: 'Alert', title: 'Disk &amp; CPU', title_link: 'https://a.example', text: 'Full' },
        ...{ fields: [{ title: 'Host', value: 'db-1' }, { value: '<@UMARIA001>' }], fallback: 'x' },
      },
      'Alert\nDisk & CPU (https://a.example)\nFull\nHost: db-1\n@Maria',
    ],
    ['only fields', { fields: [{ title: 'Host', value: 'db-1' }], fallback: 'x' }, 'Host: db-1'],
    [
      'nested blocks',
      { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Deep' } }], text: 'older', fallback: 'x' },
      'Deep',
    ],
    ['a forwarded message', { message_blocks: [{ message: { blocks: [RICH] } }], fallback: 'x' }, '@Maria'],
    [
      'a table',
      {
        blocks: [
          {
            type: 'table',
            rows: [
              [CELL('Host'), CELL('<Use>')],
              [CELL('db-1'), RICH],
            ],
          },
        ],
        fallback: 'x',
      },
      'Host | <Use>\ndb-1 | @Maria',
    ],
    ['nothing else', { color: 'f00', blocks: [{ type: 'divider' }], fallback: 'A file' }, 'A file'],
  ])('reads of an attachment %s', (_, attachment, text) => {
    expect(read(mrkdwnOf(content({ attachments: [attachment] })))).toBe(text);
    expect(read(mrkdwnOf(content({ text: 'See:', attachments: [attachment] })))).toBe(`See:\n${text}`);
  });

  it('leaves out the preview of a link that stands in the text', () => {
    const attachments = [{ from_url: 'https://a.example', title: 'A page', text: 'About it', fallback: 'A page' }];
    expect(read(mrkdwnOf(content({ text: 'See https://a.example', attachments })))).toBe('See https://a.example');
  });

  it.each([[null], ['x'], [[]], [{ type: 'section' }], [{ type: 'rich_text', elements: [null, { elements: 'x' }] }]])(
    'reads nothing in %j',
    (block) => expect(readBlocks(block)).toBe(''),
  );
});
