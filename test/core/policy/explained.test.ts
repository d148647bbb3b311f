import { expect, it } from 'vitest';
import { parseCondition } from '../../../src/conditions/cel.ts';
import type { Asked } from '../../../src/core/policy/condition.ts';
import { conditionOf } from '../../../src/core/policy/document.ts';
import { conditionsFor, conditionTextsOf, wholePolicyFor } from '../../../src/core/policy/explained.ts';
import { type CrewPolicy, DEFAULT_POLICY, parseApprover } from '../../../src/core/policy/policy.ts';

const INPUTS = { amount: 'number', env: 'text', owner: 'text' } as const;
const ASKED: Asked = {
  ...{ taskId: 't1', taskName: 'publish', round: 1, askedAt: 0, starterId: 'U0ANNA', channel: 'C1', stages: [] },
  inputs: { amount: 9_000, env: 'prod', owner: 'UMARIA001' },
};
const approvers = (...names: string[]) => names.flatMap((name) => parseApprover(name) ?? []);
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

it('has the people whom inputs name in all stages, whichever is open', () => {
  const { stages: _, stage: _at, ...rules } = DEFAULT_POLICY;
  const stages = ['One', 'Two'].map((name) => ({ ...rules, name, approvers: approvers('input:owner') }));
  const whole = wholePolicyFor({ ...DEFAULT_POLICY, inputs: INPUTS, stages }, ASKED);
  const named = [{ kind: 'person', name: 'UMARIA001', input: 'owner' }];
  expect(whole.stages.map(({ name, approvers: each }) => [name, each])).toEqual([
    ['One', named],
    ['Two', named],
  ]);
  expect([whole.stage, whole.approvers]).toEqual([0, named]);
});

it('finds the conditions of a task, or those of the crew', () => {
  const texts = { when: ['round > 1'], tasks: [{ match: 'publish*', when: ['hour > 3'] }] };
  expect(conditionTextsOf(texts, ASKED)).toEqual(['hour > 3']);
  expect(conditionTextsOf(texts, { taskId: 't2', taskName: null })).toEqual(['round > 1']);
});
