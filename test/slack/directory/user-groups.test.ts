import { afterAll, beforeAll, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/core/ports.ts';
import { createGroupChanges } from '../../../src/redis/group-changes.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { RateLimiter } from '../../../src/slack/api/rate-limiter.ts';
import { parseGroupEvent } from '../../../src/slack/directory/user-groups.ts';
import { redisForTests } from '../../redis/store-under-test.ts';
import { startAnsweringSlack } from './answering-slack.ts';
import { approver, asking } from './asking.ts';

const CHANNEL = 'C0RELEASE2';
const TEAMS = Array.from({ length: 25 }, (_, i) => ({ id: `STEAM${i}X`, handle: `team-${i}`, name: `Team ${i}` }));

const { redis, another } = redisForTests();
let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await startSlackWorkspace({
    seed: {
      ...DEFAULT_SEED,
      groups: [...DEFAULT_SEED.groups, ...TEAMS.map((team) => ({ ...team, memberIds: ['UJON00002'] }))],
    },
  });
});
afterAll(() => slack.close());

/** Two processes of the bot. */
const processes = () => [redis(), another()].map((each) => asking(slack, { changes: createGroupChanges(each) }));

const members = async ({ directory }: ReturnType<typeof asking>, name: string) => [
  ...((await directory.membersOf(approver(name), CHANNEL)) ?? ['unknown']),
];

const seq = () => slack.calls().at(-1)?.seq ?? 0;
const callsAfter = (from: number) => slack.calls().flatMap(({ seq, name }) => (seq > from ? [name] : []));

it('answers decisions and Homes of two processes about 25 groups, of which Slack allows 20 calls a minute', async () => {
  const before = seq();
  const bots = processes();
  const answers = await Promise.all(
    bots.flatMap(({ directory }) =>
      TEAMS.flatMap(({ id, handle }) => [
        directory.membersInLists(approver(id), ''),
        directory.membersOf(approver(`@${handle}`), CHANNEL),
      ]),
    ),
  );
  expect(answers.every((each) => each?.has('UJON00002'))).toBe(true);
  expect(callsAfter(before).every((method) => method === 'usergroups.list')).toBe(true);
  expect(callsAfter(before).length).toBeLessThanOrEqual(4);
});

const now = Math.floor(Date.now() / 1000) + 60;
/** As Slack describes a group: https://docs.slack.dev/reference/events/subteam_updated */
const team = (override: object) => {
  const users = ['UJON00002', 'UMARIA001'];
  return { id: 'STEAM1X', handle: 'Team-1', date_update: now, date_delete: 0, users, user_count: 2, ...override };
};

it.each<[string, object, string, string[]]>([
  ['was added', { type: 'subteam_updated', subteam: team({}) }, '@team-1', ['UJON00002', 'UMARIA001']],
  ['was removed', { type: 'subteam_updated', subteam: team({ users: [], user_count: 0 }) }, 'STEAM1X', []],
  ['lost its group', { type: 'subteam_updated', subteam: team({ date_delete: now }) }, '@team-1', []],
  [
    'is in a renamed group',
    { type: 'subteam_updated', subteam: team({ handle: 'crew' }) },
    '@crew',
    ['UJON00002', 'UMARIA001'],
  ],
  [
    'is in a new group',
    { type: 'subteam_created', subteam: team({ id: 'SNEW', handle: 'new' }) },
    '@new',
    ['UJON00002', 'UMARIA001'],
  ],
])('knows in every process at once, without a call, that somebody %s', async (_, event, name, expected) => {
  const bots = processes();
  for (const bot of bots) await members(bot, 'STEAM1X');
  const change = parseGroupEvent(event);
  if (change) await createGroupChanges(redis()).add(change);
  const before = seq();
  expect(await Promise.all(bots.map((bot) => members(bot, name)))).toEqual([expected, expected]);
  expect(callsAfter(before)).toEqual([]);
});

it('asks about one group where an event does not say who is in it', async () => {
  const [bot = asking(slack)] = processes();
  const changed = { type: 'subteam_members_changed', subteam_id: 'STEAM2X', date_update: now };
  const long = { type: 'subteam_updated', subteam: team({ user_count: '501' }) };
  await members(bot, 'STEAM2X');
  for (const event of [changed, long]) {
    const change = parseGroupEvent(event);
    if (change) await createGroupChanges(redis()).add(change);
  }
  const before = seq();
  for (const id of ['STEAM1X', 'STEAM2X', 'STEAM1X', 'STEAM2X']) expect(await members(bot, id)).toEqual(['UJON00002']);
  expect(callsAfter(before)).toEqual(['usergroups.users.list', 'usergroups.users.list']);
});

it('makes good an event that was missed: for decisions within a minute, for lists within ten', async () => {
  const [bot = asking(slack)] = processes();
  const shown = async () => (await bot.directory.membersInLists(approver('STEAM3X'), ''))?.size;
  expect(await Promise.all([members(bot, 'STEAM3X'), shown()])).toEqual([['UJON00002'], 1]);
  slack.admin.setGroupMembers('team-3', []);
  bot.clock.now = 59_999;
  expect(await members(bot, 'STEAM3X')).toEqual(['UJON00002']);
  bot.clock.now = 599_999;
  expect(await shown()).toBe(1);
  expect(await members(bot, 'STEAM3X')).toEqual([]);
  expect(await shown()).toBe(0);
  slack.admin.setGroupMembers('team-3', ['jon', 'maria']);
  bot.clock.now = 1_199_999;
  expect(await shown()).toBe(2);
});

it('lets a decision go before the lists that wait for their turn', async () => {
  const answered: string[] = [];
  const groups = ['S0A', 'S0B', 'S0C', 'S0D', 'S0DECIDES'];
  const scripted = await startAnsweringSlack({
    'usergroups.list': () => ({ usergroups: groups.map((id) => ({ id, handle: id, user_count: 1 })) }),
    'usergroups.users.list': (args) => {
      answered.push(args.get('usergroup') ?? '');
      return { users: ['UJON00002'] };
    },
  });
  const { directory } = asking(scripted, { limiter: new RateLimiter({ everyMs: 150, burst: 1 }), waitMs: 10_000 });
  const list = (id: string) => directory.membersInLists(approver(id), '');
  await directory.membersOf(approver('S0UNHEARD'), CHANNEL);
  const lists = groups.slice(0, 4).map(list);
  const decided = directory.membersOf(approver('S0DECIDES'), CHANNEL);
  expect((await Promise.all([...lists, decided])).every((each) => each?.has('UJON00002'))).toBe(true);
  expect(answered[0]).toBe('S0DECIDES');
  await scripted.close();
});

it('leaves the turn of a list to other calls once a decision has been faster', async () => {
  const scripted = await startAnsweringSlack({
    'usergroups.list': () => ({ usergroups: [{ id: 'S0A', handle: 'a', users: ['UJON00002'] }] }),
  });
  const limiter = new RateLimiter({ everyMs: 500, burst: 1 });
  const { directory } = asking(scripted, { limiter, waitMs: 10_000 });
  await limiter.turn('card', 0);
  const lists = directory.membersInLists(approver('S0A'), '');
  const decided = directory.membersOf(approver('S0A'), CHANNEL);
  expect((await Promise.all([lists, decided])).every((each) => each?.has('UJON00002'))).toBe(true);
  expect(await limiter.turn('card', 0)).toBe(true);
  await scripted.close();
});

it('cannot tell who is in a group, and keeps nobody waiting, while Redis does not say whether Slack may be asked', async () => {
  const rate = { everyMs: 1, burst: 10 };
  const silent = () => new Promise<never>(() => {});
  const away = () => Promise.reject(new StoreUnavailable());
  for (const answer of [away, silent]) {
    const limiter = new RateLimiter(rate, { take: answer, putBack: answer, drain: answer });
    const { directory } = asking(slack, { limiter, waitMs: 200 });
    expect(await directory.membersOf(approver('STEAM3X'), CHANNEL)).toBeNull();
  }
});
