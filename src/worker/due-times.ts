/** More than one process works on at a time; beyond that, due times are found by looking at the queue. */
const MOST_TIMES = 50_000;
/** What is due later than this is found by looking at the queue. */
const MOST_AHEAD_MS = 60 * 60_000;

/** Who acts first when an execution is due: this process, which has changed it last, or another one. */
type Whose = 'own' | 'others';

/** Knows when executions are due next, and calls back when that time has come. */
export class DueTimes {
  readonly #times = new Map<string, { whose: Whose; timer: NodeJS.Timeout }>();
  readonly #onDue: (ref: string, whose: Whose) => void;

  constructor(onDue: (ref: string, whose: Whose) => void) {
    this.#onDue = onDue;
  }

  /** Whether this process acts first when this execution is due. */
  isOwn(ref: string): boolean {
    return this.#times.get(ref)?.whose === 'own';
  }

  /** Replaces what was known about an execution; null if nothing is due. */
  set(ref: string, inMs: number | null, whose: Whose): void {
    this.delete(ref);
    if (inMs === null || inMs > MOST_AHEAD_MS || this.#times.size >= MOST_TIMES) return;
    const timer = setTimeout(
      () => {
        this.#times.delete(ref);
        this.#onDue(ref, whose);
      },
      Math.max(1, inMs),
    ).unref();
    this.#times.set(ref, { whose, timer });
  }

  delete(ref: string): void {
    clearTimeout(this.#times.get(ref)?.timer);
    this.#times.delete(ref);
  }

  clear(): void {
    for (const ref of [...this.#times.keys()]) this.delete(ref);
  }
}
