import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { DEFAULT_SEED, withEveryKindOfPerson } from '../../../../src/sandbox/slack-workspace/state/seed.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeAll(async () => {
  const scopes = [...DEFAULT_APP.scopes, 'users:read.email', 'im:write'];
  playground = await workspaceWithApp({ seed: withEveryKindOfPerson(DEFAULT_SEED), app: { scopes } });
});
afterAll(() => playground.close());

const read = async (method: string, args: Record<string, string> = {}) =>
  (await playground.callForm(method, args)).body;
const user = async (id: string) => (await read('users.info', { user: id })).user;

describe('users.info', () => {
  // https://docs.slack.dev/reference/objects/user-object
  it.each([
    ['a member', 'UJON00002', { is_restricted: false, is_ultra_restricted: false, is_bot: false, deleted: false }],
    ['a multi-channel guest', 'UGUEST005', { is_restricted: true, is_ultra_restricted: false }],
    ['a single-channel guest', 'ULUCA0007', { is_restricted: true, is_ultra_restricted: true }],
    ['a bot', 'UBUILDER9', { is_bot: true, is_restricted: false }],
    ['a deactivated person', 'UDORA0008', { deleted: true, profile: { real_name: 'Dora Lindqvist' } }],
    ['a stranger', 'USTRANGE6', { team_id: 'T0NORTHWND', is_restricted: false }],
    ['a stranger with an enterprise account', 'UINES0011', { enterprise_user: { id: 'W0INES0011' } }],
  ])('describes %s', async (_who, id, expected) => {
    expect(await user(id)).toMatchObject(expected);
  });

  it('leaves out most of what it says about active people', async () => {
    // https://github.com/brekkylab/backlot/issues/258
    expect(Object.keys((await user('UDORA0008')) as object).sort()).toEqual(
      ['deleted', 'id', 'is_app_user', 'is_bot', 'is_forgotten', 'name', 'profile', 'team_id', 'updated'].sort(),
    );
  });

  it('finds people by their enterprise id, too', async () => {
    expect(await user('W0INES0011')).toMatchObject({ id: 'UINES0011', team_id: 'T0CONTOSO1' });
  });

  it('says is_stranger, and no e-mail address, only of strangers who share no channel with the app', async () => {
    expect(await user('USTRANGE6')).toMatchObject({ is_stranger: false, profile: { email: 'sam@sandbox.example' } });
    playground.slack.admin.removeFromChannel('#partners', 'sam');
    expect(await user('USTRANGE6')).toMatchObject({ team_id: 'T0NORTHWND', is_stranger: true });
    expect(await user('USTRANGE6')).not.toHaveProperty('profile.email');
    playground.slack.admin.addToChannel('#partners', 'sam');
  });

  it('shows the same e-mail address for two accounts of one person', async () => {
    const profile = { email: 'maria@sandbox.example' };
    expect(await user('UMARIA001')).toMatchObject({ team_id: 'T0SANDBOX1', profile });
    expect(await user('UMARIAN10')).toMatchObject({ team_id: 'T0NORTHWND', profile });
  });
});

describe('users.lookupByEmail', () => {
  // https://docs.slack.dev/reference/methods/users.lookupByEmail
  it.each([
    ['a member', 'maria@sandbox.example', 'UMARIA001'],
    ['a member in other letters', 'Priya@Sandbox.Example', 'UPRIYA004'],
    ['a guest', 'gina@sandbox.example', 'UGUEST005'],
  ])('finds %s', async (_who, email, id) => {
    expect(await read('users.lookupByEmail', { email })).toMatchObject({ ok: true, user: { id, profile: {} } });
  });

  it.each([
    ['nobody', 'zoe@sandbox.example'],
    ['a deactivated person', 'dora@sandbox.example'],
    ['a stranger', 'sam@sandbox.example'],
    ['a bot', 'builder@sandbox.example'],
  ])('does not find %s', async (_who, email) => {
    expect(await read('users.lookupByEmail', { email })).toEqual({ ok: false, error: 'users_not_found' });
  });

  it('needs an address, its scope and a form', async () => {
    expect(await read('users.lookupByEmail')).toMatchObject({ error: 'invalid_arguments' });
    const json = await playground.call('users.lookupByEmail', { email: 'maria@sandbox.example' });
    expect(json.body).toMatchObject({ error: 'invalid_arguments' });
    const without = await workspaceWithApp();
    const { body } = await without.callForm('users.lookupByEmail', { email: 'maria@sandbox.example' });
    await without.close();
    expect(body).toMatchObject({ error: 'missing_scope', needed: 'users:read.email' });
  });
});

describe('a deactivated person', () => {
  it('is still listed, but can’t be written to, and is not notified', async () => {
    const { members } = await read('users.list');
    expect(members).toContainEqual(expect.objectContaining({ id: 'UDORA0008', deleted: true }));
    const posted = await playground.call('chat.postEphemeral', {
      channel: 'C0RELEASE2',
      user: 'UDORA0008',
      text: 'for you',
    });
    expect(posted.body).toMatchObject({ error: 'user_not_in_channel' });
    expect(await read('conversations.open', { users: 'UDORA0008' })).toMatchObject({ error: 'user_disabled' });
    const direct = (channel: string) => playground.call('chat.postMessage', { channel, text: 'hello' });
    expect((await direct('UDORA0008')).body).toMatchObject({ error: 'channel_not_found' });
    await playground.call('chat.postMessage', { channel: 'C0RELEASE2', text: '<@UDORA0008> <@UJON00002>' });
    expect(playground.slack.messages().at(-1)?.notifies).toEqual(['UJON00002']);
  });

  it('takes messages where a direct message was begun before, which nobody reads', async () => {
    // https://github.com/slackapi/python-slack-sdk/issues/1156
    const direct = async () => (await playground.call('chat.postMessage', { channel: 'UJON00002', text: 'hi' })).body;
    const { channel } = await direct();
    playground.slack.admin.deactivate('jon');
    expect(await direct()).toMatchObject({ ok: true, channel });
    playground.slack.admin.reactivate('jon');
  });

  it('can’t act, and can’t be chosen on the page', async () => {
    const dora = playground.slack.as('dora');
    expect((await dora.snapshot()).channels).toEqual([]);
    const { pageUrl } = playground.slack;
    const body = JSON.stringify({ type: 'send', channel: 'C0RELEASE2', text: 'hello' });
    const acted = await fetch(`${pageUrl}api/act?as=${dora.id}`, { method: 'POST', body });
    expect(await acted.json()).toMatchObject({ ok: false, problem: { code: 'deactivated' } });
    const answer = await fetch(`${pageUrl}api/members`);
    const { members } = (await answer.json()) as { members: { name: string }[] };
    expect(members.map(({ name }) => name)).toEqual([
      'maria',
      'jon',
      'aiko',
      'priya',
      'gina',
      'sam',
      'luca',
      'maria.northwind',
      'ines',
    ]);
  });
});
