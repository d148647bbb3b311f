import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readRules } from '../../../src/tools/policy/read-rules.ts';
import { readCases } from '../../../src/tools/policy/rule-cases.ts';
import { tryCases } from '../../../src/tools/policy/try-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'signoff-cases-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CREWS = join(folder, 'crews.yml');
writeFileSync(
  CREWS,
  `crews:
  - name: payments
    base_url: https://payments.example.com
    token: secret
    inputs:
      amount: { type: number }
      env: { type: choice, options: [prod, test] }
      owner: { label: Owner }
    approval:
      approvers: [channel, U0GUEST]
      guests: true
      self_approval: false
      started_elsewhere: [ada@example.com]
      tasks:
        - match: "pay*"
          approvers: ["@directors", "input:owner"]
          when:
            - if: "inputs.amount > 5000 && inputs.env == 'prod'"
              quorum: 2
              approvers: ["@directors"]
            - if: "hour < 8 || round > 3"
              quorum: 2
        - match: "release*"
          stages:
            - { name: Peer, approvers: [channel] }
            - { name: Release, approvers: ["@directors"], all_of: ["@legal"] }
        - match: "late*"
          approvers: [lea@example.com]
          escalate_after: 4h
          escalate_to: ["@directors"]
        - match: "deploy*"
          approvers: [U0ADA, U0BOB]
          quorum: 2
          step_up: true
  - name: open
    base_url: https://open.example.com
    token: secret
`,
);

const STAFF = {
  groups: {
    '@directors': ['U0ADA', 'U0BOB', 'U0GONE'],
    '@legal': ['U0LEA'],
    channel: ['ada@example.com', 'U0PIA', 'U0OTHER', 'U0GUEST2'],
  },
  emails: { 'Ada@example.com': 'U0ADA', 'lea@example.com': 'U0LEA' },
  guests: ['U0GUEST', 'U0GUEST2'],
  strangers: ['U0OTHER'],
  deactivated: ['U0GONE'],
};

/** What the command says of a file with this content. */
function test(content: object | string): string {
  const file = join(folder, 'cases.yml');
  writeFileSync(file, typeof content === 'string' ? content : stringify(content));
  const rules = readRules(CREWS, {});
  if (!rules.ok) throw new Error(rules.refusal.join('\n'));
  const read = readCases(file, rules.value.crews);
  if (!read.ok) return read.refusal.join('\n').replaceAll(`${file}, `, '');
  return tryCases(read.value.cases, { ...read.value, places: rules.value.places }).text;
}

const CASE = { name: 'a case', crew: 'payments', task: 'other', user: 'U0PIA', expect: 'approved' };
const test1 = (own: object) => test({ ...STAFF, cases: [{ ...CASE, ...own }] });

const LARGE = { task: 'Pay it', inputs: { amount: 9000, env: 'prod' }, hour: 12 };
const SMALL = { task: 'Pay it', inputs: { amount: 90, env: 'prod' }, hour: 12 };
const RELEASE = { task: 'release' };

describe('cases that are as expected:', () => {
  it.each<[string, object]>([
    ['a member of the channel, by the crew’s own rules', {}],
    ['a task whose name isn’t known, by all rules that may apply', { task: undefined, expect: 'stage', stage: 'Peer' }],
    ['somebody who is in no group', { user: 'U0BOB', expect: 'refused', because: 'not-approver' }],
    ['a starter', { starter: 'U0PIA', expect: 'refused', because: 'self-approval' }],
    [
      'a starter by another name',
      { user: 'U0ADA', starter: 'ada@example.com', expect: 'refused', because: 'self-approval' },
    ],
    [
      'who counts as the starter elsewhere',
      { user: 'U0ADA', starter: 'elsewhere', expect: 'refused', because: 'self-approval' },
    ],
    ['another one there', { starter: 'elsewhere' }],
    ['a rejection', { verdict: 'reject', expect: 'rejected' }],
    ['a decline', { verdict: 'decline', expect: 'declined' }],
    ['a guest who is named', { user: 'U0GUEST' }],
    ['a guest who isn’t', { user: 'U0GUEST2', expect: 'refused', because: 'guest' }],
    ['somebody of another organisation', { user: 'U0OTHER', expect: 'refused', because: 'stranger' }],
    ['somebody who has left', { ...SMALL, user: 'U0GONE', expect: 'refused', because: 'deactivated' }],
    ['anybody of the workspace', { crew: 'open', user: 'U0ANYBODY' }],
    ['one director for a small payment', { ...SMALL, user: 'U0ADA' }],
    ['one of two directors for a large one', { ...LARGE, user: 'U0ADA', expect: 'counts', needs: 1 }],
    ['the second director', { ...LARGE, votes: ['U0ADA'], user: 'U0BOB' }],
    ['the same director again', { ...LARGE, votes: ['U0ADA'], user: 'ada@example.com', expect: 'counts', needs: 1 }],
    ['a rejection after a vote', { ...LARGE, votes: ['U0ADA'], user: 'U0BOB', verdict: 'reject', expect: 'rejected' }],
    ['a payment early in the morning', { ...SMALL, hour: 7, user: 'U0ADA', expect: 'counts' }],
    ['a fourth round', { ...SMALL, round: 4, user: 'U0ADA', expect: 'counts' }],
    ['an hour that isn’t known', { ...SMALL, hour: undefined, user: 'U0ADA', expect: 'counts' }],
    [
      'an amount of the wrong type',
      { ...LARGE, inputs: { amount: 'much', env: 'prod' }, user: 'U0ADA', expect: 'counts' },
    ],
    [
      'whom an input names',
      { ...SMALL, inputs: { ...SMALL.inputs, owner: 'pia@example.com' }, user: 'pia@example.com' },
    ],
    [
      'whom an input names, for a large payment',
      {
        ...LARGE,
        inputs: { ...LARGE.inputs, owner: 'U0PIA' },
        expect: 'refused',
        because: 'not-approver',
      },
    ],
    [
      'a starter whom an input names',
      {
        ...SMALL,
        inputs: { ...SMALL.inputs, owner: 'U0PIA' },
        starter: 'U0PIA',
        expect: 'refused',
        because: 'self-approval',
      },
    ],
    ['the first stage', { ...RELEASE, expect: 'stage', stage: 'Peer' }],
    [
      'the second one, for who isn’t of it',
      { ...RELEASE, votes: ['U0PIA'], user: 'U0PAT', expect: 'refused', stage: 'Release' },
    ],
    [
      'who has approved the first',
      { ...RELEASE, votes: ['U0ADA'], user: 'U0ADA', expect: 'refused', because: 'right-used' },
    ],
    ['one of two seats', { ...RELEASE, votes: ['U0PIA'], user: 'U0LEA', expect: 'counts', needs: 1, stage: 'Release' }],
    ['all seats', { ...RELEASE, votes: ['U0PIA', 'U0ADA'], user: 'U0LEA', stage: 'Release' }],
    ['who has signed in', { task: 'deploy', votes: ['U0ADA'], user: 'U0BOB' }],
    [
      'who has yet to sign in',
      { task: 'deploy', votes: ['U0ADA'], user: 'U0BOB', signed_in: false, expect: 'sign-in' },
    ],
    [
      'who rejects, which takes no sign-in',
      { task: 'deploy', user: 'U0BOB', signed_in: false, verdict: 'reject', expect: 'rejected' },
    ],
    ['before an escalation', { task: 'late', user: 'U0BOB', expect: 'refused' }],
    ['after an escalation', { task: 'late', user: 'U0BOB', escalated: true }],
    ['an address that the rules name', { task: 'late', user: 'U0LEA' }],
  ])('%s', (_, own) => {
    expect(test1(own)).toBe('1 case: all as expected.');
  });
});

describe('a case that isn’t as expected says what happens instead:', () => {
  it.each<[object, string]>([
    [{ expect: 'counts', needs: 2 }, 'expected counts (needs: 2), but it is approved.'],
    [{ verdict: 'reject' }, 'expected approved, but it is rejected.'],
    [{ user: 'U0BOB' }, 'expected approved, but it is refused (not-approver): they are none of those who can.'],
    [
      { user: 'U0ADA', starter: 'elsewhere' },
      'expected approved, but it is refused (self-approval): they count as the starter of runs that were started elsewhere.',
    ],
    [{ ...RELEASE }, 'expected approved, but it completes the stage Peer.'],
    [
      { ...RELEASE, votes: ['U0PIA'], user: 'U0ADA' },
      'expected approved, but it counts in the stage Release, and 1 more has to approve, one of each of: @legal.',
    ],
    [
      { ...RELEASE, votes: ['U0PIA', 'U0ADA'], user: 'U0LEA', stage: 'Peer' },
      'expected approved (stage: Peer), but it is approved in the stage Release.',
    ],
    [
      { task: 'deploy', user: 'U0ADA', signed_in: false },
      'expected approved, but it would count once they have signed in.',
    ],
    [{ votes: ['U0ADA'] }, 'the vote of U0ADA doesn’t only count: it is approved.'],
    [
      { ...RELEASE, votes: ['bob@example.com'], user: 'U0LEA' },
      'the vote of bob@example.com doesn’t only count: it is refused in the stage Peer (not-approver): they are none of those who can.',
    ],
  ])('%j', (own, told) => {
    expect(test1(own)).toMatch(/\n1 case: 1 not as expected\.$/);
    expect(test1(own).split('\n')[0]).toBe(`✗ line 24, a case: ${told}`);
  });

  it('and which conditions count, with their lines', () => {
    const [, ...conditions] = test1({ ...LARGE, user: 'U0ADA' }).split('\n');
    expect(conditions).toEqual([
      "    This condition holds: `inputs.amount > 5000 && inputs.env == 'prod'` (crews.yml, line 18)",
      '1 case: 1 not as expected.',
    ]);
    expect(test1({ ...SMALL, user: 'U0LEA' }).split('\n')[1]).toBe('    None of the conditions holds.');
    expect(
      test1({ task: 'pay', inputs: { amount: 90 }, user: 'U0ADA' })
        .split('\n')
        .slice(1, -1),
    ).toEqual([
      '    Whether this condition holds can’t be told, as hour isn’t known: `hour < 8 || round > 3` (crews.yml, line 21)',
      '    Until that is known, an approval has to be complete by each of the rules that may apply.',
    ]);
  });

  it.each<[object, string]>([
    [{ groups: {} }, 'expected refused, but the file doesn’t say under groups who is in channel.'],
    [
      { emails: {}, cases: [{ ...CASE, task: 'late', expect: 'refused' }] },
      'expected refused, but the file doesn’t say under emails whose address lea@example.com is.',
    ],
    [
      { emails: {}, cases: [{ ...CASE, user: 'U0BOB', starter: 'elsewhere', expect: 'refused' }], groups: {} },
      'expected refused, but the file doesn’t say under emails whose address ada@example.com is.',
    ],
  ])('where the file doesn’t tell, whatever is expected: %j', (own, told) => {
    const text = test({ cases: [{ ...CASE, expect: 'refused' }], ...own });
    expect(text).toContain(told);
  });
});

describe('mistakes in the file are named with their lines:', () => {
  it.each<[string, string[]]>([
    ['cases: []', ['line 1, cases is an empty list: add a case.']],
    ['groups: {}', ['line 1, cases is missing: the list of cases.']],
    ['- name: a', ['line 1 must start with groups: or cases:.']],
    [
      'group: {}\ncases: [{ name: a, user: U0ADA, crew: open, expects: approved }]',
      [
        `line 1, group isn't a setting; did you mean groups?`,
        'line 2, cases[0].expect must be one of approved, rejected, declined, counts, stage, sign-in, refused.',
        `line 2, cases[0].expects isn't a setting; did you mean expect?`,
      ],
    ],
    [
      'groups: { directors: [U0ADA], channel: [ada] }\nemails: { ada: U0ADA, ada@example.com: ada }\ncases:\n  - { name: a, crew: open, user: ada, expect: counts, hour: 24, round: 0, starter: me, channel: releases }',
      [
        `line 1, groups.directors isn't a user group ("@leads" or S0456DEF) or channel.`,
        'line 1, groups.channel[0] must be the id (U0123ABC) or e-mail address of a person.',
        `line 2, emails.ada isn't an e-mail address.`,
        'line 2, emails.ada@example.com must be the id of a person, such as U0123ABC.',
        'line 4, cases[0].user must be the person who decides: an id (U0123ABC) or e-mail address.',
        'line 4, cases[0].hour must be an hour from 0 to 23.',
        'line 4, cases[0].round must be a whole number from 1.',
        'line 4, cases[0].starter must be a person (U0123ABC or maria@example.com), or elsewhere.',
        'line 4, cases[0].channel must be the id of a channel, such as C0123456789.',
      ],
    ],
    [
      'cases:\n  - { name: a, crew: payment, user: U0ADA, expect: approved }\n  - { name: b, user: U0ADA, expect: approved }',
      [
        "line 2, cases[0].crew isn't a crew; did you mean payments?",
        'line 3, cases[1].crew is missing: the name of a crew.',
      ],
    ],
    [
      'cases:\n  - { name: a, crew: payments, user: U0ADA, expect: approved, because: guest, needs: 2, inputs: { amuont: 1, x: 2 } }',
      [
        'line 2, cases[0].because says something only beside expect: refused.',
        'line 2, cases[0].needs says something only beside expect: counts.',
        `line 2, cases[0].inputs.amuont isn't among the inputs of payments; did you mean amount?`,
        `line 2, cases[0].inputs.x isn't among the inputs of payments.`,
      ],
    ],
    ['cases: [', ["line 1: this isn't YAML (bad indent)."]],
  ])('%s', (content, mistakes) => {
    expect(test(content).split('\n').sort()).toEqual([...mistakes].sort());
  });
});
