import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

const MEMBERSHIP = ['member_joined_channel', 'member_left_channel'];
const HISTORY = ['channels:history', 'groups:history', 'im:history'];

const playground = sharedWorkspace({
  app: {
    events: ['message.channels', 'message.groups', 'message.im', 'app_mention', 'file_shared', ...MEMBERSHIP],
    scopes: [...DEFAULT_APP.scopes, ...HISTORY, 'app_mentions:read', 'files:read', 'chat:write.public'],
  },
});
beforeEach(() => {
  playground.app.received.length = 0;
});

const events = (): JsonObject[] => playground.app.received.map(({ payload }) => objectAt(payload, 'event') ?? {});
/** Waits for as many events; the order of two that were sent at once isn't promised. */
async function arrival(count: number): Promise<JsonObject[]> {
  return playground.slack.as('maria').waitFor('events', () => (events().length >= count ? events() : undefined));
}

const words = (text: string, style?: JsonObject) => ({ type: 'text', text, ...(style && { style }) });

describe('a message that a person typed', () => {
  it('has an id of the client, and its text as a rich_text block, too', async () => {
    // https://github.com/slack-go/slack/pull/745, https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
    const said =
      '*Bold* and _old_ `code` @jon in #general :wave::skin-tone-3: https://example.com/?a=1&b=2\n> so\n```let x```';
    await playground.slack.as('maria').say('#general', said);
    const [event] = await arrival(1);
    expect(event).toMatchObject({
      client_msg_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: expect.stringContaining(
        '<@UJON00002> in <#C0GENERAL1|general> :wave::skin-tone-3: <https://example.com/?a=1&amp;b=2>\n&gt; so',
      ),
      blocks: [{ type: 'rich_text', block_id: expect.any(String) }],
    });
    const [block] = objectsAt(event, 'blocks');
    expect(block?.elements).toEqual([
      {
        type: 'rich_text_section',
        elements: [
          ...[words('Bold', { bold: true }), words(' and '), words('old', { italic: true }), words(' ')],
          ...[words('code', { code: true }), words(' '), { type: 'user', user_id: 'UJON00002' }, words(' in ')],
          ...[{ type: 'channel', channel_id: 'C0GENERAL1' }, words(' ')],
          ...[{ type: 'emoji', name: 'wave', unicode: '1f44b-1f3fc' }, words(' ')],
          { type: 'link', url: 'https://example.com/?a=1&b=2' },
        ],
      },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'so' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let x' }] },
    ]);
  });

  it('keeps them in the history, unlike messages of the app', async () => {
    const { ts } = await playground.slack.as('maria').say('#general', 'Kept');
    await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'By the app' });
    const { body } = await playground.callForm('conversations.history', { channel: 'C0GENERAL1', limit: '2' });
    expect(body.messages).toMatchObject([
      { text: 'By the app', bot_id: 'B0SIGNOFF1' },
      { ts, client_msg_id: expect.any(String), blocks: [{ type: 'rich_text' }] },
    ]);
    expect(objectsAt(body, 'messages')[0]).not.toHaveProperty('client_msg_id');
  });
});

describe('messages that change', () => {
  it('are told as they were and as they are', async () => {
    // https://docs.slack.dev/reference/events/message/message_changed
    const { body } = await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'first' });
    await playground.call('chat.update', { channel: 'C0GENERAL1', ts: String(body.ts), text: 'second' });
    const changed = (await arrival(2)).find(({ subtype }) => subtype === 'message_changed');
    expect(changed).toMatchObject({
      type: 'message',
      hidden: true,
      channel: 'C0GENERAL1',
      channel_type: 'channel',
      ts: expect.any(String),
      event_ts: expect.any(String),
      message: { text: 'second', ts: body.ts, edited: { user: 'U0SIGNOFF1' } },
      previous_message: { text: 'first', ts: body.ts },
    });
    expect(changed?.ts).not.toBe(body.ts);
  });

  it('are told when they are deleted', async () => {
    // https://docs.slack.dev/reference/events/message/message_deleted
    const { body } = await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'gone' });
    await playground.call('chat.delete', { channel: 'C0GENERAL1', ts: String(body.ts) });
    expect(await arrival(2)).toContainEqual(
      expect.objectContaining({
        subtype: 'message_deleted',
        deleted_ts: body.ts,
        hidden: true,
        previous_message: expect.objectContaining({ text: 'gone', ts: body.ts }),
      }),
    );
  });

  it('become a tombstone while they have replies, which the app hears of as a change', async () => {
    // https://github.com/openclaw/openclaw/pull/22035, https://github.com/slack-edge/slack-edge/pull/10
    const { slack } = playground;
    const root = await slack.as('maria').say('#general', 'root');
    const reply = await slack.as('jon').reply(root, 'reply');
    slack.deleteMessage(root);
    slack.deleteMessage(reply);
    const told = (await arrival(5)).filter(({ subtype }) => subtype !== undefined);
    const tombstone = { subtype: 'tombstone', user: 'USLACKBOT', hidden: true, ts: root.ts, thread_ts: root.ts };
    expect(told).toHaveLength(3);
    expect(told).toContainEqual(
      expect.objectContaining({
        subtype: 'message_changed',
        message: expect.objectContaining(tombstone),
        previous_message: expect.objectContaining({ text: 'root' }),
      }),
    );
    for (const [deleted_ts, previous] of [
      [reply.ts, { text: 'reply' }],
      [root.ts, { subtype: 'tombstone' }],
    ] as const)
      expect(told).toContainEqual(
        expect.objectContaining({
          subtype: 'message_deleted',
          deleted_ts,
          previous_message: expect.objectContaining(previous),
        }),
      );
  });
});

it('files are told with their message, and each on its own', async () => {
  // https://docs.slack.dev/reference/events/message/file_share, https://docs.slack.dev/reference/events/file_shared
  const { body } = await playground.callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '2' });
  await fetch(String(body.upload_url), { method: 'POST', body: 'hi' });
  const done = { files: [{ id: String(body.file_id) }], channel_id: 'C0GENERAL1', initial_comment: 'Here' };
  await playground.call('files.completeUploadExternal', done);
  const told = await arrival(2);
  const message = told.find(({ type }) => type === 'message');
  expect(message).toMatchObject({
    subtype: 'file_share',
    text: 'Here',
    upload: true,
    display_as_bot: false,
    files: [{ id: body.file_id, name: 'a.txt' }],
    user: 'U0SIGNOFF1',
  });
  // https://github.com/slackapi/slack-api-specs/issues/62
  expect(message).not.toHaveProperty('team');
  expect(told.find(({ type }) => type === 'file_shared')).toEqual({
    type: 'file_shared',
    channel_id: 'C0GENERAL1',
    file_id: body.file_id,
    user_id: 'U0SIGNOFF1',
    file: { id: body.file_id },
    event_ts: expect.any(String),
  });
});

it('mentions are told in channels, but not in direct messages', async () => {
  // https://docs.slack.dev/reference/events/app_mention
  const maria = playground.slack.as('maria');
  await maria.openMessages();
  const direct = (await maria.snapshot()).channels.find(({ kind }) => kind === 'im')?.id ?? '';
  await maria.say(direct, 'Hi @signoff');
  await arrival(1);
  expect(events()).toMatchObject([{ type: 'message', channel_type: 'im', text: 'Hi <@U0SIGNOFF1>' }]);
  await maria.say('#partners', 'Hi @signoff');
  const mention = (await arrival(3)).find(({ type }) => type === 'app_mention');
  expect(mention).toMatchObject({ text: 'Hi <@U0SIGNOFF1>', channel: 'C0PARTNER4', client_msg_id: expect.any(String) });
  expect(mention).not.toHaveProperty('channel_type');
});

it('those who come and go are told where the app is, by the kind of channel that it may read', async () => {
  // https://docs.slack.dev/reference/events/member_joined_channel
  const { slack } = playground;
  const maria = slack.as('maria');
  await slack.as('aiko').command('#random', '/leave');
  await maria.command('#incidents', '/invite', '@priya');
  await slack.as('priya').command('#incidents', '/leave');
  await maria.command('#incidents', '/remove', '@signoff');
  await maria.command('#incidents', '/invite', '@signoff');
  const told = (await arrival(6)).filter(({ type }) => type !== 'message');
  expect(told).toHaveLength(3);
  const shown = { channel: 'C0INCIDNT3', channel_type: 'C', team: 'T0SANDBOX1', event_ts: expect.any(String) };
  for (const event of [
    { ...shown, type: 'member_joined_channel', user: 'UPRIYA004', inviter: 'UMARIA001' },
    { ...shown, type: 'member_left_channel', user: 'UPRIYA004' },
    { ...shown, type: 'member_joined_channel', user: 'U0SIGNOFF1', inviter: 'UMARIA001' },
  ])
    expect(told).toContainEqual(event);
});

it('the envelope says which channel is shared with another organisation', async () => {
  // https://docs.slack.dev/apis/events-api#callback-field
  await playground.slack.as('maria').say('#partners', 'hello');
  await playground.slack.as('maria').say('#general', 'hello');
  await arrival(2);
  const shared = playground.app.received.map(({ payload }) => [
    objectAt(payload, 'event')?.channel,
    payload.is_ext_shared_channel,
  ]);
  expect(Object.fromEntries(shared)).toEqual({ C0PARTNER4: true, C0GENERAL1: false });
  expect(playground.app.received[0]?.payload.event_context).toMatch(/^EC/);
});

// https://github.com/slackapi/java-slack-sdk/blob/main/json-logs/samples/events/AppMentionPayload.json
it('a message from another organisation says whose it is, in its events and in the history', async () => {
  const { slack, app, callForm } = playground;
  await slack.as('sam').say('#partners', 'hello @signoff');
  await arrival(2);
  const whose = {
    user: 'USTRANGE6',
    team: 'T0NORTHWND',
    user_team: 'T0NORTHWND',
    source_team: 'T0NORTHWND',
    user_profile: {
      avatar_hash: expect.any(String),
      image_72: expect.stringMatching(/^http/),
      first_name: 'Sam',
      real_name: 'Sam Okafor',
      display_name: '',
      team: 'T0NORTHWND',
      name: 'sam',
      is_restricted: false,
      is_ultra_restricted: false,
    },
  };
  expect(app.received.map(({ payload }) => objectAt(payload, 'event')?.type).sort()).toEqual([
    'app_mention',
    'message',
  ]);
  for (const { payload } of app.received) {
    expect(payload.event).toMatchObject(whose);
    // Of the workspace that it comes from: https://github.com/slackapi/java-slack-sdk/issues/629
    const to = { team_id: 'T0NORTHWND', context_team_id: 'T0SANDBOX1', is_ext_shared_channel: true };
    expect(payload).toMatchObject({ ...to, authorizations: [{ team_id: 'T0SANDBOX1' }] });
  }
  const { body } = await callForm('conversations.history', { channel: 'C0PARTNER4', limit: '1' });
  expect(body.messages).toMatchObject([whose]);
});
