/** Limits how many runs work at once. */
export interface Turns {
  /** Resolves when it is the turn of the run, to what ends the turn. Rejects once `signal` aborts. */
  wait(run: WaitingRun, signal: AbortSignal): Promise<() => void>;
}

type WaitingRun = {
  readonly crew: string;
  /** `begun`: somebody has already decided about it, or it has done a task. */
  readonly progress: 'new' | 'begun';
};

type Limits = {
  readonly atOnce: number;
  /** The number of them that may be of one crew. */
  readonly ofOneCrew: number;
};

type Waiter = { begin(): void };

/** The crew whose turn it is comes first. */
type Queue = Map<string, Set<Waiter>>;

/** A client that rejects without end, faster than its runs work, would otherwise keep new runs from ever beginning. */
const MOST_BEGUN_IN_A_ROW = 50;

/**
 * Runs that have begun go before new ones: people wait for what follows their decisions. Among these, the runs of a crew go in their order,
 * and crews take turns, so that one that starts many doesn't make the others wait.
 */
export function createTurns({ atOnce, ofOneCrew }: Limits): Turns {
  const queues: Record<WaitingRun['progress'], Queue> = { new: new Map(), begun: new Map() };
  const working = new Map<string, number>();
  let total = 0;
  let begunInARow = 0;

  function beginNext(): void {
    while (total < atOnce) {
      const order = begunInARow < MOST_BEGUN_IN_A_ROW ? (['begun', 'new'] as const) : (['new', 'begun'] as const);
      const progress = order.find((each) => beginOneOf(queues[each]));
      if (progress === undefined) return;
      begunInARow = progress === 'begun' ? begunInARow + 1 : 0;
    }
  }

  /** False if no run of the queue may work. */
  function beginOneOf(queue: Queue): boolean {
    for (const [crew, waiters] of queue) {
      const [waiter] = waiters;
      if (waiter === undefined || (working.get(crew) ?? 0) >= ofOneCrew) continue;
      waiters.delete(waiter);
      queue.delete(crew);
      if (waiters.size > 0) queue.set(crew, waiters);
      change(crew, 1);
      waiter.begin();
      return true;
    }
    return false;
  }

  function change(crew: string, by: 1 | -1): void {
    total += by;
    working.set(crew, (working.get(crew) ?? 0) + by);
  }

  return {
    wait: ({ crew, progress }, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const queue = queues[progress];
        const waiters = queue.get(crew) ?? new Set();
        queue.set(crew, waiters);
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
