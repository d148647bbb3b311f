import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Administration } from '../../../../src/sandbox/slack-workspace/people/administer.ts';
import { modal, plain, section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ admin: true });
});
afterEach(() => playground.close());

const read = async (method: string, args: Record<string, string> = {}) =>
  (await playground.callForm(method, args)).body;
const send = (method: string, path: string, body?: object) =>
  fetch(`${playground.slack.pageUrl}_sandbox/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

const PIE = { type: 'pie', segments: [{ label: 'Approved', value: 3 }] };

type Admin = { [change in keyof Administration]: (...args: Parameters<Administration[change]>) => Promise<void> };

const inProcess = (): Admin => {
  const changes = Object.entries<(...args: never[]) => void>({ ...playground.slack.admin });
  return Object.fromEntries(
    changes.map(([name, change]) => [name, async (...args: never[]) => change(...args)]),
  ) as Admin;
};

const overHttp = (): Admin => {
  const done = async (method: string, path: string, body?: object) => {
    const response = await send(method, path, body);
    if (!response.ok) throw new Error(await response.text());
  };
  const named = (name: string) => encodeURIComponent(name);
  return {
    invite: (invited) => done('POST', 'people', invited),
    changeRole: (person, role) => done('PUT', `people/${named(person)}`, { role }),
    changePresence: (person, presence) => done('PUT', `people/${named(person)}`, { presence }),
    createGroup: (group) => done('POST', 'groups', group),
    changeGroup: (group, changed) => done('PUT', `groups/${named(group)}`, changed),
    createChannel: (name, kind) => done('POST', 'channels', { name, isPrivate: kind === 'private' }),
    renameChannel: (channel, name) => done('PUT', `channels/${named(channel)}`, { name }),
    shareChannel: (channel) => done('PUT', `channels/${named(channel)}`, { isShared: true }),
    archiveChannel: (channel) => done('PUT', `channels/${named(channel)}`, { isArchived: true }),
    unarchiveChannel: (channel) => done('PUT', `channels/${named(channel)}`, { isArchived: false }),
    setGroupMembers: (group, members) => done('PUT', `groups/${named(group)}`, { members }),
    disableGroup: (group) => done('PUT', `groups/${named(group)}`, { isDisabled: true }),
    enableGroup: (group) => done('PUT', `groups/${named(group)}`, { isDisabled: false }),
    addToChannel: (channel, person) => done('PUT', `channels/${named(channel)}/members/${named(person)}`),
    removeFromChannel: (channel, person) => done('DELETE', `channels/${named(channel)}/members/${named(person)}`),
    deactivate: (person) => done('PUT', `people/${named(person)}`, { isDeactivated: true }),
    reactivate: (person) => done('PUT', `people/${named(person)}`, { isDeactivated: false }),
    changeKind: (person, kind) => done('PUT', `people/${named(person)}`, { kind }),
    changeLocale: (person, locale) => done('PUT', `people/${named(person)}`, { locale }),
    changeTimeZone: (person, timeZone) => done('PUT', `people/${named(person)}`, { timeZone }),
    setMissingBlocks: (missingBlocks) => done('PUT', 'features', { missingBlocks }),
    setEditWindow: (editWindowMs) => done('PUT', 'features', { editWindowMs }),
    setAccess: (workspace, access) => done('PUT', `workspaces/${named(workspace)}`, { access }),
    setBotToken: (botToken) => done('PUT', 'features', { botToken }),
  };
};

describe.each([
  ['in this process', inProcess],
  ['over HTTP', overHttp],
])('an admin %s', (_where, adminOf) => {
  it('changes who is in a group', async () => {
    await adminOf().setGroupMembers('@release-managers', ['jon', 'UPRIYA004']);
    expect((await read('usergroups.users.list', { usergroup: 'SRELEASE1' })).users).toEqual(['UJON00002', 'UPRIYA004']);
    await adminOf().setGroupMembers('SRELEASE1', []);
    expect((await read('usergroups.users.list', { usergroup: 'SRELEASE1' })).users).toEqual([]);
  });

  it('disables a group, which is left out unless asked for, mentions nobody, and comes back whole', async () => {
    // https://docs.slack.dev/reference/methods/usergroups.users.list
    const members = (more = {}) => read('usergroups.users.list', { usergroup: 'SLEGAL002', ...more });
    const ids = async (more = {}) => {
      const { usergroups } = await read('usergroups.list', more);
      return (usergroups as { id: string; date_delete: number }[]).map(({ id, date_delete }) => [id, date_delete > 0]);
    };
    await adminOf().disableGroup('legal');
    expect(await members()).toEqual({ ok: false, error: 'no_such_subteam' });
    expect(await members({ include_disabled: 'true' })).toEqual({ ok: true, users: ['UPRIYA004'] });
    expect(await ids()).toEqual([['SRELEASE1', false]]);
    expect(await ids({ include_disabled: '1' })).toEqual([
      ['SRELEASE1', false],
      ['SLEGAL002', true],
    ]);
    await playground.call('chat.postMessage', { channel: 'C0GENERAL1', text: '<!subteam^SLEGAL002>' });
    expect(playground.slack.messages().at(-1)?.notifies).toEqual([]);
    await adminOf().enableGroup('legal');
    expect(await members()).toEqual({ ok: true, users: ['UPRIYA004'] });
    expect(await ids()).toContainEqual(['SLEGAL002', false]);
  });

  it('changes who is in a channel', async () => {
    const members = async () => (await read('conversations.members', { channel: 'C0INCIDNT3' })).members;
    await adminOf().addToChannel('#incidents', 'aiko');
    expect(await members()).toEqual(['UMARIA001', 'UJON00002', 'U0SIGNOFF1', 'UAIKO0003']);
    await adminOf().removeFromChannel('incidents', 'maria');
    expect(await members()).toEqual(['UJON00002', 'U0SIGNOFF1', 'UAIKO0003']);
    await expect(playground.slack.as('maria').say('#incidents', 'hello')).rejects.toThrow('can’t see #incidents');
  });

  it('shares a private channel, which has another id from then on, with all that is in it', async () => {
    // https://docs.slack.dev/reference/events/channel_id_changed
    const { ts } = (await playground.call('chat.postMessage', { channel: 'C0INCIDNT3', text: 'before' })).body;
    await adminOf().shareChannel('incidents');
    expect(await read('conversations.info', { channel: 'C0INCIDNT3' })).toMatchObject({ error: 'channel_not_found' });
    const { id: channel = '' } = (await playground.slack.as('jon').snapshot()).channels.find(
      ({ name }) => name === 'incidents',
    ) ?? { id: '' };
    expect(await read('conversations.info', { channel })).toMatchObject({ channel: { is_ext_shared: true } });
    expect((await playground.call('chat.update', { channel, ts: ts ?? '', text: 'after' })).body).toMatchObject({
      ok: true,
    });
    await playground.slack.as('jon').sees('#incidents', 'after');
  });

  it('deactivates a person, who leaves all channels and groups, and reactivates them there no more', async () => {
    // https://slack.com/help/articles/204475027-Deactivate-a-members-account
    // https://slack.com/help/articles/360002061747-Reactivate-a-members-account
    const aiko = playground.slack.as('aiko');
    playground.app.reply = async ({ payload }) => {
      const view = modal([section('Still open')]);
      if (payload.command) await playground.call('views.open', { trigger_id: payload.trigger_id ?? '', view });
      return {};
    };
    await aiko.command('#releases', '/kickoff');
    await aiko.seesModal('Still open');
    playground.app.reply = () => ({});
    await aiko.command('#releases', '/kickoff');
    const { trigger_id = '' } = playground.app.received.at(-1)?.payload ?? {};
    await adminOf().deactivate('aiko');
    const isIn = async () => [
      (await read('usergroups.users.list', { usergroup: 'SRELEASE1' })).users,
      (await read('conversations.members', { channel: 'C0RELEASE2' })).members,
      ((await read('users.conversations', { user: 'UAIKO0003' })).channels as object[]).length,
    ];
    const without = [['UMARIA001'], ['UMARIA001', 'UJON00002', 'UGUEST005', 'U0SIGNOFF1'], 0];
    expect(await isIn()).toEqual(without);
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ deleted: true });
    expect(await aiko.snapshot()).toMatchObject({ channels: [], modals: [], me: { isDeactivated: true } });
    await expect(aiko.openHome()).rejects.toMatchObject({ problem: { code: 'deactivated' } });
    await playground.call('views.open', { trigger_id, view: modal([section('Too late')]) });
    await adminOf().reactivate('aiko');
    expect((await aiko.snapshot()).modals).toEqual([]);
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ deleted: false, is_admin: true });
    expect(await isIn()).toEqual(without);
    await aiko.join('#releases');
    await aiko.say('#releases', 'hello');
  });

  it('makes a person a guest, who sees only their channels, and a member again', async () => {
    const aiko = playground.slack.as('aiko');
    const sees = async () => (await aiko.snapshot()).channels.map(({ name }) => name);
    expect(await sees()).toContain('partners');
    const user = async () => (await read('users.info', { user: 'UAIKO0003' })).user;
    await adminOf().changeKind('aiko', 'guest');
    expect(await user()).toMatchObject({ is_restricted: true, is_ultra_restricted: false, is_admin: false });
    expect(await sees()).toEqual(['general', 'releases', 'random', 'launch-2025']);
    // https://slack.com/help/articles/212906697-Create-a-user-group
    expect((await read('usergroups.users.list', { usergroup: 'SRELEASE1' })).users).toEqual(['UMARIA001']);
    await adminOf().changeKind('aiko', 'channel-guest');
    expect(await user()).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
    // https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack
    expect(await sees()).toEqual(['general']);
    await adminOf().changeKind('aiko', 'member');
    expect(await user()).toMatchObject({ is_restricted: false });
    expect(await sees()).toContain('partners');
  });

  it('changes the presence, the time zone and the language of a person, which the app has to ask for', async () => {
    const languageOf = async (args: object) =>
      ((await read('users.info', { user: 'UAIKO0003', ...args })).user as { locale?: string }).locale;
    await adminOf().changeLocale('aiko', 'de-DE');
    expect(await languageOf({ include_locale: 'true' })).toBe('de-DE');
    expect(await languageOf({})).toBeUndefined();
    await expect(adminOf().changeLocale('aiko', 'not a locale')).rejects.toThrow(/locale/i);
    await adminOf().changeTimeZone('aiko', 'Asia/Kolkata');
    await adminOf().changePresence('aiko', 'away');
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({
      tz: 'Asia/Kolkata',
      tz_offset: 19_800,
    });
    expect(await read('users.getPresence', { user: 'UAIKO0003' })).toMatchObject({ presence: 'away' });
    await adminOf().changePresence('aiko', 'auto');
    expect(await read('users.getPresence', { user: 'UAIKO0003' })).toMatchObject({ presence: 'active' });
  });

  it('ends the time in which messages can be edited', async () => {
    const { ts } = await read('chat.postMessage', { channel: 'C0RELEASE2', text: 'one' });
    const edit = () => read('chat.update', { channel: 'C0RELEASE2', ts: String(ts), text: 'two' });
    await adminOf().setEditWindow(0);
    await new Promise((passed) => setTimeout(passed, 2));
    expect(await edit()).toEqual({ ok: false, error: 'edit_window_closed' });
    await adminOf().setEditWindow(null);
    expect(await edit()).toMatchObject({ ok: true });
  });

  it('revokes the bot token, and gives it back', async () => {
    for (const error of ['token_revoked', 'account_inactive'] as const) {
      await adminOf().setBotToken(error);
      expect(await read('auth.test')).toEqual({ ok: false, error });
    }
    await adminOf().setBotToken('valid');
    expect(await read('auth.test')).toMatchObject({ ok: true });
  });

  it.each([
    ['data_visualization', { title: 'Decisions', chart: PIE }, 'Decisions\nApproved: Value 3'],
    ['container', { title: plain('Whole text'), child_blocks: [section('Three tasks')] }, 'Whole text\nThree tasks'],
  ] as const)('takes %s blocks away, and gives them back', async (type, fields, shows) => {
    const blocks = [{ type, ...fields }];
    const post = () =>
      read('chat.postMessage', { channel: 'C0GENERAL1', text: 'Decisions', blocks: JSON.stringify(blocks) });
    const publish = () =>
      read('views.publish', { user_id: 'UMARIA001', view: JSON.stringify({ type: 'home', blocks }) });
    await adminOf().setMissingBlocks([type]);
    expect(await post()).toMatchObject({
      error: 'invalid_blocks',
      errors: [`unsupported type: ${type} [json-pointer:/blocks/0/type]`],
    });
    expect(await publish()).toMatchObject({
      error: 'invalid_arguments',
      errors: [`unsupported type: ${type} [json-pointer:/view/blocks/0/type]`],
    });
    await adminOf().setMissingBlocks([]);
    expect(await post()).toMatchObject({ ok: true });
    expect(await publish()).toMatchObject({ ok: true });
    await playground.slack.as('maria').sees('#general', shows);
  });

  it('makes members admins and owners, but there is one primary owner', async () => {
    // https://slack.com/help/articles/360018112273-Types-of-roles-in-Slack
    const user = async (id: string) => (await read('users.info', { user: id })).user;
    await adminOf().changeRole('jon', 'owner');
    expect(await user('UJON00002')).toMatchObject({ is_admin: true, is_owner: true, is_primary_owner: false });
    await adminOf().changeRole('jon', 'admin');
    expect(await user('UJON00002')).toMatchObject({ is_admin: true, is_owner: false });
    await adminOf().changeRole('jon', 'member');
    expect(await user('UJON00002')).toMatchObject({ is_admin: false });
    for (const change of [adminOf().changeRole('maria', 'member'), adminOf().deactivate('maria')])
      await expect(change).rejects.toThrow('Maria Alvarez is the primary owner, and stays it.');
    await expect(adminOf().changeRole('gina', 'admin')).rejects.toThrow('Only members can be admins or owners.');
  });

  it('invites people, guests to the channels that they are for', async () => {
    const channelsOf = async (name: string) => {
      const { id } = playground.slack.as(name);
      const { channels } = await read('users.conversations', { user: id });
      return (channels as { name: string }[]).map((channel) => channel.name);
    };
    await adminOf().invite({ name: 'zoe', realName: 'Zoe Kern' });
    await adminOf().invite({ name: 'ben', realName: 'Ben Ito', account: 'guest', channels: ['releases', 'random'] });
    await adminOf().invite({ name: 'eva', realName: 'Eva Roth', account: 'channel-guest', channels: ['releases'] });
    expect([await channelsOf('zoe'), await channelsOf('ben'), await channelsOf('eva')]).toEqual([
      ['general'],
      ['releases', 'random'],
      ['releases'],
    ]);
    await playground.slack.as('eva').say('#releases', 'hello');
    // https://docs.slack.dev/reference/methods/conversations.invite#errors (ura_max_channels)
    await expect(adminOf().addToChannel('random', 'eva')).rejects.toThrow('is a guest in one channel');
    for (const name of ['jon', 'releases', 'legal'])
      await expect(adminOf().invite({ name, realName: 'Another one' })).rejects.toThrow(
        `@${name} is taken by a person, a channel or a group.`,
      );
    const nowhere = adminOf().invite({ name: 'max', realName: 'Max', account: 'channel-guest' });
    await expect(nowhere).rejects.toThrow('This guest needs one channel.');
  });

  it('creates and renames groups, whose handles nothing else has', async () => {
    const groups = async () => (await read('usergroups.list', { include_count: 'true' })).usergroups;
    await adminOf().createGroup({ name: 'Leads', handle: 'leads', members: ['aiko', 'jon'] });
    expect(await groups()).toContainEqual(
      expect.objectContaining({ name: 'Leads', handle: 'leads', user_count: 2, created_by: 'UMARIA001' }),
    );
    await adminOf().changeGroup('leads', { name: 'Team leads', handle: 'team-leads' });
    expect(await groups()).toContainEqual(expect.objectContaining({ name: 'Team leads', handle: 'team-leads' }));
    await playground.slack.as('maria').say('#general', 'Ask @team-leads');
    expect(playground.slack.messages().at(-1)?.notifies).toEqual(['UAIKO0003', 'UJON00002']);
    // https://docs.slack.dev/reference/methods/usergroups.create
    for (const handle of ['legal', 'jon', 'releases'])
      await expect(adminOf().changeGroup('team-leads', { handle })).rejects.toThrow(`@${handle} is taken`);
    await expect(adminOf().createGroup({ name: 'Legal', handle: 'law' })).rejects.toThrow('called “Legal” already');
    await expect(adminOf().changeGroup('legal', { handle: 'The Law' })).rejects.toThrow('A handle has lower-case');
    // https://slack.com/help/articles/212906697-Create-a-user-group
    for (const [person, reason] of [
      ['gina', 'guests can’t be in groups'],
      ['sam', 'from another organisation'],
    ] as const)
      await expect(adminOf().setGroupMembers('legal', ['priya', person])).rejects.toThrow(reason);
  });

  it('creates, renames and archives channels', async () => {
    const channel = async (name: string) => {
      const { channels } = await read('conversations.list', { types: 'public_channel,private_channel' });
      return (channels as { name: string }[]).find((one) => one.name === name);
    };
    await adminOf().createChannel('plans', 'public');
    await adminOf().renameChannel('plans', 'plans-2027');
    expect([await channel('plans'), await channel('plans-2027')]).toMatchObject([undefined, { is_archived: false }]);
    await adminOf().archiveChannel('plans-2027');
    expect(await channel('plans-2027')).toMatchObject({ is_archived: true });
    await expect(adminOf().addToChannel('plans-2027', 'jon')).rejects.toThrow('#plans-2027 is archived.');
    await adminOf().unarchiveChannel('plans-2027');
    expect(await channel('plans-2027')).toMatchObject({ is_archived: false });
    // https://docs.slack.dev/reference/methods/conversations.archive#errors
    await expect(adminOf().archiveChannel('general')).rejects.toThrow('You can’t archive #general.');
    await expect(adminOf().createChannel('Plans!', 'private')).rejects.toThrow('Channel names have lower-case letters');
    await expect(adminOf().renameChannel('plans-2027', 'random')).rejects.toThrow(
      'There is a channel #random already.',
    );
    await expect(adminOf().addToChannel('random', 'sam')).rejects.toThrow('isn’t shared');
  });

  it('is told what does not exist', async () => {
    await expect(adminOf().deactivate('zoe')).rejects.toThrow('no member zoe; members: maria, jon');
    await expect(adminOf().disableGroup('nobody')).rejects.toThrow('no group nobody; groups: release-managers, legal');
    await expect(adminOf().changeTimeZone('maria', 'Europe/Atlantis')).rejects.toThrow('no time zone Europe/Atlantis');
    await expect(adminOf().addToChannel('#nowhere', 'jon')).rejects.toThrow('no channel #nowhere');
    await expect(adminOf().changeKind('sam', 'member')).rejects.toThrow('sam is not a person of this workspace');
  });
});

it('knows no other changes over HTTP', async () => {
  for (const [method, path, body] of [
    ['PUT', 'people/maria', { kind: 'app' }],
    ['PUT', 'groups/legal', {}],
    ['PUT', 'people/maria', undefined],
    ['PUT', 'features', { missingBlocks: ['section'] }],
    ['POST', 'channels/general/members/maria', undefined],
    ['PUT', 'channels/general', {}],
    ['POST', 'people', { name: 'zoe' }],
    ['POST', 'groups', { name: 'Leads' }],
    ['PUT', 'people/maria', { presence: 'busy' }],
  ] as const)
    expect((await send(method, path, body)).status).toBe(404);
});
