/** Limits how many runs work at once. */
export interface Turns {
  /** Resolves when it is the turn of a run of this crew, to what ends the turn. Rejects once `signal` aborts. */
  wait(crew: string, signal: AbortSignal): Promise<() => void>;
}

type Limits = {
  readonly atOnce: number;
  /** How many of them may be of one crew. */
  readonly ofOneCrew: number;
};

type Waiter = { begin(): void };

/** Runs of a crew begin in their order; crews take turns, so that one that starts many doesn't make the others wait. */
export function createTurns({ atOnce, ofOneCrew }: Limits): Turns {
  /** The crew whose turn it is comes first. */
  const waiting = new Map<string, Set<Waiter>>();
  const working = new Map<string, number>();
  let total = 0;

  function beginNext(): void {
    for (const [crew, waiters] of waiting) {
      if (total >= atOnce) return;
      const [waiter] = waiters;
      if (waiter === undefined || (working.get(crew) ?? 0) >= ofOneCrew) continue;
      waiters.delete(waiter);
      waiting.delete(crew);
      if (waiters.size > 0) waiting.set(crew, waiters);
      change(crew, 1);
      waiter.begin();
    }
  }

  function change(crew: string, by: 1 | -1): void {
    total += by;
    working.set(crew, (working.get(crew) ?? 0) + by);
  }

  return {
    wait: (crew, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const waiters = waiting.get(crew) ?? new Set();
        waiting.set(crew, waiters);
        const giveUp = () => {
          waiters.delete(waiter);
          reject(signal.reason);
        };
        const waiter = {
          begin() {
            signal.removeEventListener('abort', giveUp);
            resolve(() => {
              change(crew, -1);
              beginNext();
            });
          },
        };
        waiters.add(waiter);
        signal.addEventListener('abort', giveUp, { once: true });
        beginNext();
      }),
  };
}
