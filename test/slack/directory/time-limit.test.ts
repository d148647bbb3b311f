import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatherFacts } from '../../../src/slack/directory/directory.ts';
import { type AnsweringSlack, startAnsweringSlack, user } from './answering-slack.ts';
import { approver, asking } from './asking.ts';

let slack: AnsweringSlack;
beforeEach(async () => {
  slack = await startAnsweringSlack();
});
afterEach(() => slack.close());

const PEOPLE = ['UMARIA001', 'UJON00002'];
const APPROVERS = ['SLEADS001', '@leads', 'maria@example.com', 'channel', 'UAIKO0003', 'workspace'].map(approver);
const UNKNOWN = {
  accounts: { UMARIA001: null, UJON00002: null },
  members: { SLEADS001: null, '@leads': null, 'maria@example.com': null, channel: null },
  connected: null,
};

async function msOf(happens: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await happens();
  return performance.now() - begin;
}

it('waits two seconds for a Slack that hangs, for everything together', async () => {
  for (const method of ['users.info', 'users.lookupByEmail', 'usergroups.list', 'conversations.info'])
    slack.answers[method] = () => 'silence';
  const { directory, mentionsOf, approverNames } = asking(slack);
  const took = await msOf(async () => {
    const [facts, mentions, names] = await Promise.all([
      gatherFacts(directory, { people: PEOPLE, approvers: APPROVERS, channel: 'C0RELEASE2' }),
      mentionsOf(APPROVERS),
      approverNames(APPROVERS),
    ]);
    expect([facts, mentions, names('maria@example.com')]).toEqual([UNKNOWN, null, 'maria@example.com']);
  });
  expect(took).toBeGreaterThan(1_900);
  expect(took).toBeLessThan(5_000);
  expect(slack.calls().sort()).toEqual([
    'conversations.info',
    'usergroups.list',
    'users.info',
    'users.info',
    'users.info',
    'users.lookupByEmail',
  ]);
});

it('counts all calls of one question', async () => {
  const { directory } = asking(slack, { waitMs: 500 });
  slack.answers['usergroups.list'] = () => ({ usergroups: [{ id: 'SLEADS001', handle: 'leads' }] });
  slack.answers['usergroups.users.list'] = () => 'silence';
  expect(await directory.membersOf(approver('@leads'), 'C0RELEASE2')).toBeNull();
  expect(slack.calls()).toEqual(['usergroups.list', 'usergroups.users.list']);
});

it('goes on with the pages of a channel after nobody waits any more, so that trying again helps', async () => {
  const { directory } = asking(slack, { waitMs: 0 });
  slack.answers['conversations.members'] = (args) => {
    const page = Number(args.get('cursor') ?? 0);
    return { members: [`UPAGE${page}`], response_metadata: { next_cursor: page < 4 ? String(page + 1) : '' } };
  };
  const ask = () => directory.membersOf(approver('channel'), 'C0RELEASE2');
  expect(await ask()).toBeNull();
  await expect.poll(async () => (await ask())?.size).toBe(5);
  expect(slack.calls()).toHaveLength(5);
});

it('gathers only what is known when the deadline has passed', async () => {
  const { directory } = asking(slack);
  slack.answers['users.info'] = (args) => (args.get('user') === 'UMARIA001' ? user() : 'silence');
  await directory.account('UMARIA001');
  const deadline = AbortSignal.timeout(100);
  const facts = gatherFacts(directory, { people: PEOPLE, approvers: [], channel: 'C0RELEASE2', deadline });
  const { accounts } = await facts;
  expect(accounts.UJON00002).toBeNull();
  expect(accounts.UMARIA001).not.toBeNull();
});
