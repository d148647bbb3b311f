import type { Execution } from '../core/execution/execution.ts';
import type { ExecutionStore } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';

/** Called for each change that this process stored; `before` is null for a new execution. */
export type ObserveChange = (before: Execution | null, after: Execution, now: Millis) => void;

/** The same store, which reports each change once, after it is durable. */
export function observeStore(store: ExecutionStore, observe: ObserveChange): ExecutionStore {
  return {
    ...store,

    async create(ref, make) {
      const made: { execution: Execution; now: Millis }[] = [];
      const outcome = await store.create(ref, (now) => {
        const execution = make(now);
        made.push({ execution, now });
        return execution;
      });
      const last = made.at(-1);
      if (outcome === 'created' && last) observe(null, last.execution, last.now);
      return outcome;
    },

    async change(ref, transition) {
      let at = 0;
      const changed = await store.change(ref, (execution, now) => {
        at = now;
        return transition(execution, now);
      });
      if (changed.kind === 'changed') observe(changed.before, changed.after, at);
      return changed;
    },
  };
}
