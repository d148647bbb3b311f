import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { asOrganisation, DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { type AnsweringSlack, refusal, startAnsweringSlack, user } from '../../slack/directory/answering-slack.ts';
import { allFindings, policyFindings } from './policy-findings.ts';

let slack: SlackWorkspace;
beforeAll(async () => {
  const empty = { id: 'SEMPTY003', handle: 'nobody', name: 'Nobody', memberIds: [] };
  const guests = { id: 'SGUESTS04', handle: 'guests', name: 'Guests', memberIds: ['UGUEST005', 'USTRANGE6'] };
  slack = await startSlackWorkspace({
    rateLimits: 'off',
    seed: { ...DEFAULT_SEED, groups: [...DEFAULT_SEED.groups, empty, guests] },
  });
});
afterAll(() => slack.close());
afterEach(() => slack.faults.clear());

const MARIA = 'UMARIA001';
const GINA = 'UGUEST005';
const SAM = 'USTRANGE6';
/** While the crew hasn't named a task, all rules count that its name may match. */
const waitingFor = (rules: string) =>
  `! Policy of research: waits for the names of tasks: until the crew has told one, an approval has to be complete by its own rules and by those of “${rules}”. If the crew tells names late or never, write id instead of match.`;
const STRICTER = waitingFor('publish*');

describe('the doctor finds nothing wrong with', () => {
  const enough = '✓ Policy of research: enough people can start it and decide.';
  const untold =
    '– Policy of research: all whom it names exist. Not checked: whether enough people can decide, which depends on the channel of a run.';
  it.each<[string, Parameters<typeof policyFindings>[1], string]>([
    ['the usual policy', {}, '✓ Policy of research: all members of the workspace can start it and decide.'],
    ['people', { approvers: [MARIA, 'UJON00002'], quorum: 2 }, enough],
    ['a group', { approvers: ['@release-managers'], quorum: 2 }, enough],
    [
      'a quorum without the starter',
      { approvers: ['@release-managers', 'UJON00002'], quorum: 2, selfApproval: false },
      enough,
    ],
    ['approvers who cannot start', { approvers: ['SLEGAL002'], starters: [MARIA], selfApproval: false }, enough],
    ['welcome guests', { approvers: [GINA, SAM], guests: true, quorum: 2 }, enough],
    ['a guest who is named as a starter', { approvers: [MARIA], starters: [GINA] }, enough],
    ['the members of any channel and the workspace', { approvers: ['channel', 'workspace'], quorum: 9 }, enough],
    ['the members of any channel, which it does not tick', { approvers: ['channel'], quorum: 9 }, untold],
    ['a person beside the members of any channel', { approvers: [MARIA, 'channel'] }, enough],
    ['starters who are the members of any channel', { starters: ['channel'] }, untold],
    ['the members of its channel', { approvers: ['channel'], channel: 'incidents', quorum: 2 }, enough],
    ['an escalation', { approvers: [MARIA], escalateTo: ['@legal'] }, enough],
    [
      'stricter rules for the id of a task, or for all tasks',
      {
        tasks: [
          { match: '2f0e9a4c-5b0d-4c57-9f62-3f9d3a0c5e11', quorum: 2 },
          { match: '*', approvers: [MARIA, 'workspace'], selfApproval: false },
        ],
      },
      enough,
    ],
  ])('%s', async (_, crew, line) => {
    expect(await policyFindings(slack, crew)).toEqual([line]);
  });
});

describe('the doctor warns of rules that wait for the name of a task', () => {
  it.each<[string, Parameters<typeof policyFindings>[1]]>([
    ['by their quorum', { tasks: [{ match: 'publish*', quorum: 2 }] }],
    [
      'that are laxer, too',
      {
        approvers: ['@release-managers'],
        quorum: 2,
        tasks: [{ match: 'publish*', approvers: ['workspace'], quorum: 1 }],
      },
    ],
    ['by their approvers', { tasks: [{ match: 'publish*', approvers: [MARIA, 'UJON00002'] }] }],
    ['by whom they bar', { tasks: [{ match: 'publish*', selfApproval: false }] }],
    [
      'by which guests they bar',
      {
        approvers: [MARIA, GINA],
        guests: true,
        tasks: [{ match: 'publish*', guests: false, approvers: [MARIA, GINA] }],
      },
    ],
  ])('%s', async (_, crew) => {
    expect(await policyFindings(slack, crew)).toContain(STRICTER);
  });
});

it('the doctor warns where whoever asks chooses the rules by a title', async () => {
  const tasks = [{ match: 'draft*' }];
  expect(await policyFindings(slack, { matchTitles: true, tasks })).toContain(
    '! Policy of research: match_titles is true: whoever asks by a program or a workflow chooses the rules, by the title. Leave it out, or let all rules be as strict as the crew’s own.',
  );
  expect((await policyFindings(slack, { tasks })).join()).not.toContain('match_titles');
});

describe('where starters may not decide, the doctor', () => {
  const strict = { approvers: ['@release-managers', 'UJON00002'], selfApproval: false, channel: 'releases' };
  const person = (name: string) => ({ kind: 'person' as const, name });
  it.each<[string, Parameters<typeof policyFindings>[1], string]>([
    [
      'warns of runs started elsewhere, whose starter nobody knows',
      {},
      '! Policy of research: self_approval is false, but who starts a run elsewhere is unknown, and can decide it. Set started_elsewhere to those who do, or to refuse.',
    ],
    [
      'names a starter whom Slack doesn’t know',
      { startedElsewhere: [person(MARIA), person('UNOBODY00')] },
      '✗ Policy of research: Slack knows nobody as UNOBODY00, so that nobody can decide a run that was started elsewhere. Correct started_elsewhere.',
    ],
    [
      'is content with starters whom Slack knows',
      { startedElsewhere: [person(MARIA)] },
      '✓ Policy of research: enough people can start it and decide.',
    ],
  ])('%s', async (_, crew, line) => {
    expect(await policyFindings(slack, { ...strict, ...crew })).toEqual([line]);
  });
});

describe('of rules that follow the request, the doctor', () => {
  const FINE = '✓ Policy of research: enough people can start it and decide.';
  const JON = 'UJON00002';
  const ABOUT = 'Policy of research';
  const BIG = 'inputs.amount > 5000';
  it.each<[string, Parameters<typeof policyFindings>[1], string[]]>([
    ['finds enough people for one of each', { approvers: ['@release-managers'], allOf: ['@legal', JON] }, [FINE]],
    [
      'finds two groups that take the same only person',
      { approvers: ['workspace'], allOf: ['@legal', 'UPRIYA004'] },
      [
        `✗ ${ABOUT}: all_of takes another person of each of @legal and UPRIYA004, but these are only Priya Nair. Name others in all_of, or add people to these groups.`,
      ],
    ],
    [
      'lets one of each count for the quorum, too',
      { approvers: ['@release-managers'], quorum: 2, allOf: [MARIA, '@release-managers'] },
      [FINE],
    ],
    [
      'finds that a starter is needed for one of each',
      { approvers: ['workspace'], allOf: ['@legal', JON], selfApproval: false },
      [
        `✗ ${ABOUT}: all_of takes another person of each of @legal and UJON00002, and self_approval is false: if Priya Nair starts a run, too few of these are left. Name others in all_of, add people to these groups, or allow self_approval.`,
      ],
    ],
    [
      'finds nobody whom a group of all_of stands for',
      { allOf: ['@unheard-of'] },
      [
        `✗ ${ABOUT}: there is no user group @unheard-of. Correct it, or create the group in Slack.`,
        `✗ ${ABOUT}: all_of takes one of @unheard-of, but nobody of these can decide. Name others in all_of, or add people to these groups.`,
      ],
    ],
    [
      'finds enough people for each stage',
      {
        stages: [
          { name: 'Peer', approvers: ['workspace'] },
          { name: 'Release', approvers: ['@release-managers'], quorum: 2 },
        ],
      },
      [FINE],
    ],
    [
      'names the stage that lacks people',
      { stages: [{ name: 'Peer' }, { name: 'Release', approvers: ['@release-managers'], quorum: 3 }] },
      [
        `✗ ${ABOUT}, stage Release: quorum is 3, but only Maria Alvarez and Aiko Tanaka can decide. Name more approvers, or lower quorum.`,
      ],
    ],
    [
      'finds that stages take more people than there are',
      {
        stages: [
          { name: 'Peer', approvers: ['@release-managers'] },
          { name: 'Release', approvers: ['@release-managers'], quorum: 2 },
        ],
      },
      [
        `✗ ${ABOUT}: each stage takes other people, but only Maria Alvarez and Aiko Tanaka can decide in any of them. Name more people.`,
      ],
    ],
    [
      'finds that stages take the starter, too',
      {
        stages: [
          { name: 'Peer', approvers: [MARIA, JON] },
          { name: 'Release', approvers: [JON, MARIA] },
        ],
        selfApproval: false,
      },
      [
        `✗ ${ABOUT}: each stage takes other people, and self_approval is false: if Maria Alvarez starts a run, too few are left. Name more people.`,
      ],
    ],
    [
      'looks at the rules of a condition',
      { approvers: ['@release-managers'], when: [{ if: BIG, approvers: ['@legal'], quorum: 2 }] },
      [`✗ ${ABOUT} if \`${BIG}\`: quorum is 2, but only Priya Nair can decide. Name more approvers, or lower quorum.`],
    ],
    [
      'looks at the stages of a condition of a task',
      {
        tasks: [
          {
            match: '*',
            when: [{ if: BIG, stages: [{ name: 'Peer' }, { name: 'Chief', approvers: ['UNOBODY00', MARIA] }] }],
          },
        ],
      },
      [
        `✗ ${ABOUT} for * if \`${BIG}\`, stage Chief: there is nobody with the id UNOBODY00. Copy the member id from the profile in Slack again.`,
      ],
    ],
    [
      'says what depends on the channel of a run',
      {
        stages: [
          { name: 'Peer', approvers: ['channel'] },
          { name: 'Release', approvers: [MARIA] },
        ],
      },
      [
        `– ${ABOUT}: all whom it names exist. Not checked: whether enough people can decide, which depends on the channel of a run.`,
      ],
    ],
    [
      'warns where only an input names who decides',
      { approvers: ['input:owner'], when: [{ if: BIG, quorum: 2, approvers: ['input:owner', MARIA] }] },
      [
        `! ${ABOUT}: whoever starts a run chooses who decides it, by input:owner. Have others decide, too: by quorum, all_of or stages.`,
      ],
    ],
    [
      'warns where only the control panel of flows names who decides',
      { approvers: ['input:assigned_to_email'], flowSecrets: ['whsec_0123456789'] },
      [
        `! ${ABOUT}: whoever starts a run, or assigns what its flows ask, chooses who decides it, by input:assigned_to_email. Have others decide, too: by quorum, all_of or stages.`,
      ],
    ],
    [
      'is content where others decide, too',
      { approvers: ['input:owner', MARIA], quorum: 2, selfApproval: false, starters: [JON] },
      [FINE],
    ],
    [
      'is content where another stage follows',
      {
        stages: [
          { name: 'Owner', approvers: ['input:owner'] },
          { name: 'Release', approvers: [MARIA] },
        ],
      },
      [FINE],
    ],
    [
      'counts whom an input names as one person',
      { approvers: ['input:owner', MARIA], quorum: 3 },
      [
        `✗ ${ABOUT}: quorum is 3, but only whom input:owner names and Maria Alvarez can decide. Name more approvers, or lower quorum.`,
      ],
    ],
    [
      'warns of conditions that never count',
      {
        when: [
          { if: BIG, undoMs: 1_000 },
          { if: '1 > 2', undoMs: 2_000 },
          { if: BIG, undoMs: 3_000 },
          { if: 'true', undoMs: 4_000 },
          { if: 'hour > 20', undoMs: 5_000 },
        ],
        tasks: [{ match: '*', undoMs: 9_000 }],
      },
      [
        `! ${ABOUT} if \`1 > 2\`: never counts: it never holds. Remove it, or change the order.`,
        `! ${ABOUT} if \`${BIG}\`: never counts: it stands above already. Remove it, or change the order.`,
        `! ${ABOUT} if \`hour > 20\`: never counts: \`true\` above always holds. Remove it, or change the order.`,
      ],
    ],
    [
      'warns of conditions for the name of a task that are stricter than the rules of the crew',
      { tasks: [{ match: 'publish*', when: [{ if: BIG, quorum: 2 }] }] },
      [STRICTER],
    ],
    [
      'warns of stages for the name of a task',
      { tasks: [{ match: 'publish*', stages: [{ name: 'A' }, { name: 'B' }] }] },
      [STRICTER],
    ],
    [
      'not of those that it has from the crew',
      { when: [{ if: BIG, quorum: 2 }], tasks: [{ match: 'publish*' }] },
      [expect.stringMatching(/^✓/)],
    ],
    [
      'warns of unknown starters where a condition bars them',
      { channel: 'releases', when: [{ if: BIG, selfApproval: false }] },
      [
        `! ${ABOUT}: self_approval is false, but who starts a run elsewhere is unknown, and can decide it. Set started_elsewhere to those who do, or to refuse.`,
      ],
    ],
  ])('%s', async (_, crew, lines) => {
    expect(await policyFindings(slack, crew)).toEqual(lines);
  });

  it('names who isn’t in the channel, whatever stage or condition names them', async () => {
    const findings = await policyFindings(slack, {
      channel: 'incidents',
      stages: [
        { name: 'Peer', approvers: ['channel'] },
        { name: 'Release', allOf: ['@legal'] },
      ],
      when: [{ if: BIG, stages: [], approvers: ['@release-managers'] }],
    });
    expect(findings.join()).toContain('not in incidents: 1 of 1 in @legal, 1 of 2 in @release-managers.');
  });
});

it('the doctor names approvers who aren’t in the channel of their crew', async () => {
  const findings = await policyFindings(slack, {
    approvers: ['UJON00002', 'UPRIYA004'],
    escalateTo: ['@legal'],
    channel: 'incidents',
  });
  expect(findings).toEqual([
    '✓ Policy of research: enough people can start it and decide.',
    "! Approvers of research: not in incidents: Priya Nair (UPRIYA004), 1 of 1 in @legal. A mention there doesn't reach them. Invite them; until then they get each request by direct message.",
  ]);
});

it('the doctor says where a card notifies nobody but the starter, and what would', async () => {
  const about = async (crew: Parameters<typeof policyFindings>[1]) =>
    (await allFindings(slack, crew)).filter((line) => line.includes('Cards of'));
  const nobody =
    '✓ Cards of research: where everybody in the workspace or channel can decide, a card notifies nobody but the starter.';
  expect(await about({})).toEqual([nobody]);
  expect(await about({ tasks: [{ match: 'draft*', approvers: ['channel'] }], approvers: [MARIA] })).toEqual([
    `${nobody} With notify: channel, it mentions @here.`,
  ]);
  expect(await about({ approvers: ['channel'], notify: 'channel' })).toEqual([]);
  expect(await about({ approvers: [MARIA] })).toEqual([]);
  expect(await about({ approvers: [MARIA], notify: 'channel' })).toEqual([
    '! Cards of research: notify is channel, but no rule names channel. Name it, or leave notify out.',
  ]);
});

it('the doctor warns where cards are neither shown nor told to anybody', async () => {
  const lines = (crew: Parameters<typeof policyFindings>[1]) => policyFindings(slack, { broadcast: false, ...crew });
  expect(await lines({ notify: 'mention' })).toHaveLength(1);
  expect(await lines({ notify: 'none' })).toContain(
    '! Cards of research: broadcast is false and notify is none: only who follows a thread, or chose so in Home, hears of its cards. Set notify to mention or dm, or leave broadcast out.',
  );
  expect(await lines({ notify: 'none', broadcast: true })).toHaveLength(1);
});

describe('the doctor says what is wrong with', () => {
  const ABOUT = '✗ Policy of research:';
  const NOBODY = `${ABOUT} nobody can decide. Name people who are active members.`;
  it.each<[string, Parameters<typeof policyFindings>[1], string[]]>([
    [
      'a person who does not exist',
      { approvers: ['UNOBODY00', 'workspace'] },
      [`${ABOUT} there is nobody with the id UNOBODY00. Copy the member id from the profile in Slack again.`],
    ],
    [
      'a bot',
      { approvers: ['U0SIGNOFF1'] },
      [`${ABOUT} U0SIGNOFF1 (Signoff) is a bot, which has no say. Name a person.`, NOBODY],
    ],
    [
      'guests',
      { approvers: [GINA, SAM] },
      [
        `${ABOUT} UGUEST005 (Gina Rossi) is a guest, and guests is false. Set guests: true, or name a member.`,
        `${ABOUT} USTRANGE6 (Sam Okafor) belongs to another organisation, and guests is false. Set guests: true, or name a member.`,
        NOBODY,
      ],
    ],
    ['guests in a group', { approvers: ['@guests'], guests: true }, [NOBODY]],
    [
      'an unheard-of handle',
      { approvers: ['@unheard-of', MARIA] },
      [`${ABOUT} there is no user group @unheard-of. Correct it, or create the group in Slack.`],
    ],
    [
      'an unheard-of group, in a task',
      { tasks: [{ match: 'publish*', approvers: ['S0UNHEARD', MARIA] }] },
      [
        '✗ Policy of research for publish*: there is no user group S0UNHEARD. Correct it, or create the group in Slack.',
        STRICTER,
      ],
    ],
    [
      'an empty group, which is mentioned once',
      { approvers: ['@nobody', MARIA], tasks: [{ match: 'publish*', undoMs: 1 }] },
      [`${ABOUT} the user group @nobody has no members. Add people to it in Slack, or name another one.`],
    ],
    [
      'a quorum that is too large',
      { approvers: ['@release-managers', MARIA], quorum: 3 },
      [
        `${ABOUT} quorum is 3, but only Maria Alvarez and Aiko Tanaka can decide. Name more approvers, or lower quorum.`,
      ],
    ],
    [
      'a quorum of a task that is too large, which can’t be met together with the other rules',
      { approvers: ['@legal'], tasks: [{ match: 'publish*', quorum: 2 }] },
      [
        '✗ Policy of research for publish*: quorum is 2, but only Priya Nair can decide. Name more approvers, or lower quorum.',
        '✗ Policy of research for publish*: can’t be met together with the rules for other tasks until the crew has told a task’s name: nothing can be approved then. Let enough people decide by it, or write id instead of match.',
        STRICTER,
      ],
    ],
    [
      'a quorum that the starter would be needed for',
      { approvers: ['@release-managers'], quorum: 2, selfApproval: false },
      [
        `${ABOUT} quorum is 2 and self_approval is false: if Maria Alvarez starts a run, only Aiko Tanaka can decide. Name more approvers, lower quorum, or allow self_approval.`,
      ],
    ],
    [
      'an only approver who may start it, too',
      { approvers: ['@legal'], starters: ['@legal'], selfApproval: false },
      [
        `${ABOUT} quorum is 1 and self_approval is false: if Priya Nair starts a run, nobody else can decide. Name more approvers, lower quorum, or allow self_approval.`,
      ],
    ],
    [
      'a channel with too few members',
      { approvers: ['channel'], channel: 'C0INCIDNT3', quorum: 3 },
      [`${ABOUT} quorum is 3, but only Maria Alvarez and Jon Bell can decide. Name more approvers, or lower quorum.`],
    ],
    [
      'an escalation to nobody',
      { approvers: [MARIA], escalateTo: ['@guests'] },
      [`${ABOUT} nobody in escalate_to can decide. Name people who are active members.`],
    ],
    [
      'a quorum that only the escalation reaches',
      { approvers: ['@legal'], quorum: 2, escalateTo: ['@release-managers'] },
      [
        '! Policy of research: quorum is 2, but only Priya Nair can decide. Until it is escalated, it waits in vain. Name more approvers.',
      ],
    ],
    [
      'starters who cannot start',
      { starters: ['@guests'] },
      ['✗ Starters of research: nobody can start it. Name people who are active members.'],
    ],
  ])('%s', async (_, crew, lines) => {
    expect(await policyFindings(slack, crew)).toEqual(lines);
  });

  it('a handle that groups of two workspaces of an organisation have', async () => {
    const seed = asOrganisation(DEFAULT_SEED);
    const namesake = { id: 'SLABLEGAL', handle: 'legal', name: 'Legal of Labs', memberIds: ['UAIKO0003'] };
    const organisation = await startSlackWorkspace({
      rateLimits: 'off',
      app: { isOrgReady: true },
      seed: { ...seed, groups: [...seed.groups, { ...namesake, workspaceId: 'T0LABS0002' }] },
    });
    const installation = { kind: 'organisation', enterpriseId: 'E0SANDBOX1' } as const;
    expect(await policyFindings(organisation, { approvers: [MARIA, '@legal'] }, { installation })).toEqual([
      `${ABOUT} several workspaces have a user group @legal (SLEGAL002 and SLABLEGAL), so that it stands for nobody. Name the one that you mean by its id.`,
    ]);
    await organisation.close();
  });

  it('an app without a scope that a policy needs', async () => {
    const crew = { approvers: ['@legal', 'maria@example.com', 'workspace'], starters: ['@legal', MARIA] };
    const advice = 'Add it under OAuth & Permissions and reinstall the app, or name people by their ids.';
    expect(await policyFindings(slack, crew, { scopes: ['users:read'] })).toEqual([
      `✗ Slack scope usergroups:read: missing, but research names @legal. ${advice}`,
      `✗ Slack scope users:read.email: missing, but research names maria@example.com. ${advice}`,
    ]);
  });

  it('nothing about scopes that no policy needs', async () => {
    expect(await policyFindings(slack, { approvers: [MARIA, 'channel'] }, { scopes: ['users:read'] })).toEqual([
      expect.stringMatching(/^✓/),
    ]);
  });

  it('a Slack that cannot tell', async () => {
    slack.faults.add({ method: 'usergroups.list', effect: { kind: 'status', status: 503 }, times: 9 });
    expect(await policyFindings(slack, { approvers: ['@legal'] })).toEqual([
      "! Policy of research: couldn't look up @legal (no answer). Run this again.",
      "! Policy of research: couldn't find out whether enough people can decide. Fix what else is wrong, and run this again.",
    ]);
  });

  it('a plan of Slack that has no user groups', async () => {
    const effect = { kind: 'error', error: 'plan_upgrade_required' } as const;
    slack.faults.add({ method: 'usergroups.list', effect, times: 9 });
    const [finding] = await policyFindings(slack, { approvers: ['@legal'] });
    slack.faults.clear();
    expect(finding).toBe(
      "✗ Policy of research: @legal is a user group, and this workspace's plan has none. " +
        'Name people by id or e-mail address, or the members of the channel.',
    );
  });

  it('members of a group whom Slack cannot tell anything about', async () => {
    slack.faults.add({ method: 'users.info', effect: { kind: 'rate-limited', retryAfterSeconds: 9 }, times: 99 });
    expect(await policyFindings(slack, { approvers: ['@release-managers'], quorum: 2 })).toEqual([
      "! Policy of research: couldn't find out whether enough people can decide. Fix what else is wrong, and run this again.",
    ]);
  });
});

describe('the doctor, where people come and go,', () => {
  let people: AnsweringSlack;
  beforeAll(async () => {
    people = await startAnsweringSlack({
      'users.info': (args) => user({ id: args.get('user'), ...PEOPLE[args.get('user') ?? ''] }),
      'users.lookupByEmail': (args) => ADDRESSES[args.get('email') ?? ''] ?? refusal('users_not_found'),
      'usergroups.list': () => ({
        usergroups: [
          { id: 'SLEADS001', handle: 'leads' },
          { id: 'SOLD00002', handle: 'old', date_delete: 1_700_000_000 },
        ],
      }),
      'usergroups.users.list': () => ({ users: ['UGONE', 'UTWIN1', 'UTWIN2'] }),
    });
  });
  afterAll(() => people.close());

  const PEOPLE: Record<string, object> = {
    UGONE: { deleted: true },
    UTWIN1: { enterprise_user: { id: 'WTWIN' } },
    UTWIN2: { enterprise_user: { id: 'WTWIN' } },
    UGUEST: { is_restricted: true },
  };
  const ADDRESSES: Record<string, object> = {
    'maria@example.com': user(),
    'guest@example.com': user({ id: 'UGUEST' }),
    'gone@example.com': user({ id: 'UGONE' }),
  };

  it.each([
    ['UGONE', 'UGONE (Maria) is deactivated. Name another person.'],
    ['gone@example.com', 'gone@example.com (Maria) is deactivated. Name another person.'],
    ['nobody@example.com', 'nobody has the address nobody@example.com in Slack. Correct it, or name the person by id.'],
    [
      'guest@example.com',
      'guest@example.com (Maria) is a guest, and has to be named by id. Name them as UGUEST, with guests: true.',
    ],
    ['@old', 'the user group @old is disabled. Enable it in Slack, or name another one.'],
  ])('finds %s', async (name, sentence) => {
    expect(await policyFindings(people, { approvers: [name, 'maria@example.com'], guests: true })).toEqual([
      `✗ Policy of research: ${sentence}`,
    ]);
  });

  it('counts two accounts of one person once, and deactivated ones not at all', async () => {
    expect(await policyFindings(people, { approvers: ['@leads'], quorum: 2 })).toEqual([
      '✗ Policy of research: quorum is 2, but only Maria can decide. Name more approvers, or lower quorum.',
    ]);
  });
});
