import { expect, it } from 'vitest';
import { Worker } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';

it('looks again at an execution that is claimed or woken while it is given back', async () => {
  let looks = 0;
  const worker: Worker = new Worker({
    store: { load: async (ref) => (looks++ === 0 ? null : { execution: started(ref, 1), now: 0 }) },
    due: {
      claim: async () => ({ refs: [], nextInMs: null }),
      release: async (ref) => {
        if (looks === 1) worker.wake(ref);
      },
    },
    performer: { prepare: async () => true, perform: async () => {} },
    log: silent,
  });
  worker.wake('r1');
  await expect.poll(() => looks).toBe(2);
  await worker.stop(1_000);
});
