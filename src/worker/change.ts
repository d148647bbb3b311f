import type { Execution } from '../core/execution/execution.ts';
import type { ExecutionStore } from '../core/ports.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { ok } from '../core/result.ts';
import type { Millis } from '../core/time.ts';

/** How often the store is asked to take the outcome of something that can't be repeated. */
const SETTLE_TRIES = 20;
const SETTLE_PAUSE_MS = 500;

/** A step that can't be refused: where there is nothing to do, it gives the same execution back. */
type Step = (execution: Execution, now: Millis) => Execution;

/** The execution after a transition that changed it; null where there was nothing to change or nobody to change it for. */
export async function change(store: ExecutionStore, ref: string, transition: Step): Promise<Execution | null> {
  return (await changeAt(store, ref, transition))?.execution ?? null;
}

/** The same with the instant of the change. */
export async function changeAt(
  store: ExecutionStore,
  ref: string,
  transition: Step,
): Promise<{ execution: Execution; now: Millis } | null> {
  let at = 0;
  const changed = await store.change(ref, (execution, now) => {
    at = now;
    return ok(transition(execution, now));
  });
  return changed.kind === 'changed' ? { execution: changed.after, now: at } : null;
}

/** What came of a call that can't be repeated is worth many tries: without it a person would have to be asked. */
export async function settle<Value>(write: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries >= SETTLE_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, SETTLE_PAUSE_MS));
    }
  }
}
