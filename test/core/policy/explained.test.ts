import { expect, it } from 'vitest';
import { parseCondition } from '../../../src/conditions/cel.ts';
import type { RequestFacts } from '../../../src/core/policy/condition.ts';
import { conditionOf } from '../../../src/core/policy/document.ts';
import { causeOf, conditionsFor, rulesAt } from '../../../src/core/policy/explained.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';

const INPUTS = { amount: 'number', env: 'text', owner: 'text' } as const;
const ASKED: RequestFacts = {
  ...{ taskId: 't1', taskName: 'publish', round: 1, askedAt: 0, starterId: 'U0ANNA', channel: 'C1', stages: [] },
  ...{ isTitled: false, escalated: [] },
  inputs: { amount: 9_000, env: 'prod', owner: 'UMARIA001' },
};
const when = (...texts: string[]): CrewPolicy['when'] =>
  texts.map((text) => ({ ...DEFAULT_POLICY, quorum: 2, condition: conditionOf(parseCondition(text, INPUTS), text) }));

it('says which condition holds, and what it saw', () => {
  const policy = {
    ...DEFAULT_POLICY,
    inputs: INPUTS,
    when: when('round > 5', "inputs.amount > 5000 && inputs.env == 'prod'"),
  };
  const [counting, ...others] = conditionsFor(policy, ASKED);
  expect(others).toEqual([]);
  expect(counting).toMatchObject({
    verdict: 'holds',
    missing: [],
    text: "inputs.amount > 5000 && inputs.env == 'prod'",
  });
  expect(Object.fromEntries(counting?.values ?? [])).toEqual({ 'inputs.amount': 9_000, 'inputs.env': 'prod' });
  expect(conditionsFor(DEFAULT_POLICY, ASKED)).toEqual([]);
});

it('says of which nobody can tell, and what is missing', () => {
  const policy = { ...DEFAULT_POLICY, inputs: INPUTS, when: when('inputs.amount > 5', 'round > 0', 'hour > 3') };
  const unknown = { ...ASKED, inputs: { amount: 'a lot' } };
  expect(conditionsFor(policy, unknown)).toEqual([
    { text: 'inputs.amount > 5', verdict: 'unknown', values: [], missing: ['inputs.amount'] },
    { text: 'round > 0', verdict: 'holds', values: [['round', 1]], missing: [] },
  ]);
});

it('says which entries of tasks may be meant as long as the name isn’t known', () => {
  const task = { ...DEFAULT_POLICY, match: 'publish*', looksAt: 'name' as const, when: when('inputs.amount > 5') };
  const policy = { ...DEFAULT_POLICY, inputs: INPUTS, tasks: [task] };
  const nameless = { ...ASKED, taskName: null };
  expect(causeOf(policy, nameless, '/tasks/0/when/0')).toMatchObject({
    task: 'publish*',
    condition: { verdict: 'holds' },
  });
  expect(causeOf(policy, nameless, '')).toEqual({ task: null, condition: null });
  expect(causeOf(policy, ASKED, '/tasks/0/when/0')).toMatchObject({ task: null, condition: { verdict: 'holds' } });
});

it('finds the pattern of tasks and the condition at a place of a policy', () => {
  const texts = { when: ['round > 1'], tasks: [{ match: 'publish*', when: ['hour > 3', 'hour > 4'] }] };
  const textsAt = (...places: string[]) => places.map((place) => rulesAt(texts, place));
  expect(textsAt('/tasks/0/when/1', '/when/0')).toEqual([
    { pattern: null, condition: 'hour > 4' },
    { pattern: null, condition: 'round > 1' },
  ]);
  expect(textsAt('', '/tasks/7/when/0', '/when/1')).toEqual(
    Array.from({ length: 3 }, () => ({ pattern: null, condition: null })),
  );
  expect(textsAt('/tasks/0')).toEqual([{ pattern: 'publish*', condition: null }]);
});
