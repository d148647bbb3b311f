import { expect, it } from 'vitest';
import { askedOf, decidedRecordOf, summaryOf } from '../../../src/core/inbox/snapshot.ts';
import { requestFactsOf } from '../../../src/core/policy/condition.ts';
import { possibleRules } from '../../../src/core/policy/in-force.ts';
import { findRules, policyFacts } from '../../../src/core/policy/rules.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Inputs } from '../../../src/core/values/json.ts';
import { execution } from '../../support/executions.ts';
import { pending, START } from '../../support/requests.ts';
import { readPolicy } from './runner/read-policy.ts';

const owned = readPolicy('approvers: ["input:owner"]');

/** Two requests of one run: the first says itself who owns it. */
function run(own: Inputs): Execution {
  const inputs = { owner: 'jon@sandbox.example', amount: 7 };
  return execution({ inputs, requests: [pending({ inputs: own }), pending({ id: '2', taskId: 'other' })] });
}

const [given, nobody] = [run({ owner: 'aiko@sandbox.example' }), run({ owner: null })];

it('what a request says itself is seen by its rules, and by no others of its run', () => {
  const approversOf = (each: Execution) =>
    each.requests.map((request) =>
      possibleRules(owned, requestFactsOf(each, request)).flatMap(({ approvers }) => approvers.map(({ name }) => name)),
    );
  expect(approversOf(given)).toEqual([['aiko@sandbox.example'], ['jon@sandbox.example']]);
  expect(approversOf(nobody)).toEqual([['input:owner'], ['jon@sandbox.example']]);
});

it('lists of open requests and of decided ones judge by the same', () => {
  for (const each of [given, nobody]) {
    const { requests } = summaryOf(each);
    expect(requests.map((request) => askedOf(request.run, request))).toEqual(
      each.requests.map((approval) => requestFactsOf(each, approval)),
    );
    for (const approval of each.requests) {
      const record = decidedRecordOf(each, approval.id);
      expect(record && askedOf(record, record)).toEqual(requestFactsOf(each, approval));
    }
  }
});

it('the ledger is told of it', () => {
  const seen = (each: Execution) =>
    each.requests.map(
      (request) => policyFacts(findRules({ policy: owned }, { execution: each, request, now: START })).seen?.values,
    );
  expect(seen(given)).toEqual([{ 'inputs.owner': 'aiko@sandbox.example' }, { 'inputs.owner': 'jon@sandbox.example' }]);
  expect(seen(nobody)).toEqual([{}, { 'inputs.owner': 'jon@sandbox.example' }]);
});
