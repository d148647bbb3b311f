import { expect, it } from 'vitest';
import { ExecutionTasks, type Performer } from '../../src/worker/execution-tasks.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';

/** The tasks of a process, over executions that owe their first message, and nobody else at work. */
function desksWith(performer: Performer): ExecutionTasks {
  return new ExecutionTasks({
    store: { load: async (ref) => ({ execution: started(ref, 1), now: 2 }) },
    due: { release: async () => {} },
    performer,
    yieldToClicks: async () => {},
    log: silent,
    onFault: () => {},
    onDueIn: () => {},
    onLeave: () => {},
  });
}

it('messages that wait for their turn hold up nobody whose turn it is', async () => {
  const posted: string[] = [];
  const tasks = desksWith({
    prepare: async ({ ref }, { kind }) => kind !== 'post' || ref === 'last' || new Promise(() => {}),
    perform: async (ref, { kind }) => {
      if (kind === 'post') posted.push(ref);
      return new Promise(() => {});
    },
  });
  const waiting = Array.from({ length: 100 }, (_, i) => `r${i}`);
  for (const ref of [...waiting, 'last']) void tasks.attend(ref);
  await expect.poll(() => posted).toEqual(['last']);
  expect(tasks.load.waitingForTurn).toBe(waiting.length);
});
