import { describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../src/core/policy/condition.ts';
import { possibleForTask, possibleRules, seenFor } from '../../../src/core/policy/in-force.ts';
import { readPolicy } from './runner/read-policy.ts';

const ASKED: RequestFacts = {
  ...{ taskId: 't1', taskName: 'Publish', round: 1, askedAt: 0, inputs: {}, starterId: 'USAM', channel: 'C1' },
  ...{ isTitled: false, stages: [], escalated: [] },
};
const UNNAMED = { ...ASKED, taskName: null };

it('rules that depend on nothing are the same objects for all requests of a task', () => {
  const policy = readPolicy('approvers: [@leads], quorum: 2, tasks: [{ match: draft, quorum: 1 }]');
  const [own] = possibleForTask(policy, ASKED) ?? [];
  const [ofTask] = possibleForTask(policy, { ...ASKED, taskName: 'Draft' }) ?? [];
  expect([own?.place, own?.quorum, ofTask?.place, ofTask?.quorum]).toEqual(['', 2, '/tasks/0', 1]);
  expect(possibleForTask(policy, { ...ASKED, taskId: 't2' })?.[0]).toBe(own);
  const both = possibleForTask(policy, UNNAMED) ?? [];
  expect(both[0]).toBe(ofTask);
  expect(both[1]).toBe(own);
  expect(possibleForTask(policy, { ...ASKED, escalated: [''] })).toMatchObject([{ place: '', isEscalated: true }]);
  expect(possibleForTask(policy, { ...ASKED, escalated: ['/tasks/0'] })?.[0]).toBe(own);
  expect(possibleForTask(readPolicy('stages: [{ name: A }]'), ASKED)).toBeNull();
  expect(possibleForTask(readPolicy('when: [{ if: "round > 1", quorum: 2 }]'), ASKED)).toBeNull();
});

it('the ledger is told which rules may apply, and of no value but those that the rules see', () => {
  const policy = readPolicy(
    'approvers: [@leads, "input:owner"], when: [{ if: "inputs.amount > 5000", quorum: 2 }, { if: "round > 0", quorum: 3 }]',
  );
  const inputs = { amount: 10, env: 'secret', owner: 'UMARIA', urgent: true };
  const values = { 'inputs.amount': 10, 'inputs.owner': 'UMARIA', round: 1 };
  expect(seenFor(policy, { ...ASKED, inputs })).toEqual({ possible: ['/when/1'], values });
  const { amount: _, ...unknown } = inputs;
  expect(seenFor(policy, { ...ASKED, inputs: unknown })).toEqual({
    possible: ['/when/0', '/when/1'],
    values: { 'inputs.owner': 'UMARIA', round: 1 },
  });
  const byName = readPolicy('tasks: [{ match: publish, quorum: 2 }]');
  expect(seenFor(byName, ASKED)).toBeNull();
  expect(seenFor(byName, UNNAMED)).toEqual({ possible: ['/tasks/0', ''], values: {} });
});

describe('the rules that may turn out to apply', () => {
  const placesOf = (policy: string, asked: Partial<RequestFacts>) =>
    possibleRules(readPolicy(policy), { ...UNNAMED, ...asked }).map(({ place }) => place);
  const PUBLISH = 'tasks: [{ match: draft, quorum: 2 }, { match: publish, quorum: 3 }]';
  const BY_VALUE =
    'when: [{ if: "inputs.amount > 5", quorum: 2 }, { if: "round > 0", quorum: 3 }, { if: "round > 0" }]';
  const NESTED = `tasks: [{ match: publish, when: [{ if: "inputs.amount > 5", quorum: 2 }] }], ${BY_VALUE}`;

  it.each<[string, string, Partial<RequestFacts>, string[]]>([
    ['are the crew’s own', 'quorum: 2', {}, ['']],
    ['are each entry that a name might match, and the crew’s own', PUBLISH, {}, ['/tasks/0', '/tasks/1', '']],
    ['are the one entry for a name', PUBLISH, { taskName: 'Publish' }, ['/tasks/1']],
    ['are the crew’s own for another name', PUBLISH, { taskName: 'Review' }, ['']],
    [
      'are the first entry for an id, after those that the name might match',
      PUBLISH,
      { taskId: 'publish' },
      ['/tasks/0', '/tasks/1'],
    ],
    ['are no entry for other ids', 'tasks: [{ id: "refund*", quorum: 2 }]', {}, ['']],
    ['are the entry for an id alone', 'tasks: [{ id: "T*", quorum: 2 }, { match: draft }]', {}, ['/tasks/0']],
    [
      'are not the entry for an id where only the name is like it',
      'tasks: [{ id: publish }]',
      { taskName: 'publish' },
      [''],
    ],
    [
      'are those of all names for a title',
      PUBLISH,
      { taskName: 'Publish', isTitled: true },
      ['/tasks/0', '/tasks/1', ''],
    ],
    [
      'are those of its name for a title that counts',
      `match_titles: true, ${PUBLISH}`,
      { taskName: 'Publish', isTitled: true },
      ['/tasks/1'],
    ],
    ['are those whose condition might hold, up to the first that does', BY_VALUE, {}, ['/when/0', '/when/1']],
    ['are those whose condition holds', BY_VALUE, { inputs: { amount: 6 } }, ['/when/0']],
    ['are not those whose condition doesn’t hold', BY_VALUE, { inputs: { amount: 5 } }, ['/when/1']],
    ['are the conditions of each level', NESTED, {}, ['/tasks/0/when/0', '/tasks/0', '/when/0', '/when/1']],
    ['depend on a name in conditions, too', `when: [{ if: "task == 'x'" }]`, {}, ['/when/0', '']],
    ['see no title in conditions', `when: [{ if: "task == 'x'" }]`, { taskName: 'y', isTitled: true }, ['/when/0', '']],
  ])('%s', (_, policy, asked, places) => {
    expect(placesOf(policy, asked)).toEqual(places);
  });

  it('have each the stage that is open by them', () => {
    const policy = readPolicy(
      'stages: [{ name: A }, { name: B, approvers: [@heads] }], tasks: [{ match: publish, stages: [{ name: A }, { name: C, approvers: [@legal] }] }]',
    );
    const [ofTask, own] = possibleRules(policy, UNNAMED);
    expect(ofTask?.stageKeys[0]).toBe(own?.stageKeys[0]);
    expect(ofTask?.stageKeys[1]).not.toBe(own?.stageKeys[1]);
    const openWith = (...stages: (string | undefined)[]) =>
      possibleRules(policy, { ...UNNAMED, stages: stages.map(String) }).map(({ stage, approvers }) => [
        stage,
        approvers[0]?.name,
      ]);
    expect(openWith()).toEqual([
      [0, 'workspace'],
      [0, 'workspace'],
    ]);
    expect(openWith(own?.stageKeys[0])).toEqual([
      [1, '@legal'],
      [1, '@heads'],
    ]);
    expect(openWith(own?.stageKeys[0], own?.stageKeys[1])).toEqual([
      [1, '@legal'],
      [1, '@heads'],
    ]);
    expect(openWith(own?.stageKeys[1])).toEqual([
      [0, 'workspace'],
      [0, 'workspace'],
    ]);
  });
});
