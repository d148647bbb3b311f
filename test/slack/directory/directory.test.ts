import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { approver, asking } from './asking.ts';

const CROWD = Array.from({ length: 2_300 }, (_, n) => ({
  id: `UCROWD${n}X`,
  name: `crowd-${n}`,
  realName: `Crowd ${n}`,
}));

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await startSlackWorkspace({
    rateLimits: 'off',
    seed: {
      ...DEFAULT_SEED,
      members: [...DEFAULT_SEED.members, ...CROWD],
      groups: [...DEFAULT_SEED.groups, { id: 'SEMPTY003', handle: 'nobody', name: 'Nobody', memberIds: [] }],
      channels: [
        ...DEFAULT_SEED.channels,
        { id: 'C0CROWD08', name: 'crowd', members: [...CROWD.map(({ name }) => name), '@app'] },
      ],
    },
  });
});
afterAll(() => slack.close());
afterEach(() => slack.faults.clear());

/** How often a method is called while something happens. */
async function callsOf(method: string, happens: () => Promise<unknown>): Promise<number> {
  const before = slack.calls().at(-1)?.seq ?? 0;
  await happens();
  return slack.calls().filter(({ seq, name }) => seq > before && name === method).length;
}

const MEMBER = { isBot: false, isDeactivated: false, isGuest: false, isStranger: false };

it.each([
  ['a member', 'UMARIA001', MEMBER],
  ['a guest', 'UGUEST005', { ...MEMBER, isGuest: true }],
  ['a person of another organisation', 'USTRANGE6', { ...MEMBER, isStranger: true }],
  ['the bot', 'U0SIGNOFF1', { ...MEMBER, isBot: true }],
  ['Slackbot', 'USLACKBOT', { ...MEMBER, isBot: true }],
])('knows %s', async (_, id, account) => {
  expect(await asking(slack).directory.account(id)).toEqual({ identities: [id], ...account });
});

it('asks Slack without a warning about a person who does not exist', async () => {
  const { directory, log } = asking(slack);
  expect(await directory.account('UNOBODY00')).toMatchObject({ isStranger: true });
  expect(log.text()).toBe('');
});

it('knows nothing about people while it is not known which workspace is ours', async () => {
  expect(
    await asking(slack, { installation: { kind: 'workspace', teamId: '' } }).directory.account('UMARIA001'),
  ).toBeNull();
});

it.each([
  ['@release-managers', ['UMARIA001', 'UAIKO0003']],
  ['@Release-Managers', ['UMARIA001', 'UAIKO0003']],
  ['SLEGAL002', ['UPRIYA004']],
  ['@nobody', []],
  ['@unheard-of', []],
  ['S0UNHEARD', []],
  ['UMARIA001', ['UMARIA001']],
  ['channel', ['UMARIA001', 'UJON00002', 'U0SIGNOFF1']],
])('knows whom %s stands for', async (name, ids) => {
  const members = await asking(slack).directory.membersOf(approver(name), 'C0INCIDNT3');
  expect([...(members ?? ['unknown'])]).toEqual(ids);
});

it('knows all members of a channel, however many pages they fill', async () => {
  const { directory } = asking(slack);
  const asked = async () => {
    const members = await directory.membersOf(approver('channel'), 'C0CROWD08');
    expect(members?.size).toBe(CROWD.length + 1);
    expect(members?.has('UCROWD2299X')).toBe(true);
  };
  expect(await callsOf('conversations.members', asked)).toBe(12);
});

it.each(['C0SECRET06', 'C0UNHEARD9'])(
  'cannot tell who is in a channel that the bot does not see: %s',
  async (channel) => {
    expect(await asking(slack).directory.membersOf(approver('channel'), channel)).toBeNull();
  },
);

it('cannot tell whom the workspace stands for, which nobody needs to be told', async () => {
  expect(await asking(slack).directory.membersOf(approver('workspace'), 'C0GENERAL1')).toBeNull();
});

it.each([
  ['C0RELEASE2', true],
  ['C0PARTNER4', true],
  ['C0INCIDNT3', false],
  ['C0UNHEARD9', null],
])('knows whether all of the workspace can open the channel %s', async (channel, isPublic) => {
  expect(await asking(slack).directory.isPublic(channel)).toBe(isPublic);
});

it('asks for what only lists rest on every ten minutes', async () => {
  const { directory, clock } = asking(slack);
  const ask = () => Promise.all([directory.isPublic('C0RELEASE2'), directory.accountInLists('UMARIA001')]);
  const calls = async () => [await callsOf('conversations.info', ask), await callsOf('users.info', ask)];
  expect(await calls()).toEqual([1, 0]);
  clock.now = 599_999;
  expect(await calls()).toEqual([0, 0]);
  clock.now = 600_000;
  expect(await callsOf('conversations.info', ask)).toBe(1);
  clock.now = 1_200_000;
  expect(await callsOf('users.info', ask)).toBe(1);
});

it('asks Slack once for all who ask at the same time, and for a minute after that', async () => {
  const { directory, clock } = asking(slack);
  const all = () => Promise.all(Array.from({ length: 50 }, () => directory.account('UMARIA001')));
  expect(await callsOf('users.info', all)).toBe(1);
  clock.now = 59_999;
  expect(await callsOf('users.info', all)).toBe(0);
  clock.now = 60_000;
  expect(await callsOf('users.info', all)).toBe(1);
});

it.each([
  ['usergroups.list', '@release-managers'],
  ['usergroups.list', 'SRELEASE1'],
  ['conversations.members', 'channel'],
])('calls %s for %s at most once a minute', async (method, name) => {
  const { directory, clock } = asking(slack);
  const ask = () => Promise.all([1, 2, 3].map(() => directory.membersOf(approver(name), 'C0RELEASE2')));
  expect(await callsOf(method, ask)).toBe(1);
  clock.now = 59_999;
  expect(await callsOf(method, ask)).toBe(0);
  clock.now = 60_000;
  expect(await callsOf(method, ask)).toBe(1);
});

it('shares a call with whoever shows the name of the same person', async () => {
  const { directory, people, clock } = asking(slack);
  const maria = { id: 'UMARIA001', name: 'maria' };
  const click = async () => {
    await Promise.all([directory.account(maria.id), people.nameOf(maria)]);
    expect(await people.nameOf(maria)).toBe('Maria Alvarez');
    expect(await people.isInside(maria.id)).toBe(true);
  };
  expect(await callsOf('users.info', click)).toBe(1);
  clock.now = 9 * 60_000;
  expect(await callsOf('users.info', () => people.nameOf(maria))).toBe(0);
  expect(await callsOf('users.info', click)).toBe(1);
});

it.each([
  ['an outage', { kind: 'status', status: 503 }],
  ['a rate limit', { kind: 'rate-limited', retryAfterSeconds: 1 }],
  ['a missing scope', { kind: 'error', error: 'missing_scope' }],
  ['an error of Slack', { kind: 'error', error: 'internal_error' }],
  ['a broken connection', { kind: 'drop' }],
] as const)('cannot tell during %s, says so in the log, and asks again the next time', async (_, effect) => {
  const { directory, log } = asking(slack);
  const ask = () =>
    Promise.all([
      directory.account('UMARIA001'),
      directory.membersOf(approver('SRELEASE1'), 'C0RELEASE2'),
      directory.membersOf(approver('@legal'), 'C0RELEASE2'),
      directory.membersOf(approver('channel'), 'C0RELEASE2'),
    ]);
  slack.faults.add({ method: '*', effect, times: 3 });
  expect(await ask()).toEqual([null, null, null, null]);
  expect(log.warnings()).toHaveLength(4);
  expect((await ask()).every((answer) => answer !== null)).toBe(true);
});

it('cannot tell who is in a channel if one of the pages fails', async () => {
  const { directory } = asking(slack);
  slack.faults.add({ method: 'conversations.members', nth: 2, effect: { kind: 'rate-limited', retryAfterSeconds: 1 } });
  const ask = () => directory.membersOf(approver('channel'), 'C0CROWD08');
  expect(await ask()).toBeNull();
  expect((await ask())?.size).toBe(CROWD.length + 1);
});

it('keeps showing a name that is minutes old if Slack cannot tell', async () => {
  const { directory, people, clock } = asking(slack);
  await directory.account('UJON00002');
  clock.now = 60_000;
  slack.faults.add({ method: 'users.info', effect: { kind: 'status', status: 500 } });
  expect(await directory.account('UJON00002')).toBeNull();
  expect(await people.nameOf({ id: 'UJON00002', name: 'jon' })).toBe('Jon Bell');
});
