import { settlesWithin } from '../waiting.ts';
import type { Delivery } from './delivery.ts';

/** The time that a notification waits for one of its execution to another address, and for all of them. */
const LONGEST_WAIT_FOR_ONE_MS = 4_000;
const LONGEST_WAIT_FOR_OTHERS_MS = 5_000;

interface DeliveryOrder {
  /**
   * Delivers after everything before it to the same address of the same execution, and after everything before it to
   * its other addresses, unless they are slow: none of them done for four seconds, or not all of them after five.
   * `deliver` never rejects.
   */
  enqueue(delivery: Delivery, deliver: () => Promise<void>): void;
  /** Resolves when nothing is in progress. */
  done(): Promise<void>;
}

type Queue = { all: Promise<void>; lastDoneAt: number; readonly byAddress: Map<string, Promise<void>> };

/** Nothing waits for others any more once `ending` aborts. */
export function createDeliveryOrder(ending: AbortSignal): DeliveryOrder {
  const queues = new Map<string, Queue>();
  return {
    enqueue({ executionId, url }, deliver) {
      const queue = queues.get(executionId) ?? { all: Promise.resolve(), lastDoneAt: 0, byAddress: new Map() };
      queues.set(executionId, queue);
      const turn = Promise.all([queue.byAddress.get(url), soonAfterOthers(queue, ending)]);
      const now = turn.then(deliver).then(() => {
        queue.lastDoneAt = performance.now();
      });
      const all = Promise.all([queue.all, now]).then(() => {});
      queue.byAddress.set(url, now);
      queue.all = all;
      void all.then(() => queue.all === all && queues.delete(executionId));
    },
    async done() {
      await Promise.all([...queues.values()].map(({ all }) => all));
    },
  };
}

async function soonAfterOthers(queue: Queue, ending: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let isDone = false;
  const done = queue.all.then(() => {
    isDone = true;
  });
  for (;;) {
    const stalledAt = Math.max(startedAt, queue.lastDoneAt) + LONGEST_WAIT_FOR_ONE_MS;
    const waitMs = Math.min(stalledAt, startedAt + LONGEST_WAIT_FOR_OTHERS_MS) - performance.now();
    if (waitMs <= 0) return;
    await settlesWithin(waitMs, done, ending);
    if (isDone || ending.aborted) return;
  }
}
