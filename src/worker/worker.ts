import type { Logger } from 'pino';
import type { ClaimedExecutions, DueQueue, ExecutionStore } from '../core/ports.ts';
import type { DueActionHandler } from './due-action-handler.ts';
import { ExecutionTasks } from './execution-tasks.ts';
import type { Urgency } from './pending-requests.ts';

/** Longer than any call that an action may make, so that no other process claims what is in progress. */
const LEASE_MS = 60_000;
/** How often to look at the queue although every change of its due times is heard of. */
const LOOK_EVERY_MS = 30_000;
/** The same while they aren't, and after the store failed. */
const LOOK_OFTEN_MS = 1_000;
/** How long a process has that acts first, before another one looks whether it has. */
const GRACE_MS = { least: 100, spread: 150 };
/** Enough that the executions of a crew that hangs leave room for all others. */
const MAX_EXECUTIONS = 256;
/** A worker that hasn't reached its queue for this long isn't alive. */
const ALIVE_MS = 15_000;

interface WorkerOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: DueQueue;
  handler: DueActionHandler;
  /** Resolves when starting something keeps no click or webhook waiting. */
  yieldToRequests?: (urgency: Urgency) => Promise<void>;
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault?: () => void;
}

/**
 * Processes executions when they are due: at once those that this process has changed itself, and those that it claims from
 * the queue, which other processes have left. Any number of workers in any number of processes share the work. A lease only
 * saves effort: whatever can't be repeated is claimed in the record first.
 */
export class Worker {
  readonly #due: DueQueue;
  readonly #log: Logger;
  readonly #tasks: ExecutionTasks;
  readonly #dueTimes = new DueTimes((ref, whose) => (whose === 'own' ? this.wake(ref) : this.#look()));
  #isStopping = false;
  #isFull = false;
  #mustLook = false;
  #endSleep: () => void = () => {};
  #running: Promise<void> | null = null;
  /** When the due queue last answered, or there was no room to claim anything; on this process' monotonic clock. */
  #lastAliveAt = Number.NEGATIVE_INFINITY;

  constructor({ yieldToRequests = async () => {}, onFault = () => {}, ...options }: WorkerOptions) {
    this.#due = options.due;
    this.#log = options.log;
    const onDueIn = (ref: string, delayMs: number | null) => this.#dueTimes.set(ref, delayMs, 'own');
    const onIdle = () => this.#lookIfRoom();
    this.#tasks = new ExecutionTasks({ ...options, yieldToRequests, onFault, onDueIn, onIdle });
  }

  get load(): ExecutionTasks['load'] {
    return this.#tasks.load;
  }

  start(): void {
    this.#due.listen({
      onDue: (ref, inMs) => this.#dueTimes.set(ref, inMs === null ? null : inMs + graceMs(), 'others'),
      onMissed: () => this.#look(),
      onUnsure: (ref) => this.#dueTimes.set(ref, LOOK_OFTEN_MS, 'others'),
    });
    this.#running ??= this.#run();
  }

  /** Processes at once an execution that has just changed in this process. */
  wake(ref: string): void {
    if (!this.#isStopping) void this.#tasks.process(ref, 'held');
  }

  /** Claims nothing new, and resolves when everything in progress is done, or after `mostMs`. */
  async stop(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    this.#isStopping = true;
    this.#tasks.close();
    this.#dueTimes.clear();
    this.#endSleep();
    await this.#running;
    while (this.#tasks.size > 0 && performance.now() < deadline) await this.#sleep(20);
  }

  isAlive(): boolean {
    return performance.now() - this.#lastAliveAt < ALIVE_MS;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#mustLook = false;
      const lookInMs = await this.#claim();
      if (lookInMs === null) await this.#sleep(LOOK_OFTEN_MS);
      else await this.#rest(performance.now() + lookInMs);
    }
  }

  /** Sleeps until it is time to look again, or something says that it is. */
  async #rest(until: number): Promise<void> {
    while (!this.#isStopping && !this.#mustLook) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      this.#lastAliveAt = performance.now();
      await this.#sleep(Math.min(leftMs, LOOK_OFTEN_MS));
      if (!this.#due.isListening()) return;
    }
  }

  /** Claims what is due; resolves to when to look again, or to null if a part of the queue can't be reached. */
  async #claim(): Promise<number | null> {
    const room = MAX_EXECUTIONS - this.#tasks.size;
    this.#isFull = room <= 0;
    if (this.#isFull) return LOOK_OFTEN_MS;
    try {
      const claimed = await this.#due.claim(room, { leaseMs: LEASE_MS, aheadMs: LOOK_EVERY_MS });
      this.#lastAliveAt = performance.now();
      this.#take(claimed);
      if (!claimed.isComplete) return null;
      return claimed.refs.length === room ? 0 : Math.min(claimed.moreInMs ?? LOOK_EVERY_MS, LOOK_EVERY_MS);
    } catch (error) {
      this.#log.error({ err: error }, "couldn't read the due queue");
      return null;
    }
  }

  #take({ refs, upcoming }: ClaimedExecutions): void {
    for (const ref of refs) {
      this.#dueTimes.delete(ref);
      void this.#tasks.process(ref, 'stored');
    }
    for (const { ref, inMs } of upcoming) {
      if (!this.#dueTimes.isOwn(ref)) this.#dueTimes.set(ref, inMs + graceMs(), 'others');
    }
  }

  /** After the worker was full, looks again as soon as half of the room is free. */
  #lookIfRoom(): void {
    if (this.#isFull && this.#tasks.size <= MAX_EXECUTIONS / 2) this.#look();
  }

  #look(): void {
    this.#mustLook = true;
    this.#endSleep();
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#endSleep(), delayMs);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Random, so that several processes don't all look at the same moment. */
function graceMs(): number {
  return GRACE_MS.least + Math.random() * GRACE_MS.spread;
}

/** More than one process works on at a time; beyond that, due times are found by looking at the queue. */
const MOST_TIMES = 50_000;
/** What is due later than this is found by looking at the queue. */
const MOST_AHEAD_MS = 60 * 60_000;

/** Who acts first when an execution is due: this process, which has changed it last, or another one. */
type Whose = 'own' | 'others';

/** Knows when executions are due next, and calls back when that time has come. */
class DueTimes {
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
