import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { actions, button, section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const GENERAL = 'C0GENERAL1';
let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ rateLimits: 'off' });
});
afterEach(() => playground.close());

const post = async (args: Parameters<Playground['call']>[1]) => (await playground.call('chat.postMessage', args)).body;
const posted = async (args: Parameters<Playground['call']>[1]) => {
  const body = await post({ channel: GENERAL, ...args });
  expect(body.ok).toBe(true);
  return String(body.ts);
};

describe('chat.postMessage', () => {
  // https://docs.slack.dev/reference/methods/chat.postMessage#errors
  it.each([
    ['an unknown channel', 'C0NOWHERE', 'channel_not_found'],
    ['a public channel without the app', 'C0RANDOM05', 'not_in_channel'],
    ['a private channel without the app', 'C0SECRET06', 'channel_not_found'],
    ['an archived channel', 'C0LAUNCH07', 'is_archived'],
  ])('refuses %s', async (_, channel, error) => {
    expect(await post({ channel, text: 'x' })).toMatchObject({ ok: false, error });
  });

  it('writes in public channels from outside with chat:write.public', async () => {
    await playground.close();
    playground = await workspaceWithApp({ app: { scopes: [...DEFAULT_APP.scopes, 'chat:write.public'] } });
    expect(await post({ channel: 'C0RANDOM05', text: 'x' })).toMatchObject({ ok: true });
    expect(await post({ channel: 'C0SECRET06', text: 'x' })).toMatchObject({ error: 'channel_not_found' });
  });

  it('takes names of channels, and a member’s id for a direct message', async () => {
    expect(await post({ channel: '#general', text: 'x' })).toMatchObject({ ok: true, channel: GENERAL });
    expect(await post({ channel: 'UMARIA001', text: 'only you' })).toMatchObject({ ok: true });
    await playground.slack.as('maria').sees('Signoff', 'only you');
    expect(await playground.slack.as('jon').channel('Signoff')).toEqual([]);
  });

  it('shows nobody an ephemeral message that it ignores, which Slack doesn’t guarantee to show', async () => {
    const { slack } = playground;
    slack.faults.add({ method: 'chat.postEphemeral', effect: { kind: 'ignored' } });
    const say = (text: string) => playground.call('chat.postEphemeral', { channel: GENERAL, user: 'UMARIA001', text });
    expect([await say('lost'), await say('shown')]).toMatchObject([{ body: { ok: true } }, { body: { ok: true } }]);
    expect((await slack.as('maria').privately('#general')).map(({ text }) => text)).toEqual(['shown']);
  });

  it('needs something to say', async () => {
    expect(await post({ channel: GENERAL })).toMatchObject({ error: 'no_text' });
  });

  it('names what is wrong with blocks, and where', async () => {
    // https://docs.slack.dev/reference/methods/chat.postMessage#errors
    expect(await post({ channel: GENERAL, blocks: [section('x'.repeat(3001))] })).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
      response_metadata: {
        messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
      },
    });
    expect(await post({ channel: GENERAL, blocks: '{' })).toMatchObject({ error: 'invalid_blocks_format' });
  });

  it('refuses messages whose blocks say too much altogether', async () => {
    // https://github.com/slackapi/bolt-js/issues/2509
    const blocks = (last: number) => [
      ...Array.from({ length: 4 }, () => section('x'.repeat(3000))),
      section('x'.repeat(last)),
    ];
    expect(await post({ channel: GENERAL, text: 'x', blocks: blocks(1200) })).toMatchObject({ ok: true });
    expect((await post({ channel: GENERAL, text: 'x', blocks: blocks(1201) })).error).toBe('msg_blocks_too_long');
  });

  // Each heading becomes a block of its own, each rule and each table, too: https://github.com/metabase/metabase/pull/79908,
  // https://docs.slack.dev/reference/block-kit/blocks/markdown-block#usage-info
  it.each([
    ['headings', '# Heading\n\nText.\n\n', 25],
    ['headings of all levels', '### Heading\n\nText.\n\n', 25],
    ['rules', 'Text.\n\n---\n\n', 25],
    ['tables', '| a |\n|---|\n| b |\n\nText.\n\n', 25],
    ['headings without text between them', '# Heading\n\n', 50],
  ])('counts the blocks that Slack makes of Markdown with %s', async (_, markdown, most) => {
    const blocks = (count: number) => [{ type: 'markdown', text: markdown.repeat(count) }];
    expect(await post({ channel: GENERAL, text: 'x', blocks: blocks(most) })).toMatchObject({ ok: true });
    expect((await post({ channel: GENERAL, text: 'x', blocks: blocks(most + 1) })).error).toBe('msg_blocks_too_long');
  });

  it('takes 12,000 characters of Markdown in all', async () => {
    // https://docs.slack.dev/reference/block-kit/blocks/markdown-block, and by which error name:
    // https://github.com/metabase/metabase/blob/323beec579f654865037e7cb214541d280eee1c2/src/metabase/slackbot/blocks.clj
    const markdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });
    const send = (...blocks: JsonObject[]) => post({ channel: GENERAL, text: 'x', blocks });
    expect(await send(markdown(6000), markdown(6000))).toMatchObject({ ok: true });
    expect(await send(markdown(6000), markdown(6001))).toMatchObject({ error: 'msg_too_long' });
    expect(await send(markdown(12_001))).toMatchObject({ error: 'msg_too_long' });
  });

  it('holds changed and ephemeral messages to the limits after Markdown is expanded', async () => {
    const blocks = [{ type: 'markdown', text: '# Heading\n\n'.repeat(51) }];
    const ts = await posted({ text: 'x' });
    const updated = await playground.call('chat.update', { channel: GENERAL, ts, text: 'x', blocks });
    expect(updated.body.error).toBe('msg_blocks_too_long');
    const whispered = await playground.call('chat.postEphemeral', {
      channel: GENERAL,
      user: 'UMARIA001',
      text: 'x',
      blocks,
    });
    expect(whispered.body.error).toBe('msg_blocks_too_long');
  });

  it('takes paragraphs and lists of Markdown as one block', async () => {
    const text = '- Item\n  - Nested\n\nText.\n\n'.repeat(100);
    expect(await post({ channel: GENERAL, text: 'x', blocks: [{ type: 'markdown', text }] })).toMatchObject({
      ok: true,
    });
  });

  it('refuses tables of Markdown that are larger than a table block', async () => {
    // https://docs.slack.dev/reference/block-kit/blocks/table-block
    const table = (rows: number, cell: string) => `| a |\n|---|\n${`| ${cell} |\n`.repeat(rows - 1)}`;
    const send = (text: string) => post({ channel: GENERAL, text: 'x', blocks: [{ type: 'markdown', text }] });
    expect(await send(table(100, 'x'))).toMatchObject({ ok: true });
    expect(await send(table(101, 'x'))).toMatchObject({ error: 'invalid_blocks' });
    expect(await send(table(11, 'x'.repeat(999)))).toMatchObject({ ok: true });
    expect(await send(table(11, 'x'.repeat(1_000)))).toMatchObject({ error: 'invalid_blocks' });
    expect(await send(`|${' a |'.repeat(21)}\n|${'---|'.repeat(21)}\n`)).toMatchObject({ error: 'invalid_blocks' });
  });

  // https://docs.slack.dev/changelog/2018-truncating-really-long-messages
  it.each([
    ['chat.postMessage', {}],
    ['chat.postEphemeral', { user: 'UMARIA001' }],
  ])('%s cuts text over 40,000 characters, with a warning', async (method, to) => {
    const send = (text: string) => playground.call(method, { channel: GENERAL, text, ...to });
    expect((await send('x'.repeat(40_000))).body).not.toHaveProperty('warning');
    expect((await send('x'.repeat(40_001))).body).toMatchObject({
      ok: true,
      warning: 'message_truncated',
      response_metadata: {
        warnings: ['message_truncated'],
        messages: [expect.stringMatching(/^\[WARN\] Your message was truncated but still posted\./)],
      },
    });
    expect(playground.slack.messages().at(-1)?.text).toHaveLength(40_000);
    expect(playground.slack.calls().at(-1)?.broken[0]?.code).toBe('message_truncated');
  });

  it('takes Markdown instead of text and blocks', async () => {
    expect((await post({ channel: GENERAL, markdown_text: '**x**', text: 'x' })).error).toBe('markdown_text_conflict');
    await posted({ markdown_text: '**x**' });
    expect(playground.slack.messages().at(-1)?.blocks[0]?.type).toBe('markdown');
  });

  it('lets the app choose its name only with chat:write.customize', async () => {
    expect(await post({ channel: GENERAL, text: 'x', username: 'Boss' })).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write.customize',
    });
  });

  it('ignores the block_id of Markdown', async () => {
    // https://docs.slack.dev/reference/block-kit/blocks/markdown-block
    const markdown = { type: 'markdown', block_id: 'same', text: 'x' };
    const { message } = await post({
      channel: GENERAL,
      text: 'x',
      blocks: [section('x', { block_id: 'same' }), markdown],
    });
    const [kept, dropped] = (message as { blocks: { block_id: string }[] }).blocks;
    expect(kept?.block_id).toBe('same');
    expect(dropped?.block_id).toMatch(/^\w+$/);
    expect(dropped?.block_id).not.toBe('same');
  });

  it('answers with the message as stored, ids filled in', async () => {
    const body = await post({ channel: GENERAL, text: 'x', blocks: [actions(button('Go')), section('y')] });
    expect(body.message).toMatchObject({
      type: 'message',
      user: 'U0SIGNOFF1',
      bot_id: 'B0SIGNOFF1',
      app_id: 'A0SIGNOFF1',
      blocks: [{ block_id: 'actions' }, { block_id: expect.any(String) }],
    });
  });
});

describe('a thread', () => {
  // https://docs.slack.dev/messaging#threading
  it('keeps replies out of the channel unless they are broadcast', async () => {
    const { slack } = playground;
    const root = await posted({ text: 'root' });
    await posted({ text: 'quiet', thread_ts: root });
    await posted({ text: 'loud', thread_ts: root, reply_broadcast: true });
    const maria = slack.as('maria');
    const message = await maria.sees('#general', 'root');
    expect((await maria.thread(message)).map(({ text }) => text)).toEqual(['quiet', 'loud']);
    expect((await maria.channel('#general')).map(({ text }) => text).slice(-2)).toEqual(['root', 'loud']);
    expect(message.thread).toMatchObject({ replyCount: 2 });
  });

  it('is lost when its root was deleted: the reply stands in the channel', async () => {
    // https://github.com/slack-go/slack/issues/1571
    const root = await posted({ text: 'root' });
    await playground.call('chat.delete', { channel: GENERAL, ts: root });
    const body = await post({ channel: GENERAL, text: 'orphan', thread_ts: root });
    expect(body.message).not.toHaveProperty('thread_ts');
    expect(playground.slack.calls().at(-1)?.broken[0]?.code).toBe('thread_gone');
  });

  it('keeps a deleted root as a tombstone while there are replies', async () => {
    const root = await posted({ text: 'root' });
    await posted({ text: 'reply', thread_ts: root });
    await playground.call('chat.delete', { channel: GENERAL, ts: root });
    const message = await playground.slack.as('maria').sees('#general', 'This message was deleted.');
    expect(message).toMatchObject({ ts: root, tombstone: true });
  });

  it('leaves nothing of a deleted root when the last reply is deleted, too', async () => {
    const root = await posted({ text: 'root' });
    const reply = await posted({ text: 'reply', thread_ts: root });
    await playground.call('chat.delete', { channel: GENERAL, ts: root });
    playground.slack.deleteMessage({ channel: GENERAL, ts: reply });
    expect(playground.slack.messages().filter(({ ts }) => ts === root || ts === reply)).toEqual([]);
  });

  it('shows a reply to a reply in the channel as well', async () => {
    // https://github.com/slackapi/python-slack-sdk/issues/1116
    const root = await posted({ text: 'root' });
    const reply = await posted({ text: 'reply', thread_ts: root });
    const body = await post({ channel: GENERAL, text: 'deep', thread_ts: reply });
    expect(body.message).toMatchObject({ thread_ts: root, subtype: 'thread_broadcast' });
    expect(playground.slack.calls().at(-1)?.broken[0]?.code).toBe('thread_ts_of_reply');
  });
});

describe('chat.update', () => {
  // https://docs.slack.dev/reference/methods/chat.update
  const update = async (args: Parameters<Playground['call']>[1]) => (await playground.call('chat.update', args)).body;

  it('changes the app’s own messages only', async () => {
    const { slack } = playground;
    const said = await slack.as('maria').say('#general', 'mine');
    expect((await update({ channel: GENERAL, ts: said.ts, text: 'yours' })).error).toBe('cant_update_message');
    expect(await update({ channel: GENERAL, ts: '1.000001', text: 'x' })).toMatchObject({ error: 'message_not_found' });
    const ts = await posted({ text: 'before' });
    expect(await update({ channel: GENERAL, ts, text: 'after' })).toMatchObject({ ok: true, ts, text: 'after' });
    expect((await slack.as('maria').sees('#general', 'after')).editedAt).toBeLessThanOrEqual(Date.now());
  });

  it('shows “(edited)” after an update by text, not after one by blocks', async () => {
    const ts = await posted({ text: 'before' });
    const edited = { user: DEFAULT_APP.botUserId, ts: expect.stringMatching(/^\d{10}\.000000$/) };
    const blocks = [section('A card')];
    expect((await update({ channel: GENERAL, ts, text: 'before', blocks })).message).not.toHaveProperty('edited');
    expect((await playground.slack.as('maria').sees('#general', 'A card')).editedAt).toBeUndefined();
    expect((await update({ channel: GENERAL, ts, text: 'after' })).message).toMatchObject({ edited });
    expect((await update({ channel: GENERAL, ts, blocks })).message).not.toHaveProperty('edited');
    expect((await update({ channel: GENERAL, ts, text: 'after', blocks: [] })).message).toMatchObject({ edited });
  });

  it('takes 4,000 bytes of text', async () => {
    const ts = await posted({ text: 'x' });
    expect(await update({ channel: GENERAL, ts, text: 'x'.repeat(4000) })).toMatchObject({ ok: true });
    expect(await update({ channel: GENERAL, ts, text: 'x'.repeat(4001) })).toMatchObject({ error: 'msg_too_long' });
    expect(await update({ channel: GENERAL, ts, text: '—'.repeat(1400) })).toMatchObject({ error: 'msg_too_long' });
  });

  it('notifies no one, even if it mentions people', async () => {
    const ts = await posted({ text: 'x' });
    await update({ channel: GENERAL, ts, text: '<@UMARIA001>' });
    expect(await playground.slack.as('maria').sees('#general', 'UMARIA001')).toMatchObject({ notifies: [] });
  });

  it('takes the blocks away where only text is given', async () => {
    const ts = await posted({ text: 'x', blocks: [section('block')] });
    await update({ channel: GENERAL, ts, text: 'plain' });
    expect(await playground.slack.as('maria').sees('#general', 'plain')).toMatchObject({ blocks: [] });
  });

  it('keeps metadata unless told otherwise', async () => {
    const metadata = { event_type: 'execution', event_payload: { ref: '1' } };
    const ts = await posted({ text: 'x', metadata });
    expect(await update({ channel: GENERAL, ts, text: 'y' })).toMatchObject({ message: { metadata } });
    const cleared = await update({ channel: GENERAL, ts, text: 'y', metadata: {} });
    expect(cleared.message).not.toHaveProperty('metadata');
  });
});

describe('chat.postEphemeral', () => {
  // https://docs.slack.dev/reference/methods/chat.postEphemeral
  const whisper = async (args: Parameters<Playground['call']>[1]) =>
    (await playground.call('chat.postEphemeral', args)).body;

  it('is seen by one member of the channel only', async () => {
    const { slack } = playground;
    expect(await whisper({ channel: GENERAL, user: 'UMARIA001', text: 'psst' })).toMatchObject({ ok: true });
    const seen = await slack.as('maria').seesPrivately('#general', 'psst');
    expect(await slack.as('jon').privately('#general')).toEqual([]);
    expect((await whisper({ channel: GENERAL, user: 'UGUEST005', text: 'psst' })).error).toBe('user_not_in_channel');
    await slack.as('maria').dismiss(seen);
    expect(await slack.as('maria').privately('#general')).toEqual([]);
  });

  it('can’t be updated, deleted or linked to', async () => {
    const { message_ts } = await whisper({ channel: GENERAL, user: 'UMARIA001', text: 'psst' });
    for (const method of ['chat.update', 'chat.delete'])
      expect((await playground.call(method, { channel: GENERAL, ts: message_ts ?? '', text: 'x' })).body.error).toBe(
        'message_not_found',
      );
    const link = await playground.callForm('chat.getPermalink', { channel: GENERAL, message_ts: String(message_ts) });
    expect(link.body.error).toBe('message_not_found');
  });

  it('is shown in a thread only if the thread has replies', async () => {
    const { slack } = playground;
    const root = await posted({ text: 'root' });
    await whisper({ channel: GENERAL, user: 'UMARIA001', text: 'unseen', thread_ts: root });
    expect(await slack.as('maria').privately('#general')).toEqual([]);
    expect(slack.calls().at(-1)?.broken[0]?.code).toBe('ephemeral_not_shown');
    await posted({ text: 'reply', thread_ts: root });
    await whisper({ channel: GENERAL, user: 'UMARIA001', text: 'seen', thread_ts: root });
    await slack.as('maria').seesPrivately('#general', 'seen');
  });
});

it('links to messages', async () => {
  // https://docs.slack.dev/reference/methods/chat.getPermalink
  const root = await posted({ text: 'root' });
  const reply = await posted({ text: 'reply', thread_ts: root });
  const { body } = await playground.callForm('chat.getPermalink', { channel: GENERAL, message_ts: reply });
  expect(body.permalink).toMatch(new RegExp(`/archives/${GENERAL}/p\\d{16}\\?thread_ts=${root}&cid=${GENERAL}$`));
});

const EVERYBODY = ['UMARIA001', 'UJON00002', 'UAIKO0003', 'UPRIYA004'];
const VERBATIM = { type: 'mrkdwn', text: '@channel', verbatim: true };
const HEADER = { type: 'plain_text', text: '<!channel>' };

describe('a message pings', () => {
  // https://docs.slack.dev/messaging/formatting-message-text
  it.each([
    ['the mentioned', { text: 'Hi <@UMARIA001>' }, ['UMARIA001']],
    ['a user group', { text: '<!subteam^SRELEASE1>' }, ['UMARIA001', 'UAIKO0003']],
    ['everybody', { text: '<!channel>' }, EVERYBODY],
    ['from mrkdwn', { text: 'x', blocks: [section('<!here|here>')] }, EVERYBODY],
    ['from a markdown block', { text: 'x', blocks: [{ type: 'markdown', text: '<@UJON00002>' }] }, ['UJON00002']],
    ['by plain @channel where mrkdwn isn’t verbatim', { text: 'x', blocks: [section('@channel')] }, EVERYBODY],
    ['nobody where it is', { text: 'x', blocks: [{ type: 'section', text: VERBATIM }] }, []],
    ['nobody from escaped text', { text: '&lt;!channel&gt; &lt;@UMARIA001&gt;' }, []],
    ['nobody from plain text', { text: 'x', blocks: [{ type: 'header', text: HEADER }] }, []],
    ['names with link_names', { text: '@maria', link_names: true }, ['UMARIA001']],
    ['nobody by plain names without it', { text: '@maria @channel' }, []],
  ])('%s', async (_, args, pinged) => {
    await posted(args);
    expect(playground.slack.messages().at(-1)?.notifies).toEqual(pinged);
  });
});
