import { expect, it } from 'vitest';
import type { OpenRequest, Snapshot } from '../../../src/core/inbox/snapshot.ts';
import type { Account } from '../../../src/core/policy/permits.ts';
import { DEFAULT_POLICY, parseApprover } from '../../../src/core/policy/policy.ts';
import { createRulesOf } from '../../../src/core/policy/rules.ts';
import type { ListDirectory } from '../../../src/slack/directory/directory.ts';
import { createInbox } from '../../../src/slack/directory/inbox.ts';
import { openRequest, openRun } from '../../core/inbox/open-requests.ts';
import { crew } from '../../crew/crew-values.ts';
import { account, START } from '../../support/requests.ts';

const ANNA = 'U0ANNA';

/** The crew `leads` is decided by a group, and not by those who started it. */
const LED = crew({
  name: 'leads',
  approval: {
    ...DEFAULT_POLICY,
    approvers: [parseApprover('@leads')].filter((each) => each !== null),
    selfApproval: false,
  },
});
const rulesOf = createRulesOf(new Map([LED, crew()].map((each) => [each.name, each])));

function inbox(requests: OpenRequest[], answers: Partial<ListDirectory>) {
  const asked: string[] = [];
  const directory: ListDirectory = {
    account: async (id) => account(id),
    accountInLists: async (id) => account(id),
    isPublic: async () => true,
    membersOf: async () => new Set([ANNA]),
    membersInLists: async () => new Set([ANNA]),
    ...answers,
  };
  const counted: ListDirectory = {
    account: (id) => directory.account(id),
    accountInLists: (id) => ask(id, directory.accountInLists(id)),
    isPublic: (channel) => ask(channel, directory.isPublic(channel)),
    membersOf: (approver, channel) => directory.membersOf(approver, channel),
    membersInLists: (approver, channel) => ask(approver.name, directory.membersInLists(approver, channel)),
  };
  function ask<Answer>(question: string, answer: Answer): Answer {
    asked.push(question);
    return answer;
  }
  const snapshot: Snapshot = { at: START, requests, runs: requests.map(({ run }) => run), decisions: [], ended: [] };
  return {
    asked,
    ...createInbox({
      overview: { latest: async () => snapshot },
      directory: counted,
      rulesOf,
    }),
  };
}

const led = (approvalId: string, starterId: string) =>
  openRequest({ approvalId, run: openRun({ crew: 'leads', starter: { id: starterId, name: '' } }) });

it('asks Slack only what bears on the policies, and once for all who ask within a second', async () => {
  const { of, asked } = inbox([led('1', 'U0JON'), openRequest(), openRequest({ run: openRun({ channel: 'C2' }) })], {
    isPublic: async (channel) => channel === 'C1',
  });
  const [anna, jon] = await Promise.all([of(ANNA), of('U0JON')]);
  expect(anna.waiting.map(({ rule }) => rule)).toEqual(['@leads', 'workspace', 'workspace']);
  expect(jon.waiting.map(({ request: { run }, rule }) => [run.channel, rule])).toEqual([['C1', 'workspace']]);
  expect(asked.sort()).toEqual(['@leads', 'C1', 'C2', 'U0JON', 'channel', 'channel']);
});

it('does not let those decide who started it with another account of theirs', async () => {
  const both = { identities: ['U0OLD', ANNA] };
  const { of } = inbox([led('1', 'U0OLD'), led('2', 'U0JON')], {
    accountInLists: async (id) => account(id, id === 'U0OLD' ? both : {}),
  });
  expect((await of(ANNA)).waiting.map(({ request }) => request.approvalId)).toEqual(['2']);
});

it('goes on without what Slack does not tell within two seconds', async () => {
  const { of } = inbox([led('1', 'U0JON'), openRequest()], { membersInLists: () => new Promise(() => {}) });
  const began = performance.now();
  const { waiting, unsure } = await of(ANNA);
  expect([waiting.map(({ rule }) => rule), unsure]).toEqual([['workspace'], 1]);
  expect(performance.now() - began).toBeLessThan(5_000);
});

it('does not ask again at once what Slack could not tell', async () => {
  const { of, asked } = inbox([led('1', 'U0JON')], { accountInLists: async () => null });
  expect((await of(ANNA)).unsure).toBe(1);
  expect((await of(ANNA)).unsure).toBe(1);
  expect(asked).toEqual(['@leads', 'U0JON']);
});

it.each<[string, Partial<Account>]>([
  ['another organisation', { isStranger: true }],
  ['a bot', { isBot: true }],
  ['a person who has left', { isDeactivated: true }],
])('shows nothing to %s', async (_, change) => {
  const own = openRequest({ run: openRun({ starter: { id: ANNA, name: 'Anna' } }), voters: [ANNA] });
  const { of, asked } = inbox([own], { account: async (id) => account(id, change) });
  const nothing = { waiting: [], waitingForOthers: [], runs: [], decided: [], unsure: 0 };
  expect([await of(ANNA), asked]).toMatchObject([nothing, []]);
});

it('shows nothing to a person whom Slack does not know, and says how much there may be', async () => {
  const { of } = inbox([openRequest(), openRequest()], { account: async () => null });
  expect(await of(ANNA)).toMatchObject({ waiting: [], runs: [], unsure: 2 });
});
