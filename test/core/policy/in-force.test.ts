import { expect, it } from 'vitest';
import type { Asked } from '../../../src/core/policy/condition.ts';
import { isProvisional, policyFor, seenFor } from '../../../src/core/policy/in-force.ts';
import { readPolicy } from './runner/read-policy.ts';

const ASKED: Asked = {
  ...{ taskId: 't1', taskName: 'Publish', round: 1, askedAt: 0, inputs: {}, starterId: 'USAM', channel: 'C1' },
  stages: [],
};

it('rules that depend on nothing are the same object for all requests', () => {
  const policy = readPolicy('approvers: [@leads], quorum: 2, tasks: [{ match: draft, quorum: 1 }]');
  expect(policyFor(policy, ASKED)).toBe(policy);
  expect(policyFor(policy, { ...ASKED, taskName: 'Draft' })).toBe(policy.tasks[0]);
  expect(seenFor(policy, ASKED)).toBeNull();
});

it('the ledger is told of the conditions that count, and of no value but those that the rules see', () => {
  const policy = readPolicy(
    'approvers: [@leads, "input:owner"], when: [{ if: "inputs.amount > 5000", quorum: 2 }, { if: "round > 0", quorum: 3 }]',
  );
  const inputs = { amount: 10, env: 'secret', owner: 'UMARIA', urgent: true };
  const values = { 'inputs.amount': 10, 'inputs.owner': 'UMARIA', round: 1 };
  expect(seenFor(policy, { ...ASKED, inputs })).toEqual({ rules: [1], values });
  const { amount: _, ...unknown } = inputs;
  expect(seenFor(policy, { ...ASKED, inputs: unknown })).toEqual({
    rules: [0, 1],
    values: { 'inputs.owner': 'UMARIA', round: 1 },
  });
});

it('the name of a task may bring other rules where conditions or patterns depend on it', () => {
  const unnamed = { ...ASKED, taskName: null };
  const provisional = (policy: string, asked: Asked = unnamed) => isProvisional(readPolicy(policy), asked);
  expect(provisional('quorum: 2')).toBe(false);
  expect(provisional('when: [{ if: "round > 1", quorum: 2 }]')).toBe(false);
  expect(provisional(`when: [{ if: "task == 'Publish'", quorum: 2 }]`)).toBe(true);
  expect(provisional(`when: [{ if: "task == 'Publish'", quorum: 2 }]`, { ...ASKED, taskName: 'Publish' })).toBe(false);
  expect(provisional('tasks: [{ match: publish, quorum: 2 }]')).toBe(true);
  expect(provisional('tasks: [{ match: t1, quorum: 2 }]')).toBe(false);
});
