import { setTimeout as delay } from 'node:timers/promises';

/** Work in progress, so that a stop can wait for it. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>();

  /** Tracks a promise until it settles, and returns it. */
  track<Value>(work: Promise<Value>): Promise<Value> {
    const forget = () => this.#work.delete(work);
    this.#work.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when nothing is in progress any more, after `mostMs` at the latest. */
  async settled(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    while (this.#work.size > 0 && performance.now() < deadline) {
      const late = new AbortController();
      const limit = delay(Math.max(1, deadline - performance.now()), null, { signal: late.signal }).catch(() => {});
      await Promise.race([Promise.allSettled(this.#work), limit]);
      late.abort();
    }
  }
}
