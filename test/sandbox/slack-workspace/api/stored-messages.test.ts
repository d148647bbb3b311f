import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import {
  actions,
  button,
  input,
  modal,
  mrkdwn,
  option,
  plain,
  plainAnswered,
  section,
  textInput,
} from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

const playground = sharedWorkspace({
  rateLimits: 'off',
  app: {
    events: ['message.channels'],
    scopes: [...DEFAULT_APP.scopes, 'channels:history'],
    shortcuts: [{ type: 'message', callbackId: 'about', name: 'About', description: '' }],
  },
});
beforeEach(() => {
  playground.app.received.length = 0;
});

const CHANNEL = 'C0RELEASE2';
const post = async (args: JsonObject) =>
  (await playground.call('chat.postMessage', { channel: CHANNEL, ...args })).body;
const messageOf = (body: JsonObject) => objectAt(body, 'message') ?? {};
const blocksOf = (message: JsonObject) => objectsAt(message, 'blocks');
async function latest(): Promise<JsonObject> {
  const { body } = await playground.callForm('conversations.history', { channel: CHANNEL, limit: '1' });
  return objectsAt(body, 'messages')[0] ?? {};
}

describe('a message that is only text', () => {
  const text = (words: string, style?: JsonObject) => ({ type: 'text', text: words, ...(style && { style }) });

  it('comes with the rich_text block that Slack makes of it, in answers, history and events alike', async () => {
    const posted = messageOf(
      await post({
        text: '*Ready*: _notes_ ~old~ `v2` &amp; <https://example.com/a|more> for <@UJON00002> https://x.example/',
      }),
    );
    const [block = {}] = blocksOf(posted);
    expect(blocksOf(posted)).toEqual([
      {
        type: 'rich_text',
        block_id: expect.stringMatching(/^\S{5}$/),
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              ...[text('Ready', { bold: true }), text(': '), text('notes', { italic: true }), text(' ')],
              ...[text('old', { strike: true }), text(' '), text('v2', { code: true }), text(' & ')],
              { type: 'link', url: 'https://example.com/a', text: 'more' },
              text(' for '),
              { type: 'user', user_id: 'UJON00002' },
              text(' '),
              { type: 'link', url: 'https://x.example/' },
            ],
          },
        ],
      },
    ]);
    expect(blocksOf(await latest())).toEqual([block]);
    const { slack, app } = playground;
    const event = await slack.as('maria').waitFor('the event', () => objectAt(app.received.at(-1)?.payload, 'event'));
    expect(event.blocks).toEqual([block]);
  });

  it('has its quotes, code and dates apart', async () => {
    const posted = messageOf(
      await post({ text: 'Due <!date^1700000000^{date}^https://x.example|soon>:\n&gt; said\n```let x```' }),
    );
    expect(blocksOf(posted)[0]?.elements).toEqual([
      {
        type: 'rich_text_section',
        elements: [
          text('Due '),
          { type: 'date', timestamp: 1700000000, format: '{date}', url: 'https://x.example', fallback: 'soon' },
          text(':'),
        ],
      },
      { type: 'rich_text_quote', elements: [text('said')] },
      { type: 'rich_text_preformatted', elements: [text('let x')] },
    ]);
  });

  it('gets another block when it is edited, and none as a tombstone or beside blocks and attachments', async () => {
    const { ts, message } = await post({ text: 'one' });
    const [before] = objectsAt(message, 'blocks');
    const { body } = await playground.call('chat.update', { channel: CHANNEL, ts: ts ?? '', text: 'two' });
    const [after] = blocksOf(messageOf(body));
    expect(after?.elements).toEqual([{ type: 'rich_text_section', elements: [text('two')] }]);
    expect(after?.block_id).not.toBe(before?.block_id);
    await post({ text: 'reply', thread_ts: ts ?? '' });
    await playground.call('chat.delete', { channel: CHANNEL, ts: ts ?? '' });
    expect(await latest()).not.toHaveProperty('blocks');
    expect(messageOf(await post({ text: 'x', attachments: [{ text: 'y' }] }))).not.toHaveProperty('blocks');
    expect(blocksOf(messageOf(await post({ text: 'x', blocks: [section('y')] })))).toMatchObject([{ type: 'section' }]);
  });

  it('is shown to the person as before', async () => {
    await post({ text: 'plain words' });
    expect((await playground.slack.as('maria').sees('#releases', 'plain words')).blocks).toEqual([]);
  });
});

describe('blocks of a message', () => {
  it('come back with ids, emoji and verbatim filled in, and with what was given left alone', async () => {
    const blocks = [
      section('a', { fields: [{ ...mrkdwn('b'), verbatim: true }, plain('c')] }),
      { type: 'header', text: { ...plain('d'), emoji: false } },
      actions(
        button('Go', { confirm: { title: plain('e'), text: mrkdwn('f'), confirm: plain('g'), deny: plain('h') } }),
      ),
      { type: 'context', elements: [mrkdwn('i')] },
      { type: 'table', rows: [[{ type: 'raw_text', text: 'j' }]] },
    ];
    const posted = messageOf(await post({ blocks, text: 'x' }));
    const answered = (words: string) => ({ type: 'mrkdwn', text: words, verbatim: false });
    expect(posted.blocks).toEqual([
      {
        type: 'section',
        block_id: expect.any(String),
        text: answered('a'),
        fields: [{ type: 'mrkdwn', text: 'b', verbatim: true }, plainAnswered('c')],
      },
      { type: 'header', block_id: expect.any(String), text: { type: 'plain_text', text: 'd', emoji: false } },
      {
        type: 'actions',
        block_id: 'actions',
        elements: [
          {
            type: 'button',
            action_id: 'go',
            text: plainAnswered('Go'),
            confirm: {
              title: plainAnswered('e'),
              text: answered('f'),
              confirm: plainAnswered('g'),
              deny: plainAnswered('h'),
            },
          },
        ],
      },
      { type: 'context', block_id: expect.any(String), elements: [answered('i')] },
      { type: 'table', block_id: expect.any(String), rows: [[{ type: 'raw_text', text: 'j' }]] },
    ]);
    expect((await latest()).blocks).toEqual(posted.blocks);
  });

  // https://docs.slack.dev/reference/block-kit/blocks/table-block
  it('have one table, also together with those of attachments', async () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
    const refusal = {
      ok: false,
      error: 'invalid_attachments',
      errors: ['only_one_table_allowed [json-pointer:/blocks]'],
    };
    expect(await post({ blocks: [table, table] })).toMatchObject(refusal);
    expect(await post({ blocks: [table], attachments: [{ blocks: [table] }] })).toMatchObject(refusal);
    expect(await post({ attachments: [{ blocks: [table] }, { blocks: [table] }] })).toMatchObject(refusal);
    expect(await post({ blocks: [table] })).toMatchObject({ ok: true });
  });

  it('may have 150 characters in a header, of which an emoji is one', async () => {
    const header = (text: string) => [{ type: 'header', text: plain(text) }];
    expect(await post({ blocks: header('🎉'.repeat(150)) })).toMatchObject({ ok: true });
    expect(await post({ blocks: header('🎉'.repeat(151)) })).toMatchObject({
      error: 'invalid_blocks',
      errors: ['must be less than 151 characters [json-pointer:/blocks/0/text/text]'],
    });
  });
});

it('a view comes back with emoji, optional and dispatch_action filled in', async () => {
  const { slack, app, call } = playground;
  const opened: JsonObject[] = [];
  const blocks = [input('Topic', textInput()), input('More', textInput(), { optional: true, dispatch_action: true })];
  const view = modal([...blocks, input('Pick', { type: 'radio_buttons', options: [option('One')] })]);
  app.reply = async ({ payload }) => {
    const { body } = await call('views.open', { trigger_id: String(payload.trigger_id), view });
    opened.push(objectAt(body, 'view') ?? {});
    return {};
  };
  await slack.as('maria').command('#releases', '/kickoff');
  expect(opened[0]).toMatchObject({
    title: plainAnswered('A modal'),
    submit: plainAnswered('Send'),
    blocks: [
      { label: plainAnswered('Topic'), optional: false, dispatch_action: false },
      { optional: true, dispatch_action: true },
      { element: { options: [{ text: plainAnswered('One'), value: 'One' }] } },
    ],
  });
  app.reply = () => ({});
  await slack.as('maria').closeModal();
});

it('a reply that is also shown in the channel carries its root wherever it comes', async () => {
  const { ts = '' } = await post({ text: 'root', metadata: { event_type: 'made', event_payload: {} } });
  const posted = messageOf(await post({ text: 'reply', thread_ts: ts, reply_broadcast: true }));
  const root = { ts, text: 'root', thread_ts: ts, reply_count: 1 };
  expect(posted).toMatchObject({ subtype: 'thread_broadcast', root });
  const listed = await latest();
  expect(listed).toMatchObject({ subtype: 'thread_broadcast', root });
  expect(listed.root).not.toHaveProperty('metadata');
  const maria = playground.slack.as('maria');
  await maria.messageShortcut('About', await maria.sees('#releases', 'reply'));
  expect(playground.app.received.at(-1)?.payload).toMatchObject({ type: 'message_action', message: { root } });
});
