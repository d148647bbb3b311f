import type { Logger } from 'pino';
import type { DueQueue, ExecutionStore } from '../core/ports.ts';
import { ExecutionTasks, type Performer } from './execution-tasks.ts';

/** Longer than any call that a action may make, so that nobody else takes up what is in hand. */
const LEASE_MS = 60_000;
/** How long other processes' changes may go unseen; our own doors wake us at once. */
const IDLE_MS = 1_000;
/** After the store failed. */
const PAUSE_MS = 1_000;
/** So many that those of a crew that hangs leave room for all others. */
const EXECUTIONS_AT_ONCE = 256;

export interface WorkerOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: DueQueue;
  performer: Performer;
  /** Resolves when nobody is kept waiting by something being begun. */
  yieldToClicks?: () => Promise<void>;
  log: Logger;
  /** Hears of each fault of ours, for metrics. */
  onFault?: () => void;
}

/**
 * Claims what is due and does it. Any number of workers on any number of processes share the work; the lease only saves
 * effort, since everything that can't be repeated is claimed in the record before it is done.
 */
export class Worker {
  readonly #due: DueQueue;
  readonly #log: Logger;
  readonly #tasks: ExecutionTasks;
  #isStopping = false;
  #isFull = false;
  #alarm: NodeJS.Timeout | null = null;
  #ring: () => void = () => {};
  #running: Promise<void> | null = null;
  /** When the due queue last answered or there was no room to ask it, by this process' own clock. */
  #lastSeenAt = Number.NEGATIVE_INFINITY;

  constructor({ store, due, performer, yieldToClicks = async () => {}, log, onFault = () => {} }: WorkerOptions) {
    this.#due = due;
    this.#log = log;
    const onDueIn = (delayMs: number) => this.#ringIn(delayMs);
    this.#tasks = new ExecutionTasks({
      store,
      due,
      performer,
      yieldToClicks,
      log,
      onFault,
      onDueIn,
      onLeave: () => this.#fill(),
    });
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** An execution has just changed here: what it owes is done now, not with the next look at the queue. */
  wake(ref: string): void {
    if (!this.#isStopping) void this.#tasks.attend(ref);
  }

  /** Takes up nothing new and resolves when what is in hand is done, at the latest after `mostMs`. */
  async stop(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    this.#isStopping = true;
    this.#tasks.close();
    this.#ring();
    await this.#running;
    while (this.#tasks.size > 0 && performance.now() < deadline) await this.#sleep(20);
  }

  /** Whether this worker has seen its queue lately, or has its hands full. */
  isAlive(): boolean {
    return performance.now() - this.#lastSeenAt < 15_000;
  }

  /** How much is in hand. */
  load(): ExecutionTasks['load'] {
    return this.#tasks.load;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) await this.#sleep(await this.#claim());
  }

  /** Takes up what is due; resolves to how long to sleep. */
  async #claim(): Promise<number> {
    const room = EXECUTIONS_AT_ONCE - this.#tasks.size;
    this.#isFull = room <= 0;
    if (this.#isFull) {
      this.#lastSeenAt = performance.now();
      return IDLE_MS;
    }
    try {
      const { refs, nextInMs } = await this.#due.claim(room, LEASE_MS);
      this.#lastSeenAt = performance.now();
      for (const ref of refs) void this.#tasks.attend(ref);
      return refs.length === room ? 0 : Math.min(nextInMs ?? IDLE_MS, IDLE_MS);
    } catch (error) {
      this.#log.error({ err: error }, 'the queue of due executions can not be read');
      return PAUSE_MS;
    }
  }

  /** Where there was no room, the queue is looked at as soon as there is some. */
  #fill(): void {
    if (!this.#isFull || this.#tasks.size > EXECUTIONS_AT_ONCE / 2) return;
    this.#isFull = false;
    this.#ring();
  }

  /** Looks at the queue in so many milliseconds, if it wouldn't have sooner. */
  #ringIn(delayMs: number): void {
    if (delayMs >= IDLE_MS) return;
    setTimeout(() => this.#ring(), Math.max(1, delayMs)).unref();
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        if (this.#alarm) clearTimeout(this.#alarm);
        resolve();
      };
      this.#ring = wake;
      this.#alarm = setTimeout(wake, delayMs);
    });
  }
}
