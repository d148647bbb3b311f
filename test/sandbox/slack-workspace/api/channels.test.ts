import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { sharedWorkspace, workspaceWithApp } from '../support/scripted-app.ts';

const CREATE = 'https://docs.slack.dev/reference/methods/conversations.create#errors';
const INVITE = 'https://docs.slack.dev/reference/methods/conversations.invite#errors';
const SCOPES = [...DEFAULT_APP.scopes, 'channels:manage', 'groups:write', 'channels:join', 'channels:history'];
const BOT = 'U0SIGNOFF1';

const playground = sharedWorkspace({
  rateLimits: 'off',
  app: { scopes: SCOPES, events: ['message.channels', 'app_mention', 'channel_created', 'member_joined_channel'] },
});
beforeEach(() => {
  playground.app.received.length = 0;
});

const ask = async (method: string, args: JsonObject): Promise<JsonObject> => (await playground.call(method, args)).body;
const idOf = (answer: JsonObject) => String(objectAt(answer, 'channel')?.id);
const created = async (name: string) => idOf(await ask('conversations.create', { name }));
const events = (): JsonObject[] => playground.app.received.map(({ payload }) => objectAt(payload, 'event') ?? {});
const notices = (channel: string) => playground.slack.messages().filter((message) => message.channel === channel);

describe('conversations.create', () => {
  it.each([
    ['public', false],
    ['private', true],
  ])('makes a %s channel with the app in it', async (kind, is_private) => {
    const answer = await ask('conversations.create', { name: `new-${kind}`, is_private });
    expect(answer).toMatchObject({
      ok: true,
      channel: { name: `new-${kind}`, is_private, creator: BOT, is_member: true },
    });
    await ask('chat.postMessage', { channel: idOf(answer), text: 'Hello' });
    expect(notices(idOf(answer)).at(-1)?.text).toBe('Hello');
  });

  it.each([
    ['invalid_name_required', ''],
    ['invalid_name_maxlength', 'x'.repeat(81)],
    ['invalid_name_punctuation', '--_'],
    ['invalid_name_specials', 'Big News'],
    ['name_taken', 'general'],
  ])(`refuses with %s (${CREATE}): %j`, async (error, name) => {
    expect(await ask('conversations.create', { name })).toEqual({ ok: false, error });
  });

  it('needs the scope of the kind of channel', async () => {
    const other = await workspaceWithApp({ app: { scopes: [...DEFAULT_APP.scopes, 'channels:manage'] } });
    expect((await other.call('conversations.create', { name: 'a', is_private: true })).body).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:write',
    });
    expect((await other.call('conversations.create', { name: 'a' })).body).toMatchObject({ ok: true });
    await other.close();
  });
});

describe('conversations.invite', () => {
  it('invites several people, and the channel says so', async () => {
    const channel = await created('invited');
    expect(await ask('conversations.invite', { channel, users: 'UMARIA001,UJON00002' })).toMatchObject({
      ok: true,
      channel: { id: channel },
    });
    await playground.slack.as('maria').sees('#invited', 'has joined the channel');
    expect(notices(channel)).toMatchObject(
      ['UMARIA001', 'UJON00002'].map((userId) => ({ userId, notice: { subtype: 'channel_join', inviter: BOT } })),
    );
  });

  it('invites nobody if one can’t be, unless it is forced', async () => {
    const channel = await created('forced');
    const errors = [{ ok: false, error: 'user_not_found', user: 'UNOBODY' }];
    const args = { channel, users: 'UNOBODY,UMARIA001' };
    expect(await ask('conversations.invite', args)).toEqual({ ok: false, error: 'user_not_found', errors });
    expect(notices(channel)).toEqual([]);
    expect(await ask('conversations.invite', { ...args, force: true })).toMatchObject({ ok: true, errors });
    expect(notices(channel)).toMatchObject([{ userId: 'UMARIA001' }]);
  });

  it.each([
    ['no_user', { users: '' }],
    ['cant_invite_self', { users: BOT }],
    ['already_in_channel', { channel: 'C0GENERAL1', users: 'UMARIA001' }],
    ['not_in_channel', { channel: 'C0RANDOM05', users: 'UMARIA001' }],
    ['channel_not_found', { channel: 'C0NOWHERE', users: 'UMARIA001' }],
  ])(`refuses with %s (${INVITE})`, async (error, args) => {
    expect(await ask('conversations.invite', { channel: 'C0GENERAL1', ...args })).toMatchObject({ ok: false, error });
  });
});

// https://docs.slack.dev/reference/events/message/channel_join and its siblings
describe('a message of Slack itself', () => {
  it('says that the app has joined, which no mention is', async () => {
    await ask('conversations.join', { channel: 'C0RANDOM05' });
    const maria = playground.slack.as('maria');
    await maria.say('#random', 'Hello');
    await maria.waitFor('the message', () => events().find(({ text }) => text === 'Hello'));
    expect(events().map(({ type, subtype }) => subtype ?? type)).toEqual(
      expect.arrayContaining(['member_joined_channel', 'channel_join', 'message']),
    );
    expect(events()).not.toContainEqual(expect.objectContaining({ type: 'app_mention' }));
    const joined = events().find(({ subtype }) => subtype === 'channel_join');
    expect(joined).toEqual({
      type: 'message',
      subtype: 'channel_join',
      user: BOT,
      team: 'T0SANDBOX1',
      text: `<@${BOT}> has joined the channel`,
      channel: 'C0RANDOM05',
      channel_type: 'channel',
      ts: joined?.ts,
      event_ts: joined?.ts,
    });
    const ts = String(joined?.ts);
    const change = { channel: 'C0RANDOM05', ts, text: 'x' };
    expect(await ask('chat.update', change)).toMatchObject({ error: 'cant_update_message' });
    expect(await ask('chat.delete', change)).toMatchObject({ error: 'cant_delete_message' });
  });

  it('says that people join, leave and rename a channel, and makes nothing unread', async () => {
    const channel = await created('moving');
    const { admin } = playground.slack;
    const [maria, jon] = [playground.slack.as('maria'), playground.slack.as('jon')];
    await jon.join('#moving');
    admin.addToChannel('moving', 'maria');
    await maria.command('#moving', '/leave');
    admin.renameChannel('moving', 'moved');
    const { body } = await playground.callForm('conversations.history', { channel });
    expect(body.messages).toMatchObject([
      {
        subtype: 'channel_name',
        old_name: 'moving',
        name: 'moved',
        text: expect.stringMatching(/^<@U\w+> has renamed the channel from "moving" to "moved"$/),
      },
      { subtype: 'channel_leave', user: 'UMARIA001', text: '<@UMARIA001> has left the channel' },
      { subtype: 'channel_join', user: 'UMARIA001', inviter: expect.any(String) },
      { subtype: 'channel_join', user: 'UJON00002', text: '<@UJON00002> has joined the channel' },
    ]);
    const seen = (await jon.snapshot()).channels.find(({ id }) => id === channel);
    expect(seen).toMatchObject({ unread: 0, mentions: 0 });
    expect((await jon.channel('#moved')).map(({ notice }) => notice)).toEqual([true, true, true, true]);
    await jon.waitFor('all events', () => events().find(({ subtype }) => subtype === 'channel_name'));
    expect(
      events()
        .flatMap(({ type, subtype }) => (type === 'message' ? [subtype] : []))
        .sort(),
    ).toEqual(['channel_join', 'channel_join', 'channel_leave', 'channel_name']);
  });
});

it('api.test answers without a token, repeats its arguments, and refuses as it is told to', async () => {
  const { call } = playground;
  expect((await call('api.test', {}, '')).body).toEqual({ ok: true });
  expect((await call('api.test', { foo: 'bar' }, '')).body).toEqual({ ok: true, args: { foo: 'bar' } });
  const refused = { ok: false, error: 'my_error', args: { error: 'my_error' } };
  expect((await call('api.test', { error: 'my_error' }, '')).body).toEqual(refused);
});

it('users.profile.get gives the profile of a user, or of the bot itself', async () => {
  const other = await workspaceWithApp({ app: { scopes: ['users.profile:read', 'users:read', 'users:read.email'] } });
  const { body } = await other.callForm('users.info', { user: 'UMARIA001' });
  const profile = objectAt(objectAt(body, 'user'), 'profile');
  expect((await other.callForm('users.profile.get', { user: 'UMARIA001' })).body).toEqual({ ok: true, profile });
  expect((await other.callForm('users.profile.get')).body).toMatchObject({ profile: { api_app_id: 'A0SIGNOFF1' } });
  expect((await other.callForm('users.profile.get', { user: 'UNOBODY' })).body.error).toBe('user_not_found');
  await other.close();
  const { body: refused } = await playground.callForm('users.profile.get');
  expect(refused).toMatchObject({ error: 'missing_scope', needed: 'users.profile:read' });
});
