import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeAll(async () => {
  const scopes = [...DEFAULT_APP.scopes, 'channels:history', 'im:write', 'channels:join'];
  playground = await workspaceWithApp({ app: { scopes } });
});
afterAll(() => playground.close());

const read = async (method: string, args: Record<string, string> = {}) =>
  (await playground.callForm(method, args)).body;

describe('conversations', () => {
  it('are described', async () => {
    // https://docs.slack.dev/reference/methods/conversations.info
    expect(await read('conversations.info', { channel: 'C0PARTNER4' })).toMatchObject({
      channel: { id: 'C0PARTNER4', name: 'partners', is_ext_shared: true, is_member: true, is_private: false },
    });
    expect(await read('conversations.info', { channel: 'C0RANDOM05' })).toMatchObject({
      channel: { is_member: false },
    });
    expect(await read('conversations.info', { channel: 'C0LAUNCH07' })).toMatchObject({
      channel: { is_archived: true },
    });
    expect(await read('conversations.info', { channel: 'C0SECRET06' })).toMatchObject({ error: 'channel_not_found' });
    expect(await read('conversations.info', { channel: '#general' })).toMatchObject({ error: 'channel_not_found' });
  });

  it('are listed by kind, page by page', async () => {
    // https://docs.slack.dev/reference/methods/conversations.list
    const names: string[] = [];
    let cursor = '';
    do {
      const body = await read('conversations.list', {
        types: 'public_channel,private_channel',
        limit: '2',
        exclude_archived: 'true',
        cursor,
      });
      for (const channel of body.channels as { name: string }[]) names.push(channel.name);
      cursor = (body.response_metadata as { next_cursor: string }).next_cursor;
    } while (cursor !== '');
    expect(names).toEqual(['general', 'releases', 'incidents', 'partners', 'random']);
    expect(await read('conversations.list', { types: 'secret' })).toMatchObject({ error: 'invalid_types' });
    expect(await read('conversations.list', { cursor: 'x' })).toMatchObject({ error: 'invalid_cursor' });
  });

  it('name their members', async () => {
    // https://docs.slack.dev/reference/methods/conversations.members
    expect(await read('conversations.members', { channel: 'C0INCIDNT3' })).toMatchObject({
      members: ['UMARIA001', 'UJON00002', 'U0SIGNOFF1'],
    });
    const channel = 'C0PARTNER4';
    const first = await read('conversations.members', { channel, limit: '3' });
    expect(first.members).toEqual(['UMARIA001', 'UJON00002', 'USTRANGE6']);
    const { next_cursor: cursor = '' } = first.response_metadata as { next_cursor?: string };
    expect(await read('conversations.members', { channel, limit: '3', cursor })).toMatchObject({
      members: ['U0SIGNOFF1'],
      response_metadata: { next_cursor: '' },
    });
    for (const limit of ['0', '-1', '2.5', '1001'])
      expect(await read('conversations.members', { channel, limit })).toMatchObject({ error: 'invalid_limit' });
    expect(await read('conversations.members', { channel, cursor: 'x' })).toMatchObject({ error: 'invalid_cursor' });
    expect((await read('conversations.members', { channel: 'C0SECRET06' })).error).toBe('channel_not_found');
  });

  it('name their members only with their kind’s scope', async () => {
    const bare = await workspaceWithApp({ app: { scopes: ['channels:read'] } });
    const members = async (channel: string) => (await bare.callForm('conversations.members', { channel })).body;
    expect(await members('C0GENERAL1')).toMatchObject({ ok: true });
    expect(await members('C0INCIDNT3')).toMatchObject({ error: 'missing_scope', needed: 'groups:read' });
    expect((await bare.callForm('usergroups.list')).body).toMatchObject({
      error: 'missing_scope',
      needed: 'usergroups:read',
    });
    await bare.close();
  });

  it('are read with their kind’s history scope, metadata on request', async () => {
    // https://docs.slack.dev/reference/methods/conversations.replies
    const metadata = { event_type: 'card', event_payload: { key: 'k' } };
    const root = await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'root', metadata });
    const ts = String(root.body.ts);
    await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: 'reply', thread_ts: ts });
    const bare = await read('conversations.replies', { channel: 'C0GENERAL1', ts });
    expect(bare).toMatchObject({
      messages: [
        { text: 'root', reply_count: 1 },
        { text: 'reply', thread_ts: ts },
      ],
    });
    expect((bare.messages as object[])[0]).not.toHaveProperty('metadata');
    const whole = await read('conversations.history', { channel: 'C0GENERAL1', include_all_metadata: 'true' });
    expect((whole.messages as object[])[0]).toMatchObject({ text: 'root', metadata });
    expect((await read('conversations.replies', { channel: 'C0GENERAL1', ts: '1.000001' })).error).toBe(
      'thread_not_found',
    );
    expect(await read('conversations.history', { channel: 'C0RANDOM05' })).toMatchObject({ error: 'not_in_channel' });
    expect(await read('conversations.history', { channel: 'C0INCIDNT3' })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:history',
    });
  });
});

describe('people', () => {
  it('stand in user groups, have an app among them, and show no address without its scope', async () => {
    // https://docs.slack.dev/reference/methods/usergroups.users.list
    expect(await read('usergroups.list', { include_users: 'true' })).toMatchObject({
      usergroups: [{ handle: 'release-managers', users: ['UMARIA001', 'UAIKO0003'] }, { handle: 'legal' }],
    });
    expect(await read('usergroups.users.list', { usergroup: 'SLEGAL002' })).toMatchObject({ users: ['UPRIYA004'] });
    expect(await read('usergroups.users.list', { usergroup: 'SNOBODY' })).toMatchObject({ error: 'no_such_subteam' });
    expect(JSON.stringify(await read('users.list'))).not.toContain('@sandbox.example');
    // https://docs.slack.dev/reference/methods/bots.info
    const bot = { name: 'Signoff', user_id: 'U0SIGNOFF1' };
    expect(await read('bots.info', { bot: 'B0SIGNOFF1' })).toMatchObject({ bot });
    expect(await read('bots.info', { bot: 'B0' })).toMatchObject({ error: 'bot_not_found' });
  });
});
