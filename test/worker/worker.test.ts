import { expect, it } from 'vitest';
import { Worker } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';

/** Nothing is due before. */
const LATER = 600_000;

it('checks an execution again that is claimed or woken during its release', async () => {
  let loads = 0;
  const worker: Worker = new Worker({
    store: { load: async (ref) => (loads++ === 0 ? null : { execution: started(ref, LATER), now: 0 }) },
    due: {
      claim: async () => ({ refs: [], upcoming: [], moreInMs: null, isComplete: true }),
      release: async (ref) => {
        if (loads === 1) worker.wake(ref);
      },
      listen: () => {},
      isListening: () => true,
    },
    handler: { unmade: () => [], prepare: async () => true, handle: async () => {} },
    log: silent,
  });
  worker.wake('r1');
  await expect.poll(() => loads).toBe(2);
  await worker.stop(1_000);
});

it('is alive while a part of the queue answers', async () => {
  const worker = new Worker({
    store: { load: async () => null },
    due: {
      claim: async () => ({ refs: [], upcoming: [], moreInMs: null, isComplete: false }),
      release: async () => {},
      listen: () => {},
      isListening: () => true,
    },
    handler: { unmade: () => [], prepare: async () => true, handle: async () => {} },
    log: silent,
  });
  expect(worker.isAlive()).toBe(false);
  worker.start();
  await expect.poll(() => worker.isAlive()).toBe(true);
  await worker.stop(1_000);
});
