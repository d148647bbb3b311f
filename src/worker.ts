import type { Logger } from 'pino';
import type { Duty } from './core/duty.ts';
import { dueAt, dutiesAt } from './core/duty.ts';
import type { Execution } from './core/execution.ts';
import { messageKey } from './core/message.ts';
import type { DueQueue, ExecutionStore } from './core/ports.ts';
import { StoreUnavailable } from './core/ports.ts';
import { Lanes } from './lanes.ts';

/** Longer than any call that a duty may make, so that nobody else takes up what is in hand. */
const LEASE_MS = 60_000;
/** How long other processes' changes may go unseen; our own doors wake us at once. */
const IDLE_MS = 1_000;
/** After the store failed. */
const PAUSE_MS = 1_000;
/** More calls at once to Slack, or to one crew, would cost clicks their time. */
const CALLS_AT_ONCE = 16;
/** So many that those of a crew that hangs leave room for all others. */
const EXECUTIONS_AT_ONCE = 256;

/** Does one duty of one execution, and stores what came of it. */
export type Perform = (ref: string, duty: Duty) => Promise<void>;

/** What is in hand of one execution in this process. */
interface Desk {
  inHand: Set<string>;
  isLooking: boolean;
  looksAgain: boolean;
}

export interface WorkerOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: DueQueue;
  perform: Perform;
  log: Logger;
  /** Hears of each fault of ours, for metrics. */
  onFault?: () => void;
}

/**
 * Claims what is due and does it. Any number of workers on any number of processes share the work; the lease only saves
 * effort, since everything that can't be repeated is claimed in the record before it is done.
 */
export class Worker {
  readonly #store: Pick<ExecutionStore, 'load'>;
  readonly #due: DueQueue;
  readonly #perform: Perform;
  readonly #log: Logger;
  readonly #onFault: () => void;
  readonly #lanes = new Lanes(CALLS_AT_ONCE);
  readonly #desks = new Map<string, Desk>();
  #isStopping = false;
  #isFull = false;
  #alarm: NodeJS.Timeout | null = null;
  #ring: () => void = () => {};
  #running: Promise<void> | null = null;
  /** When the due queue last answered or there was no room to ask it, by this process' own clock. */
  #lastSeenAt = Number.NEGATIVE_INFINITY;

  constructor({ store, due, perform, log, onFault = () => {} }: WorkerOptions) {
    this.#store = store;
    this.#due = due;
    this.#perform = perform;
    this.#log = log;
    this.#onFault = onFault;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** An execution has just changed here: what it owes is done now, not with the next look at the queue. */
  wake(ref: string): void {
    if (!this.#isStopping) void this.#attend(ref);
  }

  /** Takes up nothing new and resolves when what is in hand is done, at the latest after `mostMs`. */
  async stop(mostMs: number): Promise<void> {
    const deadline = performance.now() + mostMs;
    this.#isStopping = true;
    this.#ring();
    await this.#running;
    while (this.#desks.size > 0 && performance.now() < deadline) await this.#sleep(20);
  }

  /** Whether this worker has seen its queue lately, or has its hands full. */
  isAlive(): boolean {
    return performance.now() - this.#lastSeenAt < 15_000;
  }

  /** How much is in hand. */
  load(): { executions: number; slots: number; slotsInUse: number; waitingForSlot: number } {
    return { executions: this.#desks.size, ...this.#lanes.load };
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) await this.#sleep(await this.#claim());
  }

  /** Takes up what is due; resolves to how long to sleep. */
  async #claim(): Promise<number> {
    const room = EXECUTIONS_AT_ONCE - this.#desks.size;
    this.#isFull = room <= 0;
    if (this.#isFull) {
      this.#lastSeenAt = performance.now();
      return IDLE_MS;
    }
    try {
      const { refs, nextInMs } = await this.#due.claim(room, LEASE_MS);
      this.#lastSeenAt = performance.now();
      for (const ref of refs) void this.#attend(ref);
      return refs.length === room ? 0 : Math.min(nextInMs ?? IDLE_MS, IDLE_MS);
    } catch (error) {
      this.#log.error({ err: error }, 'the queue of due executions can not be read');
      return PAUSE_MS;
    }
  }

  /** Begins all duties of an execution that are due and not in hand, and gives it back when none is left. */
  async #attend(ref: string): Promise<void> {
    const desk = this.#deskOf(ref);
    desk.looksAgain = true;
    if (desk.isLooking) return;
    desk.isLooking = true;
    try {
      do {
        desk.looksAgain = false;
        await this.#look(ref, desk);
        // Who claims or wakes it while it is given back would else be overheard, and the new lease kept everybody away.
        if (!desk.looksAgain && desk.inHand.size === 0) await this.#due.release(ref);
      } while (desk.looksAgain);
    } catch (error) {
      this.#fault(error, ref, 'an execution can not be attended to');
    } finally {
      desk.isLooking = false;
      if (desk.inHand.size === 0) this.#leave(ref);
    }
  }

  /** Where there was no room, the queue is looked at as soon as there is some. */
  #leave(ref: string): void {
    this.#desks.delete(ref);
    if (!this.#isFull || this.#desks.size > EXECUTIONS_AT_ONCE / 2) return;
    this.#isFull = false;
    this.#ring();
  }

  async #look(ref: string, desk: Desk): Promise<void> {
    const found = await this.#store.load(ref);
    if (!found) return;
    const duties = this.#isStopping ? [] : dutiesAt(found.execution, found.now);
    for (const duty of duties) this.#begin(found.execution, desk, duty);
    const next = dueAt(found.execution);
    if (duties.length === 0 && next !== null) this.#ringIn(next - found.now);
  }

  #begin({ ref, crew }: Execution, desk: Desk, duty: Duty): void {
    const key = dutyKey(duty);
    if (desk.inHand.has(key)) return;
    desk.inHand.add(key);
    // What still waits for a slot when the stop begins is left to others.
    const done = this.#lanes.run(laneOf(duty, crew), async () => {
      if (!this.#isStopping) await this.#perform(ref, duty);
    });
    done.then(
      () => {
        desk.inHand.delete(key);
        void this.#attend(ref);
      },
      (error: unknown) => {
        desk.inHand.delete(key);
        // Not attended to again at once: the lease spaces out what fails, but for a store that will be back.
        if (desk.inHand.size === 0 && !desk.isLooking) this.#leave(ref);
        this.#fault(error, ref, `failed at: ${key}`);
      },
    );
  }

  #deskOf(ref: string): Desk {
    const known = this.#desks.get(ref);
    if (known) return known;
    const desk: Desk = { inHand: new Set(), isLooking: false, looksAgain: false };
    this.#desks.set(ref, desk);
    return desk;
  }

  #fault(error: unknown, ref: string, what: string): void {
    if (!(error instanceof StoreUnavailable)) {
      this.#onFault();
      this.#log.error({ ref, err: error }, what);
      return;
    }
    this.#log.warn({ ref, err: error }, what);
    // The lease would make everybody wait for much longer than most failures of a store last.
    setTimeout(() => this.wake(ref), PAUSE_MS).unref();
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

/** Whom a duty calls. */
function laneOf({ kind }: Duty, crew: string): string {
  switch (kind) {
    case 'post':
    case 'update':
    case 'notice':
      return 'slack';
    case 'kickoff':
    case 'resume':
    case 'poll':
      return `crew ${crew}`;
    case 'expire':
    case 'catch-up':
    case 'check-hold':
      return 'store';
  }
}

function dutyKey(duty: Duty): string {
  switch (duty.kind) {
    case 'post':
    case 'update':
      return `${duty.kind} ${messageKey(duty.message)}`;
    case 'resume':
      return `resume ${duty.approvalId}`;
    case 'kickoff':
    case 'notice':
    case 'expire':
    case 'catch-up':
    case 'poll':
    case 'check-hold':
      return duty.kind;
  }
}
