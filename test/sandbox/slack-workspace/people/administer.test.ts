import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Administration } from '../../../../src/sandbox/slack-workspace/people/administer.ts';
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

type Admin = { [change in keyof Administration]: (...args: Parameters<Administration[change]>) => Promise<void> };

const inProcess = (): Admin => {
  const { admin } = playground.slack;
  return {
    setGroupMembers: async (...args) => admin.setGroupMembers(...args),
    disableGroup: async (...args) => admin.disableGroup(...args),
    enableGroup: async (...args) => admin.enableGroup(...args),
    addToChannel: async (...args) => admin.addToChannel(...args),
    removeFromChannel: async (...args) => admin.removeFromChannel(...args),
    deactivate: async (...args) => admin.deactivate(...args),
    reactivate: async (...args) => admin.reactivate(...args),
    changeKind: async (...args) => admin.changeKind(...args),
    changeLocale: async (...args) => admin.changeLocale(...args),
    changeTimeZone: async (...args) => admin.changeTimeZone(...args),
    setCharts: async (...args) => admin.setCharts(...args),
  };
};

const overHttp = (): Admin => {
  const done = async (method: string, path: string, body?: object) => {
    const response = await send(method, path, body);
    if (!response.ok) throw new Error(await response.text());
  };
  const named = (name: string) => encodeURIComponent(name);
  return {
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
    setCharts: (charts) => done('PUT', 'features', { charts }),
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

  it('deactivates a person, who stays in channels and groups, and reactivates them', async () => {
    await adminOf().deactivate('aiko');
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ deleted: true });
    expect((await read('usergroups.users.list', { usergroup: 'SRELEASE1' })).users).toContain('UAIKO0003');
    const aiko = playground.slack.as('aiko');
    await expect(aiko.say('#releases', 'hello')).rejects.toMatchObject({ problem: { code: 'deactivated' } });
    await adminOf().reactivate('aiko');
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ deleted: false });
    await aiko.say('#releases', 'hello');
  });

  it('makes a person a guest, who sees only their channels, and a member again', async () => {
    const aiko = playground.slack.as('aiko');
    const sees = async () => (await aiko.snapshot()).channels.map(({ name }) => name);
    expect(await sees()).toContain('partners');
    await adminOf().changeKind('aiko', 'channel-guest');
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ is_ultra_restricted: true });
    expect(await sees()).not.toContain('partners');
    await adminOf().changeKind('aiko', 'member');
    expect((await read('users.info', { user: 'UAIKO0003' })).user).toMatchObject({ is_restricted: false });
  });

  it('changes the language that a person has chosen, which the app has to ask for', async () => {
    const languageOf = async (args: object) =>
      ((await read('users.info', { user: 'UAIKO0003', ...args })).user as { locale?: string }).locale;
    await adminOf().changeLocale('aiko', 'de-DE');
    expect(await languageOf({ include_locale: 'true' })).toBe('de-DE');
    expect(await languageOf({})).toBeUndefined();
    await adminOf().changeLocale('aiko', 'en-US');
    expect(await languageOf({ include_locale: 'true' })).toBe('en-US');
  });

  it('changes the time zone of a person', async () => {
    const zone = async () => (await read('users.info', { user: 'UAIKO0003' })).user;
    await adminOf().changeTimeZone('aiko', 'Asia/Kolkata');
    expect(await zone()).toMatchObject({ tz: 'Asia/Kolkata', tz_offset: 19_800 });
    await adminOf().changeTimeZone('aiko', 'Asia/Tokyo');
    expect(await zone()).toMatchObject({ tz: 'Asia/Tokyo', tz_offset: 32_400 });
  });

  it('takes charts away, and gives them back', async () => {
    const chart = { type: 'pie', segments: [{ label: 'Approved', value: 3 }] };
    const post = async () => {
      const blocks = JSON.stringify([{ type: 'data_visualization', title: 'Decisions', chart }]);
      return read('chat.postMessage', { channel: 'C0GENERAL1', text: 'Decisions', blocks });
    };
    await adminOf().setCharts('off');
    expect(await post()).toMatchObject({
      error: 'invalid_blocks',
      errors: ['unsupported type: data_visualization [json-pointer:/blocks/0/type]'],
    });
    await adminOf().setCharts('on');
    expect(await post()).toMatchObject({ ok: true });
    await playground.slack.as('maria').sees('#general', 'Decisions\nApproved: Value 3');
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
    ['PUT', 'features', { charts: 'blue' }],
    ['POST', 'channels/general/members/maria', undefined],
    ['PUT', 'channels/general', {}],
  ] as const)
    expect((await send(method, path, body)).status).toBe(404);
});
