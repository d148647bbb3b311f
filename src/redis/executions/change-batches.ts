import type { Execution } from '../../core/execution/execution.ts';
import { recordDeliveries } from '../../core/ledger/events.ts';
import type { Changed, Transition } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';

/** What a change would do to a state, and how to tell its caller once that is stored. */
interface Attempt {
  after: Execution | null;
  tell: () => void;
}

/** A change that waits to be stored. */
export interface WaitingChange {
  /** Pure: tried again on a newer state if another process was faster. `null` is an absent execution. */
  attempt(execution: Execution | null, now: Millis): Attempt;
  fail(error: unknown): void;
}

/** Stores changes of one execution together, and tells or fails each of them. Never rejects. */
type StoreBatch = (ref: string, batch: readonly WaitingChange[]) => Promise<void>;

/**
 * Brings the changes of each execution into one line: those that arrive while others are being stored are stored together,
 * in one write. So the changes of one process never conflict with each other.
 */
export class ChangeBatches {
  readonly #waiting = new Map<string, WaitingChange[]>();
  readonly #store: StoreBatch;

  constructor(store: StoreBatch) {
    this.#store = store;
  }

  change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>> {
    return new Promise((resolve, reject) => {
      const attempt = (execution: Execution | null, now: Millis) =>
        attemptOf(transition, { execution, now, resolve, reject });
      this.#add(ref, { attempt, fail: reject });
    });
  }

  #add(ref: string, change: WaitingChange): void {
    const waiting = this.#waiting.get(ref);
    if (waiting) {
      waiting.push(change);
      return;
    }
    this.#waiting.set(ref, [change]);
    void this.#run(ref);
  }

  async #run(ref: string): Promise<void> {
    for (let batch = this.#take(ref); batch.length > 0; batch = this.#take(ref)) await this.#store(ref, batch);
    this.#waiting.delete(ref);
  }

  #take(ref: string): WaitingChange[] {
    return this.#waiting.get(ref)?.splice(0) ?? [];
  }
}

interface Asked<Refusal> {
  execution: Execution | null;
  now: Millis;
  resolve: (changed: Changed<Refusal>) => void;
  reject: (error: unknown) => void;
}

function attemptOf<Refusal>(
  transition: Transition<Refusal>,
  { execution, now, resolve, reject }: Asked<Refusal>,
): Attempt {
  const attempted = (after: Execution | null, changed: Changed<Refusal>) => ({ after, tell: () => resolve(changed) });
  if (!execution) return attempted(null, { kind: 'absent' });
  try {
    const result = transition(execution, now);
    if (!result.ok) {
      const left = 'after' in result ? result.after : execution;
      return attempted(left, { kind: 'refused', refusal: result.refusal, execution: left });
    }
    if (result.value === execution) return attempted(execution, { kind: 'unchanged', execution });
    const after = recordDeliveries(execution, result.value, now);
    return attempted(after, { kind: 'changed', before: execution, after });
  } catch (error) {
    // Our own fault, in one of the changes: the others are stored.
    return { after: execution, tell: () => reject(error) };
  }
}
