import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { asOrganisation, DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { gatherFacts } from '../../../src/slack/directory/directory.ts';
import type { Mention } from '../../../src/slack/ui/person.ts';
import { approver, asking } from './asking.ts';

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await startSlackWorkspace({ rateLimits: 'off' });
});
afterAll(() => slack.close());

const seq = () => slack.calls().at(-1)?.seq ?? 0;
const callsAfter = (from: number) => slack.calls().flatMap(({ seq, name }) => (seq > from ? [name] : []));

it('mentions people and groups once each, and never a channel or the workspace', async () => {
  const names = ['UMARIA001', '@legal', 'SLEGAL002', 'SRELEASE1', '@unheard-of', 'channel', 'workspace', 'UMARIA001'];
  const mentions: Mention[] = [
    { kind: 'person', id: 'UMARIA001' },
    { kind: 'group', id: 'SLEGAL002' },
    { kind: 'group', id: 'SRELEASE1' },
  ];
  expect(await asking(slack).mentionsOf(names.map(approver))).toEqual(mentions);
});

it('shows approvers by the names that people know, as plain text', async () => {
  const named = ['UMARIA001', 'SLEGAL002', '@release-managers', 'channel', 'workspace', 'UNOBODY00', 'S0UNHEARD'];
  const name = await asking(slack).approverNames(named.map(approver));
  expect([...named, 'who-else'].map(name)).toEqual([
    ...['Maria Alvarez', '@legal', '@release-managers', 'channel', 'workspace', 'UNOBODY00', 'S0UNHEARD'],
    'who-else',
  ]);
});

it('shows names for ten minutes without asking again', async () => {
  const { approverNames, clock } = asking(slack);
  const ask = () => approverNames(['UMARIA001', 'SLEGAL002'].map(approver));
  await ask();
  clock.now = 10 * 60_000 - 1;
  const before = seq();
  expect((await ask())('SLEGAL002')).toBe('@legal');
  expect(callsAfter(before)).toEqual([]);
});

it('gathers the facts about each person and approver once, and asks for nothing that needs no look-up', async () => {
  const { directory } = asking(slack);
  const before = seq();
  const facts = await gatherFacts(directory, {
    people: ['UMARIA001', 'UGUEST005', 'UMARIA001'],
    approvers: ['UJON00002', 'workspace', '@legal', '@legal', 'channel'].map(approver),
    channel: 'C0PARTNER4',
  });
  expect(callsAfter(before).sort()).toEqual([
    ...['conversations.info', 'conversations.members', 'usergroups.list', 'users.info', 'users.info'],
  ]);
  expect(facts).toMatchObject({
    accounts: { UMARIA001: { isGuest: false }, UGUEST005: { isGuest: true } },
    connected: null,
  });
  expect(facts.members).toEqual({
    '@legal': new Set(['UPRIYA004']),
    channel: new Set(['UMARIA001', 'UJON00002', 'USTRANGE6', 'U0SIGNOFF1']),
  });
});

it('a handle that groups of two workspaces of an organisation have stands for nobody, unless one is disabled', async () => {
  const seed = asOrganisation(DEFAULT_SEED);
  const namesake = { id: 'SLABLEGAL', handle: 'Legal', memberIds: ['UAIKO0003'], workspaceId: 'T0LABS0002' };
  const organisation = await startSlackWorkspace({
    rateLimits: 'off',
    app: { isOrgReady: true },
    seed: { ...seed, groups: [...seed.groups, { ...namesake, name: 'Legal of Labs' }] },
  });
  const { directory, mentionsOf, clock } = asking(organisation, {
    installation: { kind: 'organisation', enterpriseId: 'E0SANDBOX1' },
  });
  const legal = () => directory.membersOf(approver('@legal'), 'C0LABS0008');
  expect([await legal(), await directory.membersInLists(approver('@legal'), '')]).toEqual([new Set(), new Set()]);
  expect(await mentionsOf([approver('@legal')])).toEqual([]);
  expect(await directory.membersOf(approver('SLABLEGAL'), 'C0LABS0008')).toEqual(new Set(['UAIKO0003']));
  organisation.admin.disableGroup('SLABLEGAL');
  clock.now = 60_000;
  expect(await legal()).toEqual(new Set(['UPRIYA004']));
  await organisation.close();
});

it('asks for nothing where nothing is to be known', async () => {
  const before = seq();
  const facts = await gatherFacts(asking(slack).directory, { people: [], approvers: [], channel: 'C0GENERAL1' });
  expect([facts, callsAfter(before)]).toEqual([{ accounts: {}, members: {}, connected: null }, []]);
});
