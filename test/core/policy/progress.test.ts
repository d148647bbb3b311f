import { describe, expect, it } from 'vitest';
import { stageKeys } from '../../../src/core/policy/document.ts';
import type { PossibleRules } from '../../../src/core/policy/in-force.ts';
import {
  type CrewPolicy,
  DEFAULT_POLICY,
  type Policy,
  parseApprover,
  type StagePolicy,
} from '../../../src/core/policy/policy.ts';
import {
  approvalsInAll,
  approvalsLeft,
  mostLacking,
  progressOf,
  stageApprovedBy,
  voteStandingOf,
} from '../../../src/core/policy/progress.ts';
import { findRules } from '../../../src/core/policy/rules.ts';
import { mentionsFor } from '../../../src/core/request/alerts.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { withdraw } from '../../../src/core/request/retract.ts';
import { type Execution, findRequest } from '../../../src/core/state/execution.ts';
import type { Person, Vote } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { account, facts, JON, MARIA, PERMITTED, pending, START, textOf, vote } from '../../support/requests.ts';

const approvers = (...names: string[]) => names.flatMap((name) => parseApprover(name) ?? []);
const SEATS = {
  ...DEFAULT_POLICY,
  approvers: approvers('@legal', '@security'),
  allOf: approvers('@legal', '@security'),
};
const OTHERS = { ...SEATS, approvers: approvers('@leads') };

const seated = (seat: string | undefined, rule = seat ?? '@legal'): Pick<Vote, 'rule' | 'seat'> => ({ rule, seat });

const openBy = (policy: Policy): PossibleRules => ({
  ...policy,
  place: '',
  stageKeys: stageKeys(policy.stages),
  isEscalated: false,
});

describe('what a request has and lacks', () => {
  it.each([
    ['of two people', { ...DEFAULT_POLICY, quorum: 2 }, [{}], { given: 1, needed: 2, missing: [], lacking: 1 }],
    ['of each of two groups', SEATS, [], { given: 0, needed: 2, missing: ['@legal', '@security'], lacking: 1 }],
    ['of the other group', SEATS, [seated('@legal')], { given: 1, needed: 2, missing: ['@security'], lacking: 0 }],
    ['of the other one still', SEATS, [seated('@legal'), seated(undefined)], { given: 1, missing: ['@security'] }],
    [
      'of one more',
      { ...SEATS, quorum: 3 },
      [seated('@legal'), seated('@security')],
      { given: 2, needed: 3, missing: [] },
    ],
    ['of those beside them', OTHERS, [seated('@legal'), seated('@security')], { given: 2, needed: 3, lacking: 1 }],
    [
      'of both groups',
      OTHERS,
      [seated(undefined, '@leads')],
      { given: 1, needed: 3, missing: ['@legal', '@security'], lacking: 0 },
    ],
    ['of both, by a vote of before', SEATS, [{}], { given: 0, missing: ['@legal', '@security'] }],
  ])('lacks the approval %s', (_, policy, votes, wanted) => {
    const { missing, ...progress } = progressOf(openBy(policy), votes);
    expect({ ...progress, missing: missing.map(({ name }) => name) }).toMatchObject(wanted);
  });

  it('counts those to whom it was escalated among those whom it takes', () => {
    const policy = { ...OTHERS, escalateTo: approvers('@boss') };
    const votes = [seated(undefined, '@boss')];
    const lackingIf = (isEscalated: boolean) => progressOf({ ...openBy(policy), isEscalated }, votes).lacking;
    expect([lackingIf(false), lackingIf(true)]).toEqual([1, 0]);
  });
});

const { stages: _, stage: _at, ...RULES } = DEFAULT_POLICY;
const stage = (name: string, own: Partial<Policy>): StagePolicy => ({ ...RULES, ...own, name });
const STAGES = [stage('Peer', {}), stage('Legal', SEATS), stage('Board', { quorum: 2 })];
const inStage = (at: number) => openBy({ ...DEFAULT_POLICY, ...STAGES[at], stages: STAGES, stage: at });

describe('stages', () => {
  it('take the approvals of all of them, of which some are left', () => {
    expect([approvalsInAll(DEFAULT_POLICY), approvalsInAll(inStage(0))]).toEqual([1, 5]);
    expect(approvalsLeft(inStage(1), pending({ votes: [{ ...vote(MARIA), ...seated('@legal') }] }).discussion)).toBe(3);
  });

  it('know who has approved one that is complete, by the rules in force', () => {
    const request = pending({
      stages: [{ key: inStage(0).stageKeys[0] ?? '', name: 'Peer', at: START, votes: [vote(JON)] }],
    });
    expect(stageApprovedBy(request.discussion, inStage(1), JON.id)).toEqual({ approved: 'Peer', open: 'Legal' });
    expect(stageApprovedBy(request.discussion, inStage(1), MARIA.id)).toBeNull();
    expect(stageApprovedBy(request.discussion, inStage(0), JON.id)).toBeNull();
    const inLegal = { request: request, policies: [inStage(1)] };
    expect(voteStandingOf(inLegal, JON.id)).toMatchObject({ kind: 'stage' });
    expect(voteStandingOf(inLegal, MARIA.id)).toMatchObject({ kind: 'counts', given: 0, needed: 2 });
  });
});

describe('several rules that may turn out to apply', () => {
  const two = { ...openBy({ ...DEFAULT_POLICY, quorum: 2 }), place: '/tasks/0' };
  const seats = { ...openBy(SEATS), place: '/tasks/1' };
  const one = openBy(DEFAULT_POLICY);

  it('count each the votes that count by them', () => {
    const votes = [
      { under: [{ place: '/tasks/0' }] },
      { under: [{ place: '/tasks/1', ...seated('@legal') }, { place: '' }] },
    ];
    expect([two, seats, one].map((rules) => progressOf(rules, votes).given)).toEqual([1, 1, 1]);
    expect(progressOf(seats, votes).missing.map(({ name }) => name)).toEqual(['@security']);
    expect(progressOf(two, [{}]).given).toBe(1);
  });

  it('tell how far a vote has come by those that want most', () => {
    expect(mostLacking([one, seats, two], pending().discussion)).toBe(seats);
    expect(mostLacking([two, seats], pending().discussion)).toBe(two);
    expect(mostLacking([], pending().discussion)).toBeNull();
    const request = pending({ votes: [vote(MARIA, { under: [{ place: '' }] })] });
    expect(voteStandingOf({ request, policies: [one, two] }, MARIA.id)).toMatchObject({ given: 0, needed: 2 });
  });
});

describe('who is mentioned', () => {
  const mentioned = (policy: Policy, ...places: ReturnType<typeof seated>[]) => {
    const request = pending({ votes: places.map((place) => ({ ...vote(MARIA), ...place })) });
    const rules = findRules({ policy: null }, { execution: execution({ requests: [request] }), request, now: START });
    return mentionsFor({ ...rules, policies: [openBy(policy)] });
  };

  it('are those whose approval is of use', () => {
    expect(mentioned(SEATS)).toEqual(['@legal', '@security']);
    expect(mentioned(SEATS, seated('@legal'))).toEqual(['@security']);
    expect(mentioned({ ...SEATS, quorum: 3 }, seated('@legal'), seated('@security'))).toEqual(['@legal', '@security']);
    expect(mentioned(OTHERS, seated('@legal'))).toEqual(['@leads', '@security']);
    expect(mentioned(OTHERS, seated(undefined, '@leads'))).toEqual(['@legal', '@security']);
  });
});

describe('votes', () => {
  const AIKO: Person = { id: 'U_AIKO', name: 'Aiko' };
  const people = [MARIA, JON, AIKO];
  const known = facts(Object.fromEntries(people.map(({ id }) => [id, account(id)])), {
    members: { '@legal': new Set([MARIA.id, JON.id]), '@security': new Set([MARIA.id]), '@leads': new Set([AIKO.id]) },
  });
  const policy = { ...DEFAULT_POLICY, ...OTHERS };

  function approvedBy(
    asked: Execution,
    by: Person,
    rules: CrewPolicy = policy,
    feedback: string | null = null,
  ): Execution {
    const choice = { verdict: 'approve', feedback, text: feedback ?? 'Approved.' } as const;
    const decided = decide(
      asked,
      '1',
      { ...PERMITTED, ...textOf(asked, '1'), choice, by, policy: rules, facts: known },
      START,
    );
    if (!decided.ok) throw new Error(decided.refusal.kind);
    return decided.value;
  }

  const placesIn = (asked: Execution) =>
    findRequest(asked, '1')?.discussion.votes.map(({ by, rule, seat }) => [by.name, rule, seat]);

  it('store as what they count, and make room for others', () => {
    const asked = execution({ requests: [pending()] });
    const first = approvedBy(asked, MARIA);
    expect(placesIn(first)).toEqual([['Maria', '@legal', '@legal']]);
    const second = approvedBy(first, JON);
    expect(placesIn(second)).toEqual([
      ['Maria', '@legal', '@security'],
      ['Jon', '@legal', '@legal'],
    ]);
    expect(findRequest(approvedBy(second, AIKO), '1')).toMatchObject({
      state: { status: 'decided' },
      discussion: { votes: [{}, {}] },
    });
  });

  it('store nothing more where their number is enough', () => {
    const asked = execution({ requests: [pending()] });
    const voted = approvedBy(asked, MARIA, { ...DEFAULT_POLICY, quorum: 2 });
    expect(findRequest(voted, '1')?.discussion.votes).toEqual([{ by: MARIA, at: START, feedback: null }]);
  });

  it('can’t be withdrawn from a stage that is complete, which a refusal names', () => {
    const policyInStages = { ...DEFAULT_POLICY, stages: STAGES };
    const asked = approvedBy(execution({ requests: [pending()] }), JON, policyInStages);
    expect(withdraw(asked, '1', { by: JON, ...textOf(asked, '1') }, START)).toEqual({
      ok: false,
      refusal: { kind: 'no-vote', stage: 'Peer' },
    });
    expect(withdraw(asked, '1', { by: MARIA, ...textOf(asked, '1') }, START)).toMatchObject({
      refusal: { kind: 'no-vote' },
    });
  });

  it('of stages that don’t count by the rules of a decision aren’t told to the crew', () => {
    const stages = [stage('Peer', {}), stage('Board', {})];
    const asked = approvedBy(execution({ requests: [pending()] }), JON, { ...DEFAULT_POLICY, stages }, 'one');
    const textBy = (rules: CrewPolicy) => {
      const request = findRequest(approvedBy(asked, MARIA, rules, 'two'), '1');
      return request?.state.status === 'decided' && request.state.decision.text;
    };
    expect(textBy(DEFAULT_POLICY)).toBe('two');
    expect(textBy({ ...DEFAULT_POLICY, stages })).toBe('Jon (U_JON):\n> one\n\nMaria (U_MARIA):\n> two');
  });
});
