import type { Logger } from 'pino';
import type { DueQueue, ExecutionStore } from '../core/ports.ts';
import type { DueActionHandler } from './due-action-handler.ts';
import { ExecutionTasks } from './execution-tasks.ts';

/** Longer than any call that an action may make, so that no other process claims what is in progress. */
const LEASE_MS = 60_000;
/** How long other processes' changes may go unnoticed; changes in this process wake the worker. */
const IDLE_MS = 1_000;
/** After the store failed. */
const RETRY_MS = 1_000;
/** Enough that the executions of a crew that hangs leave room for all others. */
const MAX_EXECUTIONS = 256;
/** A worker that hasn't reached its queue for this long isn't alive. */
const ALIVE_MS = 15_000;

interface WorkerOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: DueQueue;
  handler: DueActionHandler;
  /** Resolves when starting something keeps no click waiting. */
  yieldToClicks?: () => Promise<void>;
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault?: () => void;
}

/**
 * Claims due executions and processes them. Any number of workers in any number of processes share the work. The lease only
 * saves effort: whatever can't be repeated is claimed in the record first.
 */
export class Worker {
  readonly #due: DueQueue;
  readonly #log: Logger;
  readonly #tasks: ExecutionTasks;
  #isStopping = false;
  #isFull = false;
  #timer: NodeJS.Timeout | null = null;
  #endSleep: () => void = () => {};
  #running: Promise<void> | null = null;
  /** When the due queue last answered, or there was no room to claim anything; on this process' monotonic clock. */
  #lastAliveAt = Number.NEGATIVE_INFINITY;

  constructor({ yieldToClicks = async () => {}, onFault = () => {}, ...options }: WorkerOptions) {
    this.#due = options.due;
    this.#log = options.log;
    const onDueIn = (delayMs: number) => this.#claimIn(delayMs);
    const onIdle = () => this.#claimIfRoom();
    this.#tasks = new ExecutionTasks({ ...options, yieldToClicks, onFault, onDueIn, onIdle });
  }

  get load(): ExecutionTasks['load'] {
    return this.#tasks.load;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Processes at once an execution that has just changed in this process. */
  wake(ref: string): void {
    if (!this.#isStopping) void this.#tasks.process(ref);
  }

  /** Claims nothing new, and resolves when everything in progress is done, or after `mostMs`. */
  async stop(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    this.#isStopping = true;
    this.#tasks.close();
    this.#endSleep();
    await this.#running;
    while (this.#tasks.size > 0 && performance.now() < deadline) await this.#sleep(20);
  }

  isAlive(): boolean {
    return performance.now() - this.#lastAliveAt < ALIVE_MS;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) await this.#sleep(await this.#claim());
  }

  /** Claims what is due; resolves to how long to sleep. */
  async #claim(): Promise<number> {
    const room = MAX_EXECUTIONS - this.#tasks.size;
    this.#isFull = room <= 0;
    if (this.#isFull) {
      this.#lastAliveAt = performance.now();
      return IDLE_MS;
    }
    try {
      const { refs, nextInMs } = await this.#due.claim(room, LEASE_MS);
      this.#lastAliveAt = performance.now();
      for (const ref of refs) void this.#tasks.process(ref);
      return refs.length === room ? 0 : Math.min(nextInMs ?? IDLE_MS, IDLE_MS);
    } catch (error) {
      this.#log.error({ err: error }, "couldn't read the due queue");
      return RETRY_MS;
    }
  }

  /** After the worker was full, claims again as soon as half of the room is free. */
  #claimIfRoom(): void {
    if (!this.#isFull || this.#tasks.size > MAX_EXECUTIONS / 2) return;
    this.#isFull = false;
    this.#endSleep();
  }

  /** Claims after a delay, unless the next claim comes sooner anyway. */
  #claimIn(delayMs: number): void {
    if (delayMs >= IDLE_MS) return;
    setTimeout(() => this.#endSleep(), Math.max(1, delayMs)).unref();
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        if (this.#timer) clearTimeout(this.#timer);
        resolve();
      };
      this.#endSleep = end;
      this.#timer = setTimeout(end, delayMs);
    });
  }
}
