import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Installation } from '../../../src/slack/api/identity.ts';
import { type AnsweringSlack, refusal, startAnsweringSlack, user } from './answering-slack.ts';
import { approver, asking } from './asking.ts';

let slack: AnsweringSlack;
beforeEach(async () => {
  slack = await startAnsweringSlack();
});
afterEach(() => slack.close());

const MARIA = { identities: ['UMARIA001'], isBot: false, isDeactivated: false, isGuest: false, isStranger: false };

it.each<[string, Record<string, unknown>, Partial<typeof MARIA>]>([
  ['deactivated', { deleted: true }, { isDeactivated: true }],
  ['a guest of several channels', { is_restricted: true }, { isGuest: true }],
  ['a guest of one channel', { is_restricted: true, is_ultra_restricted: true }, { isGuest: true }],
  ['a bot', { is_bot: true }, { isBot: true }],
  ['a workflow', { is_workflow_bot: true }, { isBot: true }],
  ['a stranger', { is_stranger: true }, { isStranger: true }],
  ['of another workspace', { team_id: 'T0OTHER' }, { isStranger: true }],
  ['a stranger of whom Slack says little', { team_id: 'T0OTHER', deleted: undefined }, { isStranger: true }],
  ['a member of whom Slack doesn’t say whether they are deactivated', { deleted: undefined }, {}],
  ['a guest there', { team_id: 'T0OTHER', is_restricted: true }, { isStranger: true }],
  [
    'at home in another workspace of our organisation, and also in ours',
    { team_id: 'T0OTHER', enterprise_user: { id: 'WMARIA001', teams: ['T0OTHER', 'T0SANDBOX1'] } },
    { identities: ['UMARIA001', 'WMARIA001'] },
  ],
  [
    'of another workspace of an organisation',
    { team_id: 'T0OTHER', enterprise_user: { id: 'WMARIA001', teams: ['T0OTHER'] } },
    { identities: ['UMARIA001', 'WMARIA001'], isStranger: true },
  ],
  [
    'known by an e-mail address',
    { profile: { email: 'Maria@Example.com' } },
    { identities: ['UMARIA001', 'maria@example.com'] },
  ],
  ['known by another id', { id: 'WMARIA001' }, { identities: ['UMARIA001', 'WMARIA001'] }],
])('knows a person who is %s', async (_, says, account) => {
  slack.answers['users.info'] = () => user(says);
  expect(await asking(slack).directory.account('UMARIA001')).toEqual({ ...MARIA, ...account });
});

it('takes a person whom Slack doesn’t know for one from outside, since trying again won’t help', async () => {
  slack.answers['users.info'] = () => refusal('user_not_found');
  expect(await asking(slack).directory.account('UMARIA001')).toEqual({ ...MARIA, isStranger: true });
});

const ORGANISATION: Installation = { kind: 'organisation', enterpriseId: 'E0SANDBOX1' };
const enterprise = (enterprise_id: string) => ({
  enterprise_user: { id: 'WMARIA001', enterprise_id, teams: ['T0LABS'] },
});
const BOTH_IDS = ['UMARIA001', 'WMARIA001'];

it.each<[string, Record<string, unknown>, Partial<typeof MARIA>]>([
  ['in any workspace of the organisation', { team_id: undefined, ...enterprise('E0SANDBOX1') }, {}],
  ['a guest in one', { team_id: undefined, is_restricted: true, ...enterprise('E0SANDBOX1') }, { isGuest: true }],
  ['in another organisation', enterprise('E0OTHER'), { isStranger: true }],
  ['in a workspace on its own', { team_id: 'T0OTHER' }, { identities: ['UMARIA001'], isStranger: true }],
])('of an organisation, knows a person who is %s', async (_, says, account) => {
  slack.answers['users.info'] = () => user(says);
  const { directory } = asking(slack, { installation: ORGANISATION });
  expect(await directory.account('UMARIA001')).toEqual({ ...MARIA, identities: BOTH_IDS, ...account });
});

it('of an organisation, cannot tell if Slack names no workspace of a person', async () => {
  slack.answers['users.info'] = () => user({ team_id: undefined });
  expect(await asking(slack, { installation: ORGANISATION }).directory.account('UMARIA001')).toBeNull();
});

it.each<[string, object]>([
  ['nothing', {}],
  ['no workspace', user({ team_id: undefined })],
  ['something else in place of a flag', user({ is_bot: 'no' })],
])('cannot tell if Slack says %s about a person', async (_, answer) => {
  slack.answers['users.info'] = () => answer;
  expect(await asking(slack).directory.account('UMARIA001')).toBeNull();
});

it('knows who has an e-mail address, in any case, and that nobody has one', async () => {
  const { directory, mentionsOf, approverNames } = asking(slack);
  slack.answers['users.info'] = () => user();
  slack.answers['users.lookupByEmail'] = (args) =>
    args.get('email') === 'maria@example.com' ? user() : refusal('users_not_found');
  const [maria, nobody] = [approver('Maria@Example.com'), approver('nobody@example.com')];
  expect(await directory.membersOf(maria, 'C0RELEASE2')).toEqual(new Set(['UMARIA001']));
  expect(await directory.membersOf(nobody, 'C0RELEASE2')).toEqual(new Set());
  expect(await mentionsOf([maria, nobody])).toEqual([{ kind: 'person', id: 'UMARIA001' }]);
  const name = await approverNames([maria, nobody]);
  expect([name(maria.name), name(nobody.name)]).toEqual(['Maria', 'nobody@example.com']);
  expect(slack.calls().filter((method) => method === 'users.lookupByEmail')).toHaveLength(2);
});

it('cannot tell whose an e-mail address is without the scope', async () => {
  const { directory, mentionsOf } = asking(slack);
  slack.answers['users.lookupByEmail'] = () => refusal('missing_scope');
  const maria = approver('maria@example.com');
  expect(await directory.membersOf(maria, 'C0RELEASE2')).toBeNull();
  expect(await mentionsOf([maria, approver('UMARIA001')])).toBeNull();
});

it('takes a disabled group for an empty one', async () => {
  const { directory, mentionsOf } = asking(slack);
  slack.answers['usergroups.list'] = () => ({
    usergroups: [{ id: 'SLEADS001', handle: 'leads', date_delete: 1_700_000_000 }],
  });
  slack.answers['usergroups.users.list'] = () => refusal('no_such_subteam');
  for (const name of ['@leads', 'SLEADS001'])
    expect(await directory.membersOf(approver(name), 'C0RELEASE2')).toEqual(new Set());
  expect(await mentionsOf([approver('@leads')])).toEqual([]);
});

it('prefers a group to a disabled one of the same handle', async () => {
  const disabled = { id: 'SOLD00001', handle: 'leads', date_delete: 1_700_000_000 };
  slack.answers['usergroups.list'] = () => ({ usergroups: [disabled, { id: 'SLEADS001', handle: 'leads' }] });
  slack.answers['usergroups.users.list'] = (args) => ({ users: [`UOF${args.get('usergroup')}`] });
  expect(await asking(slack).directory.membersOf(approver('@leads'), 'C1')).toEqual(new Set(['UOFSLEADS001']));
});

it.each([
  ['usergroups.list', { usergroups: [{ handle: 'leads' }] }],
  ['usergroups.users.list', { users: 'none' }],
])('cannot tell who is in a group if the answer of %s makes no sense', async (method, answer) => {
  slack.answers['usergroups.list'] = () => ({ usergroups: [{ id: 'SLEADS001', handle: 'leads' }] });
  slack.answers['usergroups.users.list'] = () => ({ users: ['UMARIA001'] });
  slack.answers[method] = () => answer;
  expect(await asking(slack).directory.membersOf(approver('@leads'), 'C0RELEASE2')).toBeNull();
});
