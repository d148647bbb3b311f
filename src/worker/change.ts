import { setTimeout as pause } from 'node:timers/promises';
import type { Execution } from '../core/execution/execution.ts';
import type { ExecutionStore } from '../core/ports.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { ok } from '../core/result.ts';
import type { Millis } from '../core/time.ts';

/** Longer than most outages. The claim may be over by then: a late outcome still counts. */
const OUTCOME_MS = 10 * 60_000;
const OUTCOME_PAUSE_MS = 500;

/** A transition that can't be refused: it returns the same execution if there is nothing to change. */
type Step = (execution: Execution, now: Millis) => Execution;

/** The execution after a transition that changed it; null if it is unchanged or absent. */
export async function change(store: ExecutionStore, ref: string, transition: Step): Promise<Execution | null> {
  return (await changeAt(store, ref, transition))?.execution ?? null;
}

/** The same, with the time of the change. */
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

/** Stores the outcome of a call that can't be repeated. It tries often: without the outcome a person must find out. */
export async function storeOutcome<Value>(write: () => Promise<Value>): Promise<Value> {
  for (const deadline = performance.now() + OUTCOME_MS; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() >= deadline) throw error;
      await pause(OUTCOME_PAUSE_MS);
    }
  }
}
