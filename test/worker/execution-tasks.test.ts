import { expect, it } from 'vitest';
import type { DueActionHandler } from '../../src/worker/due-action-handler.ts';
import { ExecutionTasks } from '../../src/worker/execution-tasks.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';

/** The tasks of a lone process, over executions whose first message is due. */
function tasksWith(handler: DueActionHandler): ExecutionTasks {
  return new ExecutionTasks({
    store: { load: async (ref) => ({ execution: started(ref, 1, { run: { status: 'running' } }), now: 2 }) },
    due: { release: async () => {} },
    handler,
    yieldToRequests: async () => {},
    log: silent,
    onFault: () => {},
    onDueIn: () => {},
    onIdle: () => {},
  });
}

it('messages that wait for their turn do not block one whose turn it is', async () => {
  const posted: string[] = [];
  const tasks = tasksWith({
    unmade: () => [],
    prepare: async ({ ref }, { kind }) => kind !== 'post' || ref === 'last' || new Promise(() => {}),
    handle: async (ref, { kind }) => {
      if (kind === 'post') posted.push(ref);
      return new Promise(() => {});
    },
  });
  const waiting = Array.from({ length: 100 }, (_, i) => `r${i}`);
  for (const ref of [...waiting, 'last']) void tasks.process(ref, 'held');
  await expect.poll(() => posted).toEqual(['last']);
  expect(tasks.load.waitingForTurn).toBe(waiting.length);
});
