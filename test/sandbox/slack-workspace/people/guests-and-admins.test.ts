import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminChange } from '../../../../src/sandbox/slack-workspace/administration/change.ts';
import type { Person } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import type { ActionOutcome, PersonAction } from '../../../../src/sandbox/slack-workspace/person-actions.ts';
import type { AppSettings } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { DEFAULT_SEED, withEveryKindOfPerson } from '../../../../src/sandbox/slack-workspace/state/seed.ts';
import { input, modal } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const SHORTCUTS: AppSettings['shortcuts'] = [
  { type: 'global', callbackId: 'anywhere', name: 'Start a crew', description: '' },
];
const ROLES = 'https://slack.com/help/articles/201314026-Permissions-by-role-in-Slack';
const GUESTS = 'https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack';

let playground: Playground;
const as = (name: string): Person => playground.slack.as(name);
beforeAll(async () => {
  const seed = withEveryKindOfPerson(DEFAULT_SEED);
  const zoe = { id: 'UZOE00012', name: 'zoe', realName: 'Zoe Kern', role: 'owner' } as const;
  playground = await workspaceWithApp({
    seed: { ...seed, members: [...seed.members, zoe] },
    app: { shortcuts: SHORTCUTS },
  });
});
afterAll(() => playground.close());

/** Acts over HTTP, as the page does. */
async function act(name: string, action: PersonAction): Promise<ActionOutcome> {
  const url = `${playground.slack.pageUrl}api/act?as=${as(name).id}`;
  return (await (await fetch(url, { method: 'POST', body: JSON.stringify(action) })).json()) as ActionOutcome;
}

describe('a guest', () => {
  it.each([
    // https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack
    ['a multi-channel guest', 'gina', ['releases'], ['Start a crew']],
    ['a single-channel guest', 'luca', ['releases'], []],
    ['a person of another organisation', 'sam', ['partners'], []],
  ])('%s sees only their channels, and what they may use of the app', async (_who, name, channels, shortcuts) => {
    const seen = await as(name).snapshot();
    expect(seen.channels.map((channel) => channel.name)).toEqual(channels);
    expect(seen.app.shortcuts.map((shortcut) => shortcut.name)).toEqual(shortcuts);
    await expect(act(name, { type: 'join', channel: 'C0RANDOM05' })).resolves.toMatchObject({ ok: false });
  });

  it('uses slash commands, and shortcuts unless they are in one channel only', async () => {
    // https://slack.com/help/articles/201314026-Permissions-by-role-in-Slack, https://github.com/looker/lookerbot/issues/117
    await as('luca').command('#releases', '/kickoff');
    expect(playground.app.received.at(-1)?.payload).toMatchObject({ command: '/kickoff', user_id: 'ULUCA0007' });
    await as('gina').globalShortcut('Start a crew');
    expect(playground.app.received.at(-1)?.payload).toMatchObject({ type: 'shortcut', user: { id: 'UGUEST005' } });
    const shortcut = { type: 'global-shortcut', callbackId: 'anywhere' } as const;
    expect(await act('luca', shortcut)).toMatchObject({ ok: false, problem: { code: 'not_visible' } });
  });

  it('is offered the people of their channels in a modal, and no others', async () => {
    // https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack
    const blocks = [input('Hand over to', { type: 'users_select' }), input('Where', { type: 'conversations_select' })];
    playground.app.reply = async ({ payload }) => {
      if (payload.command === '/kickoff')
        await playground.call('views.open', { trigger_id: payload.trigger_id ?? '', view: modal(blocks) });
      return {};
    };
    const gina = as('gina');
    await gina.command('#releases', '/kickoff');
    await gina.seesModal('Hand over to');
    await gina.choose('Hand over to', 'Aiko Tanaka');
    await expect(gina.choose('Hand over to', 'Priya Nair')).rejects.toThrow('Priya Nair can’t be chosen');
    await expect(gina.choose('Where', '#general')).rejects.toThrow('#general can’t be chosen');
    const view = (await gina.modal())?.id ?? '';
    const place = { in: 'view', viewId: view } as const;
    const [blockId, actionId] = ['Hand over to', 'Hand over to'];
    const chosen = { kind: 'ids', ids: ['UPRIYA004'] } as const;
    const outcome = await act('gina', {
      ...{ type: 'use', place, blockId, actionId },
      input: { kind: chosen.kind, ids: [...chosen.ids] },
    });
    expect(outcome).toMatchObject({ ok: false, problem: { text: 'That can’t be chosen here.' } });
    await gina.closeModal();
    playground.app.reply = () => ({});
  });

  it('can’t mention groups', async () => {
    // https://slack.com/help/articles/212906697-Create-a-user-group
    expect((await as('gina').say('#releases', 'Ask @release-managers')).text).toBe('Ask @release-managers');
    expect((await as('jon').say('#releases', 'Ask @release-managers')).text).toBe('Ask <!subteam^SRELEASE1>');
  });
});

const invitation = {
  kind: 'invite',
  name: 'max',
  realName: 'Max Ode',
  account: 'guest',
  channels: ['C0RELEASE2'],
} as const;
const ADMINS = 'Only admins and owners of this workspace can do that.';
const OWNERS = 'Only owners of this workspace can do that.';
const HIGHER = 'Only somebody of a higher role can do that.';

describe('on the page', () => {
  it.each<[string, string, AdminChange, string]>([
    ['a member', 'jon', { kind: 'deactivate', person: 'UPRIYA004' }, ADMINS],
    ['a member', 'jon', { kind: 'change-account', person: 'UPRIYA004', account: 'guest' }, ADMINS],
    ['a member', 'jon', { ...invitation, channels: [...invitation.channels] }, ADMINS],
    ['a member', 'jon', { kind: 'create-group', name: 'Leads', handle: 'leads', members: [] }, ADMINS],
    ['a member', 'jon', { kind: 'disable-group', group: 'SLEGAL002' }, ADMINS],
    ['a member', 'jon', { kind: 'change-group', group: 'SLEGAL002', members: ['UPRIYA004', 'UJON00002'] }, ADMINS],
    ['a member', 'jon', { kind: 'rename-channel', channel: 'C0RELEASE2', name: 'ships' }, ADMINS],
    ['a member', 'jon', { kind: 'add-to-channel', channel: 'C0GENERAL1', person: 'UGUEST005' }, ADMINS],
    ['a member', 'jon', { kind: 'remove-from-channel', channel: 'C0RELEASE2', person: 'UAIKO0003' }, ADMINS],
    ['a member', 'jon', { kind: 'archive-channel', channel: 'C0SECRET06' }, 'There is no such channel.'],
    ['a guest', 'gina', { kind: 'archive-channel', channel: 'C0RELEASE2' }, 'Guests can’t do that.'],
    ['a guest', 'gina', { kind: 'create-channel', name: 'plans', isPrivate: false }, 'Guests can’t do that.'],
    ['an admin', 'aiko', { kind: 'change-role', person: 'UJON00002', role: 'admin' }, OWNERS],
    ['an admin', 'aiko', { kind: 'deactivate', person: 'UZOE00012' }, HIGHER],
    ['an owner', 'zoe', { kind: 'change-role', person: 'UJON00002', role: 'owner' }, OWNERS],
    ['an owner', 'zoe', { kind: 'deactivate', person: 'UMARIA001' }, HIGHER],
    ['the primary owner', 'maria', { kind: 'deactivate', person: 'UNOBODY' }, 'There is no such person.'],
    ['the primary owner', 'maria', { kind: 'enable-group', group: 'SNOBODY' }, 'There is no such group.'],
    [
      'the primary owner',
      'maria',
      { kind: 'change-role', person: 'UGUEST005', role: 'admin' },
      'Only members can be admins or owners.',
    ],
  ])(`%s, %s, may not %o (${ROLES})`, async (_role, name, change, text) => {
    expect(await act(name, { type: 'administer', change })).toEqual({
      ok: false,
      problem: { code: 'not_allowed', text, at: 'modal' },
    });
  });

  it.each<[string, AdminChange]>([
    ['jon', { kind: 'create-channel', name: 'jons-plans', isPrivate: false }],
    ['jon', { kind: 'add-to-channel', channel: 'C0GENERAL1', person: 'UBUILDER9' }],
    ['jon', { kind: 'remove-from-channel', channel: 'C0GENERAL1', person: 'UBUILDER9' }],
    ['gina', { kind: 'create-channel', name: 'ginas-plans', isPrivate: true }],
    ['aiko', { ...invitation, channels: [...invitation.channels] }],
    ['aiko', { kind: 'change-group', group: 'SLEGAL002', name: 'Law', handle: 'law' }],
    ['aiko', { kind: 'disable-group', group: 'SLEGAL002' }],
    ['aiko', { kind: 'deactivate', person: 'UPRIYA004' }],
    ['aiko', { kind: 'reactivate', person: 'UPRIYA004' }],
    ['zoe', { kind: 'change-role', person: 'UAIKO0003', role: 'member' }],
    ['zoe', { kind: 'change-account', person: 'UAIKO0003', account: 'channel-guest', channel: 'C0RELEASE2' }],
    ['maria', { kind: 'change-role', person: 'UJON00002', role: 'owner' }],
  ])(`%s may %o (${ROLES})`, async (name, change) => {
    expect(await act(name, { type: 'administer', change })).toEqual({ ok: true });
  });

  it(`a member who becomes a single-channel guest stays in the chosen channel (${GUESTS})`, async () => {
    expect((await as('aiko').snapshot()).channels.map(({ name }) => name)).toEqual(['releases']);
  });

  it('what is no change is refused', async () => {
    const url = `${playground.slack.pageUrl}api/act?as=UMARIA001`;
    for (const change of [{ kind: 'promote' }, { kind: 'deactivate' }, { kind: 'invite', name: 'x' }, 'deactivate']) {
      const body = JSON.stringify({ type: 'administer', change });
      expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
    }
  });

  it('people set themselves away, which all others see', async () => {
    // https://docs.slack.dev/apis/web-api/user-presence-and-status
    const jon = async () => (await as('maria').snapshot()).members.find(({ name }) => name === 'jon')?.isAway;
    expect(await act('jon', { type: 'set-presence', presence: 'away' })).toEqual({ ok: true });
    const { body } = await playground.callForm('users.getPresence', { user: 'UJON00002' });
    expect([await jon(), body.presence]).toEqual([true, 'away']);
    await act('jon', { type: 'set-presence', presence: 'auto' });
    expect(await jon()).toBeUndefined();
  });
});
