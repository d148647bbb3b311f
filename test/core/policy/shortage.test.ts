import { expect, it } from 'vitest';
import type { Account } from '../../../src/core/policy/permits.ts';
import { DEFAULT_POLICY, type Policy, parseApprover, type StagePolicy } from '../../../src/core/policy/policy.ts';
import type { RequestRules } from '../../../src/core/policy/rules.ts';
import { canRunShort, isLeftToNobody, shortagesOf } from '../../../src/core/policy/shortage.ts';
import type { HumanRequest, Vote } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { account, facts, pending, vote } from '../../support/requests.ts';
import { inForce } from '../../support/rules-in-force.ts';

const PEOPLE = ['UMARIA', 'UJON', 'UAIKO'] as const;
const by = (id: string) => vote({ id, name: id });

interface Case {
  rules: { approvers?: string[]; allOf?: string[]; escalateTo?: string[] } & Partial<
    Omit<Policy, 'approvers' | 'allOf' | 'escalateTo' | 'stages'>
  >;
  stages?: { approvers: string[]; quorum?: number }[];
  isEscalated?: boolean;
  /** Who isn't an active member; null: Slack can't tell. */
  away?: Partial<Record<(typeof PEOPLE)[number], Partial<Account> | null>>;
  /** Who is in which group; null: Slack can't tell. */
  groups?: Record<string, string[] | null>;
  starter?: string;
  votes?: Vote[];
}

const named = (names: readonly string[] = []) => names.map(parseApprover).filter((each) => each !== null);
const GONE = { isDeactivated: true };

function rulesOf({ rules, stages = [], isEscalated = false, starter, votes = [] }: Case): RequestRules {
  const { approvers, allOf, escalateTo, ...others } = rules;
  const people = { approvers: named(approvers), allOf: named(allOf), escalateTo: named(escalateTo) };
  const policy: Policy = { ...DEFAULT_POLICY, ...others, ...people };
  const { stages: _, stage: __, ...single } = policy;
  const inStages = stages.map(
    (stage, i): StagePolicy => ({ ...single, ...stage, approvers: named(stage.approvers), name: `stage ${i + 1}` }),
  );
  const staged = { ...policy, ...inStages[0], stages: inStages };
  const request: HumanRequest = pending({ votes });
  return {
    ...{ execution: execution({ requests: [request] }), request, crewPolicy: null, hours: null, notify: 'mention' },
    policies: [inForce(staged, { isEscalated })],
    subject: { starterId: starter ?? null, handedOver: [] },
  };
}

function shortagesIn(each: Case) {
  const { away = {}, groups = {} } = each;
  const accounts = PEOPLE.map((id) => [id, away[id] === null ? null : account(id, away[id] ?? {})] as const);
  const members = Object.entries(groups).map(([name, ids]) => [name, ids && new Set(ids)] as const);
  const known = facts(Object.fromEntries(accounts), { members: Object.fromEntries(members) });
  const found = shortagesOf(rulesOf(each), PEOPLE, known);
  if (found === 'unsure') return found;
  return found.map(({ lack, why, approvers, needed, left, stage, untilEscalated }) =>
    [
      lack,
      ...(lack === 'nobody' || lack === 'seat' ? [why, ...approvers] : []),
      ...(lack === 'people' || lack === 'stages' ? [needed, ...left] : []),
      ...(lack === 'escalation' ? approvers : []),
      ...(stage === null ? [] : [`in ${stage}`]),
      ...(untilEscalated ? ['until escalated'] : []),
    ].join(' '),
  );
}

const CASES: [string, Case, string[] | 'unsure'][] = [
  ['an active approver', { rules: { approvers: ['UJON'] } }, []],
  ['the workspace', { rules: { approvers: ['workspace'], quorum: 5 } }, []],
  ['a channel', { rules: { approvers: ['channel'], quorum: 5 } }, []],
  ['a deactivated approver', { rules: { approvers: ['UJON'] }, away: { UJON: GONE } }, ['nobody inactive UJON']],
  [
    'a guest',
    { rules: { approvers: ['@leads'] }, groups: { '@leads': ['UJON'] }, away: { UJON: { isGuest: true } } },
    ['nobody inactive @leads'],
  ],
  ['an empty group', { rules: { approvers: ['@leads'] }, groups: { '@leads': [] } }, ['nobody inactive @leads']],
  ['a group of which Slack can’t tell', { rules: { approvers: ['@leads'] }, groups: { '@leads': null } }, 'unsure'],
  ['a person of whom Slack can’t tell', { rules: { approvers: ['UJON'] }, away: { UJON: null } }, 'unsure'],
  [
    'one of whom Slack can’t tell, beside enough others',
    { rules: { approvers: ['UJON', 'UAIKO'] }, away: { UJON: null } },
    [],
  ],
  [
    'the starter alone',
    { rules: { approvers: ['UJON'], selfApproval: false }, starter: 'UJON' },
    ['nobody starter UJON'],
  ],
  [
    'a quorum above who is left',
    { rules: { approvers: ['UJON', 'UAIKO'], quorum: 2 }, away: { UAIKO: GONE } },
    ['people 2 UJON'],
  ],
  ['a quorum of which one has voted', { rules: { approvers: ['UJON', 'UAIKO'], quorum: 2 }, votes: [by('UAIKO')] }, []],
  [
    'a seat without people',
    { rules: { approvers: ['UJON'], allOf: ['@legal'] }, groups: { '@legal': [] } },
    ['seat inactive @legal'],
  ],
  [
    'two seats for one person',
    {
      rules: { approvers: [], quorum: 0, allOf: ['@legal', '@leads'] },
      groups: { '@legal': ['UJON'], '@leads': ['UJON'] },
    },
    ['people 2 UJON'],
  ],
  [
    'seats that others can take once votes change places',
    {
      rules: { approvers: [], quorum: 0, allOf: ['@legal', '@leads'] },
      groups: { '@legal': ['UJON', 'UAIKO'], '@leads': ['UAIKO'] },
      votes: [{ ...by('UAIKO'), seat: '@legal', rule: '@legal' }],
    },
    [],
  ],
  [
    'those who can decide after an escalation',
    { rules: { approvers: ['UJON'], escalateTo: ['UAIKO'], escalateAfterMs: 1 }, away: { UJON: GONE } },
    ['nobody inactive UJON until escalated'],
  ],
  [
    'an escalation that has helped',
    { rules: { approvers: ['UJON'], escalateTo: ['UAIKO'] }, isEscalated: true, away: { UJON: GONE } },
    [],
  ],
  [
    'an escalation to a deactivated person',
    { rules: { approvers: ['UJON'], escalateTo: ['UAIKO'] }, isEscalated: true, away: { UAIKO: GONE } },
    ['escalation UAIKO'],
  ],
  ['stages of two people', { rules: {}, stages: [{ approvers: ['UJON'] }, { approvers: ['UAIKO'] }] }, []],
  [
    'stages of one person',
    { rules: {}, stages: [{ approvers: ['UJON'] }, { approvers: ['UJON'] }] },
    ['stages 2 UJON in stage 2'],
  ],
  [
    'a later stage without people',
    { rules: {}, stages: [{ approvers: ['UJON'] }, { approvers: ['UAIKO'] }], away: { UAIKO: GONE } },
    ['nobody inactive UAIKO in stage 2'],
  ],
  [
    'a later stage of somebody whose approval counts for the open one',
    { rules: {}, stages: [{ approvers: ['UJON', 'UAIKO'], quorum: 2 }, { approvers: ['UJON'] }], votes: [by('UJON')] },
    ['nobody voted UJON in stage 2'],
  ],
];

it.each(CASES)('It is known whether %s can complete a request, and if not, why', (_, each, wanted) => {
  expect(shortagesIn(each)).toEqual(wanted);
});

it('It isn’t looked for where the workspace or a channel can decide', () => {
  const can = (approvers: string[]) => canRunShort(rulesOf({ rules: { approvers } }).policies);
  expect([['workspace'], ['channel', 'UJON'], ['UJON'], ['@leads']].map(can)).toEqual([false, false, true, true]);
});

it('Nobody is asked only where none of the possible rules has anybody', () => {
  const each = { rules: { approvers: ['UJON'] }, away: { UJON: GONE } };
  const { policies } = rulesOf(each);
  const found = shortagesOf(rulesOf(each), ['UJON'], facts({ UJON: account('UJON', GONE) }));
  if (found === 'unsure') throw new Error('unsure');
  expect(isLeftToNobody({ policies }, found)).toBe(true);
  expect(
    isLeftToNobody({ policies: [...policies, ...policies.map((rules) => ({ ...rules, place: '/tasks/0' }))] }, found),
  ).toBe(false);
});
