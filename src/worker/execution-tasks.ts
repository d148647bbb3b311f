import type { Logger } from 'pino';
import { dutyKey } from '../core/action-key.ts';
import type { Duty } from '../core/due-actions.ts';
import { dueAt, dutiesAt } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import type { DueQueue, ExecutionStore } from '../core/ports.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { laneOf } from './lane-of.ts';
import { Lanes } from './lanes.ts';

/** More calls at once to Slack, or to one crew, would cost clicks their time. */
const CALLS_AT_ONCE = 16;
/** After the store failed. */
const PAUSE_MS = 1_000;

export interface Performer {
  /** Waits for what comes before a call and is no work; resolves to false where the duty was put off instead. */
  prepare(execution: Execution, duty: Duty): Promise<boolean>;
  /** Does one duty of one execution, and stores what came of it. */
  perform(ref: string, duty: Duty): Promise<void>;
}

/** What is in hand of one execution in this process. */
interface Desk {
  inHand: Set<string>;
  isLooking: boolean;
  looksAgain: boolean;
}

export interface DesksOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: Pick<DueQueue, 'release'>;
  performer: Performer;
  /** Resolves when nobody is kept waiting by something being begun. */
  giveWay: () => Promise<void>;
  log: Logger;
  /** Hears of each fault of ours, for metrics. */
  onFault: () => void;
  /** Hears in how many milliseconds an execution that was looked at owes something next. */
  onOwedIn: (delayMs: number) => void;
  /** Hears of each execution of which nothing is in hand any more. */
  onLeave: () => void;
}

/** The executions that this process attends to: all duties of each that are due are under way at once, none of them twice. */
export class Desks {
  readonly #options: DesksOptions;
  readonly #lanes = new Lanes(CALLS_AT_ONCE);
  readonly #desks = new Map<string, Desk>();
  #isClosing = false;
  #preparing = 0;

  constructor(options: DesksOptions) {
    this.#options = options;
  }

  /** How many executions are attended to. */
  get size(): number {
    return this.#desks.size;
  }

  /** How much is in hand. */
  get load(): Lanes['load'] & { executions: number; waitingForTurn: number } {
    return { executions: this.#desks.size, waitingForTurn: this.#preparing, ...this.#lanes.load };
  }

  /** From now on only what is under way is finished; what still waits for a slot is left to others. */
  close(): void {
    this.#isClosing = true;
  }

  /** Begins all duties of an execution that are due and not in hand, and gives it back when none is left. Never rejects. */
  async attend(ref: string): Promise<void> {
    const desk = this.#deskOf(ref);
    desk.looksAgain = true;
    if (desk.isLooking) return;
    desk.isLooking = true;
    try {
      do {
        desk.looksAgain = false;
        await this.#options.giveWay();
        await this.#look(ref, desk);
        // Who claims or wakes it while it is given back would else be overheard, and the new lease kept everybody away.
        if (!desk.looksAgain && desk.inHand.size === 0) await this.#options.due.release(ref);
      } while (desk.looksAgain);
    } catch (error) {
      this.#fault(error, ref, 'an execution can not be attended to');
    } finally {
      desk.isLooking = false;
      if (desk.inHand.size === 0) this.#leave(ref);
    }
  }

  async #look(ref: string, desk: Desk): Promise<void> {
    const found = await this.#options.store.load(ref);
    if (!found) return;
    const duties = this.#isClosing ? [] : dutiesAt(found.execution, found.now);
    for (const duty of duties) this.#begin(found.execution, desk, duty);
    const next = dueAt(found.execution);
    if (duties.length === 0 && next !== null) this.#options.onOwedIn(next - found.now);
  }

  #begin(execution: Execution, desk: Desk, duty: Duty): void {
    const { ref } = execution;
    const key = dutyKey(duty);
    if (desk.inHand.has(key)) return;
    desk.inHand.add(key);
    this.#do(execution, duty).then(
      () => {
        desk.inHand.delete(key);
        void this.attend(ref);
      },
      (error: unknown) => {
        desk.inHand.delete(key);
        // Not attended to again at once: the lease spaces out what fails, but for a store that will be back.
        if (desk.inHand.size === 0 && !desk.isLooking) this.#leave(ref);
        this.#fault(error, ref, `failed at: ${key}`);
      },
    );
  }

  /** A slot is taken only for work: who waited in one for their turn would hold up everybody whose turn it is. */
  async #do(execution: Execution, duty: Duty): Promise<void> {
    const { performer, giveWay } = this.#options;
    if (!(await this.#isReady(execution, duty))) return;
    await this.#lanes.run(laneOf(duty, execution.crew), async () => {
      await giveWay();
      if (!this.#isClosing) await performer.perform(execution.ref, duty);
    });
  }

  async #isReady(execution: Execution, duty: Duty): Promise<boolean> {
    this.#preparing += 1;
    try {
      return await this.#options.performer.prepare(execution, duty);
    } finally {
      this.#preparing -= 1;
    }
  }

  #deskOf(ref: string): Desk {
    const known = this.#desks.get(ref);
    if (known) return known;
    const desk: Desk = { inHand: new Set(), isLooking: false, looksAgain: false };
    this.#desks.set(ref, desk);
    return desk;
  }

  #leave(ref: string): void {
    this.#desks.delete(ref);
    this.#options.onLeave();
  }

  #fault(error: unknown, ref: string, what: string): void {
    const { log, onFault } = this.#options;
    if (!(error instanceof StoreUnavailable)) {
      onFault();
      log.error({ ref, err: error }, what);
      return;
    }
    log.warn({ ref, err: error }, what);
    // The lease would make everybody wait for much longer than most failures of a store last.
    setTimeout(() => {
      if (!this.#isClosing) void this.attend(ref);
    }, PAUSE_MS).unref();
  }
}
