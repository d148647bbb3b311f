import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseCondition } from '../../../src/conditions/cel.ts';
import type { LedgerEvent } from '../../../src/core/ledger/entry.ts';
import { policyHash } from '../../../src/core/policy/document.ts';
import { type CrewPolicy, DEFAULT_POLICY, parseApprover } from '../../../src/core/policy/policy.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { readRules } from '../../../src/tools/policy/read-rules.ts';
import { replayExport } from '../../../src/tools/policy/replay-export.ts';
import {
  append,
  asked,
  confirmed,
  decided,
  exported,
  jon,
  maria,
  NOW,
  POLICY,
  recordPolicy,
  refOf,
  STORY,
  sent,
  voted,
} from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../../redis/store-under-test.ts';
import { run } from '../../support/audit-program.ts';
import { programPath } from '../../support/program-path.ts';

const { redis } = redisForTests();
const folder = mkdtempSync(join(tmpdir(), 'signoff-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Settings = Record<string, Json>;

/** A crews file in which these rules are those of the crew `research`. */
function crewsFile(approval: Settings, more: Settings = {}, name = 'research'): string {
  const file = join(folder, 'crews.yml');
  const crew = { name, base_url: 'https://crew.example.com', token: 'secret', approval, ...more };
  writeFileSync(file, stringify({ crews: [crew] }));
  return file;
}

interface Rules {
  approval: Settings;
  more?: Settings;
  crew?: string;
  isVerified?: boolean;
}

async function replayed(text: string, { approval, more, crew, isVerified = true }: Rules) {
  const rules = readRules(crewsFile(approval, more, crew), {});
  if (!rules.ok) throw new Error(rules.refusal.join('\n'));
  const bytes = Buffer.from(text);
  const open = () => Readable.from([bytes.subarray(0, 99), bytes.subarray(99)]);
  const answer = await replayExport(open, { crews: rules.value.crews, isVerified });
  return answer.ok ? answer.value : answer.refusal;
}

/** What is said of the decisions of one run, without the summary. */
async function verdictOn(events: readonly LedgerEvent[], rules: Rules, policy: CrewPolicy = POLICY): Promise<string> {
  await recordPolicy(redis(), policy);
  await append(redis(), refOf(1), events);
  const answer = await replayed(await exported(redis()), rules);
  if (typeof answer === 'string') throw new Error(answer);
  const [line, ...others] = answer.text.split('\n');
  const isOnly = others.length === 0;
  if (isOnly) return line?.includes('1 allowed') ? 'allowed' : `nothing: ${line}`;
  expect(others).toHaveLength(1);
  return line?.replace(/^.* {2}/, '') ?? '';
}

const LEADS = ['@leads', 'U0MARIA'];
const TWO = { approvers: LEADS, quorum: 2 };
const approver = (name: string) => parseApprover(name) ?? { kind: 'handle' as const, name };

describe('of a decision that two people made, other rules say', () => {
  it.each<[string, Settings, string]>([
    ['the same', { ...TWO, self_approval: false }, 'allowed'],
    ['that one would have been enough', { approvers: ['@leads'] }, 'allowed'],
    ['that more people are needed', { ...TWO, quorum: 3 }, 'not allowed: 1 more has to approve'],
    [
      'that only one of them decides',
      { approvers: ['U0JON'], quorum: 1, all_of: ['U0JON', 'U0BOSS'] },
      'not allowed: U0MARIA can’t approve: they are none of those who can',
    ],
    [
      'that nobody can tell who was in another group',
      { approvers: ['@chiefs'] },
      'can’t tell: the ledger doesn’t tell who was in @chiefs',
    ],
    [
      'that nobody can tell whether both were in one',
      { approvers: ['@leads'], quorum: 2 },
      'can’t tell: the ledger doesn’t tell who was in @leads',
    ],
    [
      'that nobody can tell whose address it was',
      { approvers: ['jon@example.com'] },
      'can’t tell: the ledger doesn’t tell whose address jon@example.com was',
    ],
    [
      'that nobody can tell who was in the channel',
      { approvers: ['channel'] },
      'can’t tell: the ledger doesn’t tell who was in the channel',
    ],
    [
      'that even the whole channel would be too few',
      { approvers: ['channel'], quorum: 3 },
      'not allowed: 1 more has to approve',
    ],
    ['that one of each has approved', { all_of: LEADS }, 'allowed'],
    [
      'that one of each has not',
      { all_of: ['U0MARIA', 'U0BOSS'] },
      'not allowed: U0JON can’t approve: they are none of those who can',
    ],
    [
      'one stage after the other',
      {
        stages: [
          { name: 'Peer', approvers: ['U0MARIA'] },
          { name: 'Lead', approvers: ['@leads'] },
        ],
      },
      'allowed',
    ],
    [
      'stages in another order',
      {
        stages: [
          { name: 'Lead', approvers: ['U0JON'] },
          { name: 'Peer', approvers: ['U0MARIA'] },
        ],
      },
      'not allowed: U0MARIA can’t approve in the stage Lead: they are none of those who can',
    ],
    [
      'that another stage comes after',
      {
        stages: [
          { name: 'A', approvers: ['U0MARIA'] },
          { name: 'B', approvers: ['U0JON'] },
          { name: 'C', approvers: ['U0BOSS'] },
        ],
      },
      'not allowed: C comes after in the stage B',
    ],
    [
      'that it takes a sign-in',
      { ...TWO, step_up: true },
      'not allowed: U0MARIA can’t approve without signing in; U0JON can’t approve without signing in',
    ],
    ['that it would have expired', { ...TWO, expire_after: '1s' }, 'not allowed: it would have expired after 1 second'],
    [
      'that it would have been escalated',
      { approvers: ['U0BOSS', '@bosses'], quorum: 2, escalate_after: '1s', escalate_to: LEADS },
      'allowed',
    ],
    [
      'that it would not have been escalated by then',
      { approvers: ['U0BOSS'], quorum: 1, escalate_after: '1h', escalate_to: LEADS },
      'not allowed: U0MARIA can’t approve: they are none of those who can; U0JON can’t approve: they are none of those who can',
    ],
    ['the rules of its task', { approvers: ['U0BOSS'], tasks: [{ match: 'publish*', approvers: LEADS }] }, 'allowed'],
    [
      'that nobody can tell whom an input named',
      { approvers: ['input:owner'] },
      'can’t tell: the ledger doesn’t tell whom input:owner named',
    ],
  ])('%s', async (_, approval, told) => {
    const more = { inputs: { owner: { label: 'Owner' } } };
    expect(await verdictOn(STORY, { approval, more })).toBe(told);
  });
});

describe('of conditions', () => {
  const more = { inputs: { amount: { type: 'number' }, owner: { label: 'Owner' } } };
  const when = (condition: string, rules: Settings = { quorum: 3 }) => ({
    ...TWO,
    when: [{ if: condition, ...rules }],
  });
  const rules = (condition: string) => ({ approval: when(condition), more });

  it.each([
    ["starter == 'U0ANNA'", 'not allowed: 1 more has to approve'],
    ["starter == 'U0EVE'", 'allowed'],
    ['round > 1', 'allowed'],
    ["task.startsWith('publish')", 'not allowed: 1 more has to approve'],
    ["channel == 'C0123456789'", 'not allowed: 1 more has to approve'],
    [`hour == ${new Date(NOW).getUTCHours()}`, 'not allowed: 1 more has to approve'],
    ['inputs.amount > 5000', 'can’t tell: the ledger doesn’t tell inputs.amount'],
  ])('%s', async (condition, told) => {
    expect(await verdictOn(STORY, rules(condition))).toBe(told);
  });

  it('the strictest are enough where nobody can tell', async () => {
    const approval = { ...TWO, quorum: 1, when: [{ if: 'inputs.amount > 5000', quorum: 2 }] };
    expect(await verdictOn(STORY, { approval, more })).toBe('allowed');
  });

  it('none allows it, whichever counts', async () => {
    const approval = {
      approvers: ['U0BOSS'],
      when: [{ if: 'inputs.amount > 5000', approvers: ['U0CHIEF'], may_loosen: true }],
    };
    expect(await verdictOn(STORY, { approval, more })).toMatch(/^not allowed: U0MARIA can’t approve/);
  });

  describe('whose values the ledger has', () => {
    const kinds = { amount: 'number', owner: 'text' } as const;
    const condition = parseCondition('inputs.amount > 5000', kinds);
    if (typeof condition === 'string') throw new Error(condition);
    const seeing: CrewPolicy = {
      ...POLICY,
      approvers: [...POLICY.approvers, approver('input:owner')],
      inputs: kinds,
      when: [{ ...POLICY, undoMs: 0, condition }],
    };
    const policy = policyHash(seeing);
    const seen = { possible: ['/when/0'], values: { 'inputs.amount': 9000, 'inputs.owner': 'U0OLGA' } };
    const olga = { by: 'U0OLGA', rule: 'U0OLGA', account: 'member' as const };
    const story = [
      asked({ policy, seen }),
      { kind: 'voted' as const, at: NOW + 1_000, facts: { approval: '1', ...maria, text: null, policy, seen } },
      decided({ policy, seen }),
    ];

    it('they count', async () => {
      expect(await verdictOn(story, rules('inputs.amount > 5000'), seeing)).toBe('not allowed: 1 more has to approve');
      await redis().flushall();
      expect(await verdictOn(story, rules('inputs.amount > 50000'), seeing)).toBe('allowed');
    });

    it('whom they name counts', async () => {
      const approval = { approvers: ['input:owner'] };
      expect(await verdictOn(story, { approval, more }, seeing)).toMatch(/^not allowed: U0MARIA can’t approve/);
      await redis().flushall();
      const named = { ...seen, possible: [''], values: { 'inputs.amount': 1, 'inputs.owner': 'U0OLGA' } };
      const byOlga = [
        asked({ policy, seen: named }),
        decided({ policy, seen: named, verdict: 'reject', by: olga, votes: [] }),
      ];
      expect(await verdictOn(byOlga, { approval, more }, seeing)).toBe('allowed');
    });

    it('values of another type than the rules take are missing', async () => {
      const text = { inputs: { amount: { type: 'yes_no' } } };
      expect(await verdictOn(story, { approval: when('inputs.amount'), more: text }, seeing)).toBe(
        'can’t tell: the ledger doesn’t tell inputs.amount',
      );
    });
  });
});

describe('of people', () => {
  it('who started the run, other rules say that they can’t decide', async () => {
    const own = { ...POLICY, selfApproval: true };
    const policy = policyHash(own);
    const story = [asked({ starter: jon.by, policy }), decided({ policy, verdict: 'reject', votes: [] })];
    expect(await verdictOn(story, { approval: { ...TWO, self_approval: false } }, own)).toBe(
      'not allowed: U0JON can’t reject it: they started the run',
    );
  });

  it('who may have started one elsewhere by an address, nobody can tell', async () => {
    const own = { ...POLICY, selfApproval: true };
    const policy = policyHash(own);
    const story = [asked({ starter: null, policy }), decided({ policy, verdict: 'decline', votes: [] })];
    const approval = { ...TWO, self_approval: false, started_elsewhere: ['jon@example.com'] };
    expect(await verdictOn(story, { approval }, own)).toBe(
      'can’t tell: the ledger doesn’t tell who was in @leads, whose address jon@example.com was'.replace(
        'who was in @leads, ',
        '',
      ),
    );
  });

  it('who used the right of another, other rules say whether it may be passed on', async () => {
    const eve = { by: 'U0EVE', rule: 'handed over', account: 'member' as const, for: jon };
    const facts = { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy: policyHash(POLICY) };
    const story: LedgerEvent[] = [
      asked(),
      voted(),
      { kind: 'handed-over', at: NOW + 1_500, facts },
      decided({ by: eve, handed_to: [eve.by] }),
    ];
    expect(await verdictOn(story, { approval: { ...TWO, delegation: 'anyone' } })).toBe('allowed');
    await redis().flushall();
    expect(
      await verdictOn(story, { approval: { approvers: ['U0MARIA', 'U0JON'], quorum: 2, delegation: 'none' } }),
    ).toMatch(/^not allowed: U0EVE can’t approve: the rules don’t let them be added as an approver/);
  });

  it('who completed a stage before, other rules take in turn', async () => {
    const peer = { ...DEFAULT_POLICY, approvers: [approver('U0MARIA')] };
    const staged: CrewPolicy = {
      ...POLICY,
      quorum: 1,
      stages: [
        { ...peer, name: 'Peer' },
        { ...POLICY, quorum: 1, name: 'Lead' },
      ].map(({ name, ...rules }) => ({ ...DEFAULT_POLICY, ...rules, name })),
    };
    const policy = policyHash(staged);
    const completes: LedgerEvent = {
      kind: 'voted',
      at: NOW + 1_000,
      facts: {
        approval: '1',
        ...maria,
        text: null,
        policy,
        stage: 'Peer',
        completes: [{ place: '', stage: 'Peer', votes: [maria] }],
      },
    };
    const story = [asked({ policy }), completes, decided({ policy, votes: [], stage: 'Lead' })];
    expect(await verdictOn(story, { approval: TWO }, staged)).toBe('allowed');
    await redis().flushall();
    expect(await verdictOn(story, { approval: { ...TWO, quorum: 3 } }, staged)).toBe(
      'not allowed: 1 more has to approve',
    );
  });

  it('who stood in for another when a stage was completed counts, though that is over by now', async () => {
    const staged: CrewPolicy = {
      ...POLICY,
      quorum: 1,
      stages: ['Peer', 'Lead'].map((name) => ({ ...POLICY, quorum: 1, name })),
    };
    const policy = policyHash(staged);
    const eve = { by: 'U0EVE', rule: 'handed over', account: 'member' as const, for: jon };
    const facts = { approval: '1', by: jon.by, to: eve.by, rule: jon.rule, policy, until: NOW + 1_600 };
    const story: LedgerEvent[] = [
      asked({ policy }),
      { kind: 'handed-over', at: NOW + 1_000, facts },
      {
        kind: 'voted',
        at: NOW + 1_500,
        facts: {
          approval: '1',
          ...eve,
          text: null,
          policy,
          stage: 'Peer',
          completes: [{ place: '', stage: 'Peer', votes: [eve] }],
        },
      },
      decided({ policy, by: maria, votes: [], stage: 'Lead' }),
    ];
    expect(await verdictOn(story, { approval: { ...TWO, delegation: 'anyone' } }, staged)).toBe('allowed');
  });
});

describe('an export', () => {
  const approval = { ...TWO, quorum: 3 };

  async function twoRuns(): Promise<string> {
    await recordPolicy(redis());
    await append(redis(), refOf(1), [asked(), voted(), decided(), sent, confirmed]);
    await append(redis(), refOf(2), [asked({}, NOW), decided({ verdict: 'reject', votes: [] })]);
    return exported(redis());
  }

  it('is reported with a line for each decision that the rules would not have allowed', async () => {
    expect(await replayed(await twoRuns(), { approval })).toEqual({
      text: [
        `${new Date(NOW + 2_000).toISOString().replace('.000', '')}  ${refOf(1)}  research  publish the draft  approved by U0MARIA, U0JON  not allowed: 1 more has to approve`,
        '2 decisions of people: 1 allowed by these rules, 1 not allowed, of 0 nobody can tell.',
      ].join('\n'),
      notAllowed: 1,
    });
  });

  it('tells of a crew that the file doesn’t have', async () => {
    expect(await replayed(await twoRuns(), { approval, crew: 'other' })).toMatchObject({
      text: expect.stringContaining('can’t tell: the crews file has no crew research'),
      notAllowed: 0,
    });
  });

  it('that doesn’t verify is refused with its line, unless it needn’t', async () => {
    const changed = (await twoRuns()).replaceAll('U0JON', 'U0TOM');
    expect(await replayed(changed, { approval })).toMatch(/^line \d+: has a hash that isn't its own$/);
    expect(await replayed(changed, { approval, isVerified: false })).toMatchObject({ notAllowed: 1 });
  });

  it('whose runs lack their beginning, or tell no possible story, is no reason to guess', async () => {
    const lines = (await twoRuns()).split('\n');
    const first = lines.findIndex((line) => line.includes(`"ref":"${refOf(1)}"`) && line.includes('"kind":"asked"'));
    const cut = lines.toSpliced(first, 1).join('\n');
    expect(await replayed(cut, { approval, isVerified: false })).toMatchObject({
      text: expect.stringContaining('?  ?  approved by U0MARIA, U0JON  can’t tell: its first entries have expired'),
      notAllowed: 0,
    });
    const untold = lines.filter((line) => !line.includes('"kind":"voted"')).join('\n');
    expect(await replayed(untold, { approval: TWO, isVerified: false })).toMatchObject({ notAllowed: 0 });
  });

  it('that can’t be read is refused, also unverified', async () => {
    expect(await replayed('{"a":1}\n', { approval, isVerified: false })).toMatch(/^line 1: isn't a line of an export/);
  });

  it('is judged by the program, without any setting', async () => {
    const file = join(folder, 'export.jsonl');
    writeFileSync(file, await twoRuns());
    const crews = crewsFile(approval);
    const replay = (...args: string[]) => run([programPath('policy'), 'replay', ...args]);
    const { code, out, errors } = await replay(file, '--crews', crews);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/not allowed: 1 more has to approve\n2 decisions of people: 1 allowed by these rules, /);
    expect((await replay(file, '--crews', crews, '--fail')).code).toBe(1);
    expect((await replay(file, '--crews', crewsFile(TWO), '--fail')).code).toBe(0);
    writeFileSync(file, (await twoRuns()).replaceAll('U0JON', 'U0TOM'));
    const refused = await replay(file, '--crews', crewsFile(approval));
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.errors).toContain(
      "has a hash that isn't its own.\n--unverified judges what can be read all the same.\n",
    );
    expect((await replay(file, '--crews', crews, '--unverified')).code).toBe(0);
    expect(await replay('/nowhere.jsonl', '--crews', crews)).toEqual({
      code: 2,
      out: '',
      errors: "/nowhere.jsonl can't be read: there is no such file.\n",
    });
  });
});
