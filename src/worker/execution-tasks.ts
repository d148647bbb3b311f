import type { Logger } from 'pino';
import type { DueAction } from '../core/due-actions.ts';
import { dueActionKey, dueActionsAt, dueAt } from '../core/due-actions.ts';
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
  /** Waits for what comes before a call and is no work; resolves to false where the action was put off instead. */
  prepare(execution: Execution, action: DueAction): Promise<boolean>;
  /** Does one action of one execution, and stores what came of it. */
  perform(ref: string, action: DueAction): Promise<void>;
}

/** What is in hand of one execution in this process. */
interface OngoingTask {
  inHand: Set<string>;
  isLooking: boolean;
  looksAgain: boolean;
}

export interface ExecutionTasksOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: Pick<DueQueue, 'release'>;
  performer: Performer;
  /** Resolves when nobody is kept waiting by something being begun. */
  yieldToClicks: () => Promise<void>;
  log: Logger;
  /** Hears of each fault of ours, for metrics. */
  onFault: () => void;
  /** Hears in how many milliseconds an execution that was looked at owes something next. */
  onDueIn: (delayMs: number) => void;
  /** Hears of each execution of which nothing is in hand any more. */
  onLeave: () => void;
}

/** The executions that this process attends to: all actions of each that are due are under way at once, none of them twice. */
export class ExecutionTasks {
  readonly #options: ExecutionTasksOptions;
  readonly #lanes = new Lanes(CALLS_AT_ONCE);
  readonly #tasks = new Map<string, OngoingTask>();
  #isClosing = false;
  #preparing = 0;

  constructor(options: ExecutionTasksOptions) {
    this.#options = options;
  }

  /** How many executions are attended to. */
  get size(): number {
    return this.#tasks.size;
  }

  /** How much is in hand. */
  get load(): Lanes['load'] & { executions: number; waitingForTurn: number } {
    return { executions: this.#tasks.size, waitingForTurn: this.#preparing, ...this.#lanes.load };
  }

  /** From now on only what is under way is finished; what still waits for a slot is left to others. */
  close(): void {
    this.#isClosing = true;
  }

  /** Begins all actions of an execution that are due and not in hand, and gives it back when none is left. Never rejects. */
  async attend(ref: string): Promise<void> {
    const task = this.#taskOf(ref);
    task.looksAgain = true;
    if (task.isLooking) return;
    task.isLooking = true;
    try {
      do {
        task.looksAgain = false;
        await this.#options.yieldToClicks();
        await this.#look(ref, task);
        // Who claims or wakes it while it is given back would else be overheard, and the new lease kept everybody away.
        if (!task.looksAgain && task.inHand.size === 0) await this.#options.due.release(ref);
      } while (task.looksAgain);
    } catch (error) {
      this.#fault(error, ref, 'an execution can not be attended to');
    } finally {
      task.isLooking = false;
      if (task.inHand.size === 0) this.#leave(ref);
    }
  }

  async #look(ref: string, task: OngoingTask): Promise<void> {
    const found = await this.#options.store.load(ref);
    if (!found) return;
    const actions = this.#isClosing ? [] : dueActionsAt(found.execution, found.now);
    for (const action of actions) this.#begin(found.execution, task, action);
    const next = dueAt(found.execution);
    if (actions.length === 0 && next !== null) this.#options.onDueIn(next - found.now);
  }

  #begin(execution: Execution, task: OngoingTask, action: DueAction): void {
    const { ref } = execution;
    const key = dueActionKey(action);
    if (task.inHand.has(key)) return;
    task.inHand.add(key);
    this.#do(execution, action).then(
      () => {
        task.inHand.delete(key);
        void this.attend(ref);
      },
      (error: unknown) => {
        task.inHand.delete(key);
        // Not attended to again at once: the lease spaces out what fails, but for a store that will be back.
        if (task.inHand.size === 0 && !task.isLooking) this.#leave(ref);
        this.#fault(error, ref, `failed at: ${key}`);
      },
    );
  }

  /** A slot is taken only for work: who waited in one for their turn would hold up everybody whose turn it is. */
  async #do(execution: Execution, action: DueAction): Promise<void> {
    const { performer, yieldToClicks } = this.#options;
    if (!(await this.#isReady(execution, action))) return;
    await this.#lanes.run(laneOf(action, execution.crew), async () => {
      await yieldToClicks();
      if (!this.#isClosing) await performer.perform(execution.ref, action);
    });
  }

  async #isReady(execution: Execution, action: DueAction): Promise<boolean> {
    this.#preparing += 1;
    try {
      return await this.#options.performer.prepare(execution, action);
    } finally {
      this.#preparing -= 1;
    }
  }

  #taskOf(ref: string): OngoingTask {
    const known = this.#tasks.get(ref);
    if (known) return known;
    const task: OngoingTask = { inHand: new Set(), isLooking: false, looksAgain: false };
    this.#tasks.set(ref, task);
    return task;
  }

  #leave(ref: string): void {
    this.#tasks.delete(ref);
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
