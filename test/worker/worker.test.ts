import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { DueListener, StoredChange } from '../../src/core/ports.ts';
import { Worker } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';

/** Nothing is due before. */
const LATER = 600_000;

const change = (ref: string): StoredChange => ({ before: null, after: started(ref, LATER), at: 0 });

it('The worker checks an execution again that is claimed or changed during its release', async () => {
  let loads = 0;
  const worker: Worker = new Worker({
    store: { load: async (ref) => (loads++ === 0 ? null : { execution: started(ref, LATER), now: 0 }) },
    due: {
      claim: async () => ({ refs: [], upcoming: [], moreInMs: null, isComplete: true }),
      release: async (ref) => {
        if (loads === 1) worker.onStored([change(ref)]);
      },
      listen: () => {},
      isListening: () => true,
    },
    handler: { unmade: () => [], hasMade: () => false, prepare: async () => true, handle: async () => {} },
    log: silent,
  });
  worker.onStored([change('r1')]);
  await expect.poll(() => loads).toBe(2);
  await worker.stop(1_000);
});

it('The worker processes what others have changed, and leaves what its own actions have changed until they are done', async () => {
  const loaded: string[] = [];
  const worker = new Worker({
    store: {
      async load(ref) {
        loaded.push(ref);
        return null;
      },
    },
    due: {
      claim: async () => ({ refs: [], upcoming: [], moreInMs: null, isComplete: true }),
      release: async () => {},
      listen: () => {},
      isListening: () => true,
    },
    handler: {
      unmade: () => [],
      hasMade: ({ after }) => after.ref === 'own',
      prepare: async () => true,
      handle: async () => {},
    },
    log: silent,
  });
  worker.onStored(['own', 'r1', 'r2', 'r1'].map(change));
  await expect.poll(() => loaded).toEqual(['r1', 'r2']);
  await worker.stop(1_000);
  worker.onStored([change('r3')]);
  expect(loaded).toEqual(['r1', 'r2']);
});

it('The worker is alive while a part of the queue answers', async () => {
  const worker = new Worker({
    store: { load: async () => null },
    due: {
      claim: async () => ({ refs: [], upcoming: [], moreInMs: null, isComplete: false }),
      release: async () => {},
      listen: () => {},
      isListening: () => true,
    },
    handler: { unmade: () => [], hasMade: () => false, prepare: async () => true, handle: async () => {} },
    log: silent,
  });
  expect(worker.isAlive()).toBe(false);
  worker.start();
  await expect.poll(() => worker.isAlive()).toBe(true);
  await worker.stop(1_000);
});

it('The worker leaves a run that it has changed itself to other processes at the time at which it was due before', async () => {
  let claims = 0;
  const told: DueListener[] = [];
  const worker = new Worker({
    store: { load: async () => null },
    due: {
      async claim() {
        claims += 1;
        return { refs: [], upcoming: [], moreInMs: null, isComplete: true };
      },
      release: async () => {},
      listen: (listener) => told.push(listener),
      isListening: () => true,
    },
    handler: { unmade: () => [], hasMade: () => false, prepare: async () => true, handle: async () => {} },
    log: silent,
  });
  worker.start();
  await expect.poll(() => claims).toBe(1);
  told[0]?.onDue('r1', 0);
  worker.onStored([change('r1')]);
  await pause(350);
  expect(claims).toBe(1);
  told[0]?.onDue('r1', 0);
  await expect.poll(() => claims).toBe(2);
  await worker.stop(1_000);
});
