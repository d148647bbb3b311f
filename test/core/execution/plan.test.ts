import { describe, expect, it } from 'vitest';
import { planOf } from '../../../src/core/execution/plan.ts';
import { execution } from '../../support/executions.ts';
import { decided, decision, delivered, expired, pending, START, unconfirmed } from '../../support/requests.ts';

const running = { run: { status: 'running' } } as const;
const REJECTED = decision({ verdict: 'reject', feedback: 'Shorter.' });
const states = (each: Parameters<typeof execution>[0]) =>
  planOf(execution({ ...running, ...each })).map(({ name, state }) => [name, state.kind]);
const completed = (id: string, name: string | null) => ({
  ...{ id, name, agent: 'Ada', summary: '', output: { hash: `h${id}`, length: 3 } },
  ...{ fingerprint: id, post: { status: 'gone', ts: null } as const },
});

describe('the plan of a run', () => {
  it.each([
    ['waits for a decision', pending(), 'waiting'],
    ['goes on with a decision', decided(), 'working'],
    ['is done once that is approved', delivered(), 'done'],
    ['is tried again after a rejection', delivered({ decision: REJECTED }), 'working'],
    ['tells that the decision did not arrive', unconfirmed(), 'undelivered'],
    ['tells that nobody decided', expired(), 'undecided'],
  ] as const)('%s', (_, request, state) => {
    expect(states({ requests: [{ ...request, question: { ...request.question, taskName: 'Draft' } }] })).toEqual([
      ['Draft', state],
    ]);
  });

  it('has each task once, however many rounds it takes', () => {
    const first = delivered({ decision: REJECTED, id: '1', taskName: 'Draft' });
    const second = pending({ id: '2', round: 2, taskName: 'Draft' });
    const tasks = [completed('1', 'Read'), completed('2', 'Draft')];
    expect(states({ tasks, requests: [first, second] })).toEqual([
      ['Read', 'done'],
      ['Draft', 'waiting'],
    ]);
  });

  it('has them in the order in which they came, named or not', () => {
    const first = delivered({ id: '1', taskId: 'a', taskName: null });
    const second = pending({ id: '2', taskId: 'b', taskName: 'Publish' });
    expect(states({ tasks: [completed('1', 'Publish')], requests: [first, second] })).toEqual([
      [null, 'done'],
      ['Publish', 'waiting'],
    ]);
  });

  it('has what is worked on, as far as the crew tells, unless somebody is waited for', () => {
    const progress = { completed: 1, total: 3, current: 'Print' };
    expect(states({ progress, tasks: [completed('1', 'Read')] })).toEqual([
      ['Read', 'done'],
      ['Print', 'working'],
    ]);
    expect(states({ progress, requests: [pending({ taskName: 'Draft' })] })).toEqual([['Draft', 'waiting']]);
  });

  it('works on nothing once the run has ended', () => {
    const requests = [delivered({ decision: REJECTED, taskName: 'Draft' })];
    const over = (status: 'completed' | 'failed') =>
      states({
        requests,
        run:
          status === 'completed' ? { status, result: null, endedAt: START } : { status, error: 'No.', endedAt: START },
      });
    expect([over('completed'), over('failed')]).toEqual([[['Draft', 'done']], [['Draft', 'failed']]]);
  });

  it('has no more than a message can show, the latest', () => {
    const tasks = Array.from({ length: 60 }, (_, i) => completed(`${i}`, `Task ${i}`));
    const names = planOf(execution({ ...running, tasks })).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([50, 'Task 10', 'Task 59']);
  });
});
