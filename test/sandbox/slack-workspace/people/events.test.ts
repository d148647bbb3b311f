import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import type { Administration } from '../../../../src/sandbox/slack-workspace/people/administer.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const SUBSCRIBED = [
  ...['user_change', 'team_join', 'presence_change', 'manual_presence_change'],
  ...['member_joined_channel', 'member_left_channel', 'channel_left', 'group_left'],
  ...['channel_created', 'channel_rename', 'channel_archive', 'channel_unarchive'],
  ...['group_rename', 'group_archive', 'group_unarchive', 'channel_id_changed'],
  ...['subteam_created', 'subteam_updated', 'subteam_members_changed', 'subteam_self_added', 'subteam_self_removed'],
];
const TEAM = 'T0SANDBOX1';

let playground: Playground;
let nowMs = Date.UTC(2026, 10, 23);
/** Has none of the scopes. */
let deaf: Playground;
beforeAll(async () => {
  playground = await workspaceWithApp({ now: () => nowMs, rateLimits: 'off', app: { events: SUBSCRIBED } });
  deaf = await workspaceWithApp({ app: { events: SUBSCRIBED, scopes: ['chat:write', 'commands'] } });
});
afterAll(async () => {
  await playground.close();
  await deaf.close();
});
beforeEach(() => {
  playground.app.received.length = 0;
});

const told = (of = playground) => of.app.received.map(({ payload }) => objectAt(payload, 'event') ?? {});

/** The events about one change, in no order: they are delivered at once. */
async function eventsOf(change: () => void | Promise<void>, count: number): Promise<JsonObject[]> {
  nowMs += 1000;
  await change();
  await expect.poll(() => told().length).toBe(count);
  return told();
}

const seconds = () => Math.floor(nowMs / 1000);
const joined = (user: string, channel: string) => ({ type: 'member_joined_channel', user, channel, team: TEAM });
const left = (user: string, channel: string) => ({ type: 'member_left_channel', user, channel, team: TEAM });
const person = (id: string, more: object) => ({ type: 'user_change', user: { id, ...more } });

type Row = [string, (admin: Administration) => void, object[]];

describe('an app that subscribed is told', () => {
  // Each as the page of its event in https://docs.slack.dev/reference/events says.
  it.each<Row>([
    [
      'of a private channel whose sharing begins',
      (admin) => {
        admin.createChannel('alliance', 'private');
        admin.addToChannel('alliance', 'U0SIGNOFF1');
        admin.shareChannel('alliance');
      },
      [
        joined('U0SIGNOFF1', expect.any(String)),
        { type: 'channel_id_changed', old_channel_id: expect.any(String), new_channel_id: expect.any(String) },
      ],
    ],
    [
      'of a time zone',
      (admin) => admin.changeTimeZone('jon', 'Asia/Tokyo'),
      [person('UJON00002', { tz: 'Asia/Tokyo', tz_offset: 32_400 })],
    ],
    ['of a language', (admin) => admin.changeLocale('jon', 'de-DE'), [person('UJON00002', { locale: 'de-DE' })]],
    ['of a role', (admin) => admin.changeRole('jon', 'admin'), [person('UJON00002', { is_admin: true })]],
    ['of nothing that stays as it is', (admin) => admin.changeRole('jon', 'admin'), []],
    ['of no presence', (admin) => admin.changePresence('jon', 'away'), []],
    [
      'who joins a channel that it is in',
      (admin) => admin.addToChannel('incidents', 'priya'),
      [{ ...joined('UPRIYA004', 'C0INCIDNT3'), inviter: 'UMARIA001', channel_type: 'C' }],
    ],
    ['who leaves it', (admin) => admin.removeFromChannel('incidents', 'priya'), [left('UPRIYA004', 'C0INCIDNT3')]],
    ['nothing of other channels', (admin) => admin.removeFromChannel('random', 'priya'), []],
    [
      'of somebody from another organisation by their team',
      (admin) => admin.removeFromChannel('partners', 'sam'),
      [{ ...left('USTRANGE6', 'C0PARTNER4'), team: 'T0NORTHWND' }],
    ],
    [
      'that it was removed itself',
      (admin) => admin.removeFromChannel('incidents', 'signoff'),
      [{ type: 'group_left', channel: 'C0INCIDNT3', actor_id: 'UMARIA001' }],
    ],
    [
      'that it was added itself',
      (admin) => admin.addToChannel('incidents', 'signoff'),
      [joined('U0SIGNOFF1', 'C0INCIDNT3')],
    ],
    [
      'of a new public channel',
      (admin) => admin.createChannel('plans', 'public'),
      [{ type: 'channel_created', channel: { name: 'plans', creator: 'UMARIA001', is_channel: true } }],
    ],
    ['of no new private one', (admin) => admin.createChannel('secrets', 'private'), []],
    [
      'of its new name',
      (admin) => admin.renameChannel('plans', 'plans-2027'),
      [{ type: 'channel_rename', channel: { name: 'plans-2027' } }],
    ],
    ['of its end', (admin) => admin.archiveChannel('plans-2027'), [{ type: 'channel_archive', user: 'UMARIA001' }]],
    [
      'of its return',
      (admin) => admin.unarchiveChannel('plans-2027'),
      [{ type: 'channel_unarchive', user: 'UMARIA001' }],
    ],
    [
      'of a private channel that it is in',
      (admin) => admin.archiveChannel('incidents'),
      [{ type: 'group_archive', channel: 'C0INCIDNT3', is_moved: 0 }],
    ],
    [
      'of the return of that',
      (admin) => admin.unarchiveChannel('incidents'),
      [{ type: 'group_unarchive', actor_id: 'UMARIA001' }],
    ],
    ['of none that it isn’t in', (admin) => admin.renameChannel('leadership', 'heads'), []],
    [
      'of a new group',
      (admin) => admin.createGroup({ name: 'Leads', handle: 'leads', members: ['jon'] }),
      [
        {
          type: 'subteam_created',
          subteam: { handle: 'leads', users: ['UJON00002'], user_count: 1, created_by: 'UMARIA001' },
        },
      ],
    ],
    [
      'of its new handle',
      (admin) => admin.changeGroup('leads', { handle: 'heads-of' }),
      [{ type: 'subteam_updated', subteam: { handle: 'heads-of', is_subteam: true } }],
    ],
    [
      'that it was disabled',
      (admin) => admin.disableGroup('heads-of'),
      [{ type: 'subteam_updated', subteam: { date_delete: expect.any(Number), deleted_by: 'UMARIA001' } }],
    ],
    [
      'that it was enabled',
      (admin) => admin.enableGroup('heads-of'),
      [{ type: 'subteam_updated', subteam: { date_delete: 0, deleted_by: null } }],
    ],
    [
      'that it is in a group itself',
      (admin) => admin.setGroupMembers('heads-of', ['jon', 'signoff']),
      [
        { type: 'subteam_updated' },
        { type: 'subteam_members_changed' },
        { type: 'subteam_self_added', subteam_id: expect.stringMatching(/^S/) },
      ],
    ],
    [
      'that it isn’t any more',
      (admin) => admin.setGroupMembers('heads-of', ['jon']),
      [{ type: 'subteam_updated' }, { type: 'subteam_members_changed' }, { type: 'subteam_self_removed' }],
    ],
  ])('%s', async (_what, change, expected) => {
    const events = await eventsOf(() => change(playground.slack.admin), expected.length);
    for (const event of expected) expect(events).toContainEqual(expect.objectContaining(matching(event)));
    // What comes late would come to the next row.
    expect(events.every(({ event_ts }) => typeof event_ts === 'string')).toBe(true);
  });

  it('who came into a group, who left it, and when', async () => {
    // https://docs.slack.dev/reference/events/subteam_members_changed
    const { admin } = playground.slack;
    await eventsOf(() => admin.setGroupMembers('legal', ['priya', 'maria']), 2);
    const before = seconds();
    playground.app.received.length = 0;
    const events = await eventsOf(() => admin.setGroupMembers('legal', ['priya', 'aiko']), 2);
    expect(events.find(({ type }) => type === 'subteam_members_changed')).toEqual({
      type: 'subteam_members_changed',
      subteam_id: 'SLEGAL002',
      team_id: TEAM,
      date_previous_update: before,
      date_update: seconds(),
      added_users: ['UAIKO0003'],
      added_users_count: 1,
      removed_users: ['UMARIA001'],
      removed_users_count: 1,
      event_ts: expect.any(String),
    });
  });

  it('of people who join a group, a channel or the workspace, or change themselves', async () => {
    // https://docs.slack.dev/reference/events/team_join
    const events = await eventsOf(async () => {
      await playground.slack.as('aiko').join('#partners');
      playground.slack.admin.invite({ name: 'zoe', realName: 'Zoe Kern', channels: ['releases'] });
    }, 4);
    const zoe = playground.slack.as('zoe').id;
    for (const event of [
      joined('UAIKO0003', 'C0PARTNER4'),
      { type: 'team_join', user: expect.objectContaining({ id: zoe, real_name: 'Zoe Kern', deleted: false }) },
      joined(zoe, 'C0GENERAL1'),
      { ...joined(zoe, 'C0RELEASE2'), inviter: 'UMARIA001' },
    ])
      expect(events).toContainEqual(expect.objectContaining(event));
  });

  it('of a deactivated person what they left, and that they are gone; of their return', async () => {
    // https://slack.com/help/articles/204475027-Deactivate-a-members-account
    const { admin } = playground.slack;
    const priya = playground.slack.as('priya').id;
    const events = await eventsOf(() => admin.deactivate('priya'), 5);
    for (const event of [
      left(priya, 'C0GENERAL1'),
      { type: 'subteam_members_changed', subteam_id: 'SLEGAL002', removed_users: [priya] },
      { type: 'user_change', user: expect.objectContaining({ id: priya, deleted: true, updated: seconds() }) },
    ])
      expect(events).toContainEqual(expect.objectContaining(event));
    playground.app.received.length = 0;
    const back = await eventsOf(() => admin.reactivate('priya'), 1);
    expect(back).toMatchObject([{ type: 'user_change', user: { id: priya, deleted: false } }]);
  });
});

it('an app without the scopes is told nothing of all this, except where none is needed', async () => {
  // https://docs.slack.dev/reference/events/group_archive
  const { admin } = deaf.slack;
  admin.deactivate('aiko');
  admin.createGroup({ name: 'Leads', handle: 'leads' });
  admin.createChannel('plans', 'public');
  admin.archiveChannel('plans');
  admin.removeFromChannel('releases', 'jon');
  admin.archiveChannel('incidents');
  await expect.poll(() => told(deaf)).toMatchObject([{ type: 'group_archive' }]);
});

/** Objects within the event may have more fields than these, too. */
function matching(event: object): object {
  const fields = Object.entries(event).map(([name, value]) => {
    const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return [name, isPlain ? expect.objectContaining(value) : value];
  });
  return Object.fromEntries(fields);
}
