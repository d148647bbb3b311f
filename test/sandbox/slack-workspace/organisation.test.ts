import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { asOrganisation, DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { actions, button, section } from './support/blocks.ts';
import { type Playground, workspaceWithApp } from './support/scripted-app.ts';

const [ORG, SANDBOX, LABS] = ['E0SANDBOX1', 'T0SANDBOX1', 'T0LABS0002'];

let playground: Playground;
beforeAll(async () => {
  const events = [...DEFAULT_APP.events, 'member_joined_channel', 'team_access_granted', 'team_access_revoked'];
  playground = await workspaceWithApp({
    seed: asOrganisation(DEFAULT_SEED),
    app: { events, isOrgReady: true },
    rateLimits: 'off',
  });
});
afterAll(() => playground.close());
beforeEach(() => {
  playground.app.received.length = 0;
});

const read = async (method: string, args: Record<string, string> = {}) =>
  (await playground.callForm(method, args)).body;
const names = (listed: unknown) => (listed as { name: string }[]).map(({ name }) => name);
const user = async (id: string) => (await read('users.info', { user: id })).user;
const received = () => expect.poll(() => playground.app.received.at(-1)?.payload);

it('takes only an app that is ready for organisations', async () => {
  const seed = asOrganisation(DEFAULT_SEED);
  await expect(startSlackWorkspace({ seed, app: { isOrgReady: false } })).rejects.toThrow('org_deploy_enabled');
});

it('names the organisation, and lists the workspaces that the app was added to', async () => {
  expect(await read('auth.test')).toMatchObject({ team_id: ORG, enterprise_id: ORG, is_enterprise_install: true });
  expect((await read('auth.teams.list')).teams).toEqual([
    { id: SANDBOX, name: 'Sandbox' },
    { id: LABS, name: 'Labs' },
  ]);
});

it.each(['conversations.list', 'users.conversations', 'users.list', 'usergroups.list', 'bots.info'])(
  '%s needs to be told of which workspace',
  async (method) => {
    const args = { bot: DEFAULT_APP.botId };
    expect(await read(method, args)).toEqual({ ok: false, error: 'missing_argument', arg: 'team_id' });
    expect(await read(method, { ...args, team_id: 'T0ELSEWHERE' })).toMatchObject({ error: 'team_access_not_granted' });
    expect(await read(method, { ...args, team_id: LABS })).toMatchObject({ ok: true });
  },
);

it('lists the channels, groups and people of one workspace at a time', async () => {
  const labs = { team_id: LABS };
  expect(names((await read('conversations.list', labs)).channels)).toEqual(['labs', 'joint']);
  expect(names((await read('usergroups.list', labs)).usergroups)).toEqual(['Lab leads']);
  expect(names((await read('users.list', labs)).members)).toEqual(['maria', 'aiko', 'priya', 'signoff', 'slackbot']);
  expect(names((await read('usergroups.list', { team_id: SANDBOX })).usergroups)).toEqual([
    'Release managers',
    'Legal',
  ]);
});

it('says of a channel which workspaces share it', async () => {
  expect((await read('conversations.info', { channel: 'C0JOINT009' })).channel).toMatchObject({
    ...{ is_shared: true, is_org_shared: true, is_ext_shared: false, shared_team_ids: [SANDBOX, LABS] },
  });
  expect((await read('conversations.info', { channel: 'C0LABS0008' })).channel).toMatchObject({
    ...{ is_shared: false, is_org_shared: false, context_team_id: LABS },
  });
});

it('describes people by their workspaces in the organisation, without team_id', async () => {
  const priya = await user('UPRIYA004');
  expect(priya).toMatchObject({ enterprise_user: { enterprise_id: ORG, teams: [LABS, SANDBOX] } });
  expect(priya).not.toHaveProperty('team_id');
  const sam = await user('USTRANGE6');
  expect(sam).toMatchObject({ team_id: 'T0NORTHWND' });
  expect(sam).not.toHaveProperty('enterprise_user');
  expect(sam).not.toHaveProperty('deleted');
});

it('shows public channels to the people of their workspaces', async () => {
  const channelsOf = async (name: string) => names((await playground.slack.as(name).snapshot()).channels);
  expect(await channelsOf('jon')).not.toContain('labs');
  expect(await channelsOf('aiko')).not.toContain('general');
  expect(await channelsOf('maria')).toEqual(expect.arrayContaining(['general', 'labs', 'joint']));
});

it('says of a command in which workspace it was typed, the home workspace by default', async () => {
  const maria = playground.slack.as('maria');
  const enterprise = { enterprise_id: ORG, is_enterprise_install: 'true' };
  await maria.command('#joint', '/kickoff');
  await received().toMatchObject({ ...enterprise, team_id: SANDBOX });
  await maria.command('#joint', '/kickoff', '', { in: 'Labs' });
  await received().toMatchObject({ ...enterprise, team_id: LABS, team_domain: 'labs' });
  await expect(maria.command('#labs', '/kickoff', '', { in: 'Sandbox' })).rejects.toThrow('no_such_command');
});

it('says of a click only where the person is at home', async () => {
  const blocks = [section('Well?'), actions(button('Go'))];
  await playground.call('chat.postMessage', { channel: 'C0JOINT009', text: 'Well?', blocks });
  await playground.slack.as('aiko').click('Go', { in: await playground.slack.as('aiko').sees('#joint', 'Well?') });
  await received().toMatchObject({ enterprise: { id: ORG }, is_enterprise_install: true, user: { team_id: LABS } });
  // https://github.com/slackapi/deno-slack-sdk/issues/267
  await received().toHaveProperty('team', null);
});

it('authorises events for the organisation', async () => {
  playground.slack.admin.addToChannel('#joint', 'gina');
  const authorizations = [expect.objectContaining({ enterprise_id: ORG, team_id: null, is_enterprise_install: true })];
  await received().toMatchObject({ team_id: SANDBOX, context_enterprise_id: ORG, authorizations });
});

it('keeps the app out of a workspace that it was not added to', async () => {
  const { slack } = playground;
  slack.admin.setAccess('Labs', 'revoked');
  await received().toMatchObject({ event: { type: 'team_access_revoked', team_ids: [LABS] } });
  const refused = { ok: false, error: 'team_access_not_granted' };
  expect(await read('conversations.info', { channel: 'C0LABS0008' })).toEqual(refused);
  expect(await read('chat.postMessage', { channel: 'C0LABS0008', text: 'Hello' })).toEqual(refused);
  expect(await read('chat.postMessage', { channel: 'UAIKO0003', text: 'Hello' })).toEqual(refused);
  expect(await read('chat.postMessage', { channel: 'C0JOINT009', text: 'Hello' })).toMatchObject({ ok: true });
  expect(await read('views.open', { team_id: LABS })).toEqual(refused);
  expect((await read('auth.teams.list')).teams).toEqual([{ id: SANDBOX, name: 'Sandbox' }]);
  await expect(slack.as('aiko').command('#labs', '/kickoff')).rejects.toThrow('no_such_command');
  slack.admin.setAccess('Labs', 'granted');
  await received().toMatchObject({ event: { type: 'team_access_granted', team_ids: [LABS] } });
  expect(await read('conversations.info', { channel: 'C0LABS0008' })).toMatchObject({ ok: true });
});
