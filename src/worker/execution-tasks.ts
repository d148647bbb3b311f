import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { type DueAction, dueActionKey, dueActionsAt, dueAt } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import { type DueQueue, type ExecutionStore, StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import type { DueActionHandler } from './due-action-handler.ts';
import type { Urgency } from './pending-requests.ts';

/** After the store failed. */
const RETRY_MS = 1_000;

interface ExecutionTasksOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: Pick<DueQueue, 'release'>;
  handler: DueActionHandler;
  /** Resolves when starting something keeps no click or webhook waiting. */
  yieldToRequests: (urgency: Urgency) => Promise<void>;
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault: () => void;
  /** Called with the delay until the next due action of an execution that has none due now; null if it has none at all. */
  onDueIn: (ref: string, delayMs: number | null) => void;
  /** Called for each execution that has nothing in progress any more. */
  onIdle: () => void;
}

/** The work on one execution in this process. */
interface ExecutionTask {
  /** The keys of the actions in progress. */
  inProgress: Set<string>;
  isChecking: boolean;
  /** What is to be checked next: what this process holds, or what is stored; null for nothing. */
  next: State | null;
}

type State = 'held' | 'stored';

/** The executions that this process works on. All due actions of each run at once, none of them twice. */
export class ExecutionTasks {
  readonly #options: ExecutionTasksOptions;
  readonly #limits = new ConcurrencyLimits();
  readonly #tasks = new Map<string, ExecutionTask>();
  #isClosing = false;
  #preparing = 0;

  constructor(options: ExecutionTasksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /** How busy this process is. `concurrency` is per target, the counts of calls are over all targets. */
  get load() {
    const { activeCount, pendingCount } = this.#limits;
    return {
      executions: this.#tasks.size,
      waitingForTurn: this.#preparing,
      concurrency: CALLS_PER_TARGET,
      activeCount,
      pendingCount,
    };
  }

  /** Lets the actions in progress finish; those still waiting for their limit are left to other processes. */
  close(): void {
    this.#isClosing = true;
  }

  /**
   * Starts all due actions that aren't in progress yet, and releases the execution when there are none. Never rejects.
   * @param state `held`: this process has just changed the execution, or is the one to act first
   */
  async process(ref: string, state: State): Promise<void> {
    const task = this.#taskOf(ref);
    task.next = task.next === 'stored' ? 'stored' : state;
    if (task.isChecking) return;
    task.isChecking = true;
    try {
      while (task.next) {
        await this.#options.yieldToRequests('urgent');
        await this.#check(ref, task, task.next);
        // It may be claimed or woken during the release: unless checked again, the new lease would block everyone else.
        if (!task.next && task.inProgress.size === 0) await this.#options.due.release(ref);
      }
    } catch (error) {
      this.#reportFault(error, ref, "couldn't process an execution");
    } finally {
      task.isChecking = false;
      if (task.inProgress.size === 0) this.#remove(ref);
    }
  }

  async #check(ref: string, task: ExecutionTask, state: State): Promise<void> {
    task.next = null;
    const found = await this.#options.store.load(ref, { mostAgeMs: state === 'held' ? Number.POSITIVE_INFINITY : 0 });
    if (!found) return;
    const actions = this.#isClosing ? [] : this.#dueActions(found);
    for (const action of actions) this.#start(found.execution, task, action);
    const next = dueAt(found.execution);
    if (actions.length === 0) this.#options.onDueIn(ref, next === null ? null : next - found.now);
  }

  #dueActions({ execution, now }: { execution: Execution; now: Millis }): DueAction[] {
    const due = dueActionsAt(execution, now);
    const unmade = this.#options.handler.unmade(execution);
    if (unmade.length === 0) return due;
    // After a long outage their claims are over, and to end them would be to say that nobody knows of these calls.
    return [...unmade, ...due.filter(({ kind }) => kind !== 'check-claims')];
  }

  #start(execution: Execution, task: ExecutionTask, action: DueAction): void {
    const { ref } = execution;
    const key = dueActionKey(action);
    if (task.inProgress.has(key)) return;
    task.inProgress.add(key);
    this.#run(execution, action).then(
      () => {
        task.inProgress.delete(key);
        void this.process(ref, 'held');
      },
      (error: unknown) => {
        task.inProgress.delete(key);
        // No retry at once: the lease spaces out failures, except those of a store that will soon be back.
        if (task.inProgress.size === 0 && !task.isChecking) this.#remove(ref);
        this.#reportFault(error, ref, `failed: ${key}`);
      },
    );
  }

  /** Waits before it takes a place in the limit: an action waiting for its turn would block those whose turn it is. */
  async #run(execution: Execution, action: DueAction): Promise<void> {
    const { handler, yieldToRequests } = this.#options;
    if (!(await this.#prepare(execution, action))) return;
    await yieldToRequests(urgencyOf(action));
    await this.#limits.of(
      action,
      execution.crew,
    )(async () => {
      if (!this.#isClosing) await handler.handle(execution.ref, action);
    });
  }

  async #prepare(execution: Execution, action: DueAction): Promise<boolean> {
    this.#preparing += 1;
    try {
      return await this.#options.handler.prepare(execution, action);
    } finally {
      this.#preparing -= 1;
    }
  }

  #taskOf(ref: string): ExecutionTask {
    const known = this.#tasks.get(ref);
    if (known) return known;
    const task: ExecutionTask = { inProgress: new Set(), isChecking: false, next: null };
    this.#tasks.set(ref, task);
    return task;
  }

  #remove(ref: string): void {
    this.#tasks.delete(ref);
    this.#options.onIdle();
  }

  #reportFault(error: unknown, ref: string, what: string): void {
    const { log, onFault } = this.#options;
    if (!(error instanceof StoreUnavailable)) {
      onFault();
      log.error({ ref, err: error }, what);
      return;
    }
    log.warn({ ref, err: error }, what);
    // Most failures of a store are over long before the lease is.
    setTimeout(() => {
      if (!this.#isClosing) void this.process(ref, 'stored');
    }, RETRY_MS).unref();
  }
}

/** A person waits for what goes to the crew, and a decision that isn't sent yet would be lost to a crew that times out. */
function urgencyOf({ kind }: DueAction): Urgency {
  return kind === 'resume' || kind === 'kickoff' ? 'urgent' : 'normal';
}

/** More concurrent calls to Slack, or to one crew, would slow down clicks. */
const CALLS_PER_TARGET = 16;

/** A limit for each service that due actions call, so that one that hangs delays nothing but the calls to itself. */
class ConcurrencyLimits {
  readonly #limits = new Map<string, LimitFunction>();

  get activeCount(): number {
    return this.#sum(({ activeCount }) => activeCount);
  }

  get pendingCount(): number {
    return this.#sum(({ pendingCount }) => pendingCount);
  }

  /** The limit of the service that an action calls, first in, first out. */
  of(action: DueAction, crew: string): LimitFunction {
    const target = targetOf(action, crew);
    const limit = this.#limits.get(target) ?? pLimit(CALLS_PER_TARGET);
    this.#limits.set(target, limit);
    return limit;
  }

  #sum(count: (limit: LimitFunction) => number): number {
    return [...this.#limits.values()].reduce((sum, limit) => sum + count(limit), 0);
  }
}

function targetOf({ kind }: DueAction, crew: string): string {
  switch (kind) {
    case 'post':
    case 'update':
    case 'private-answer':
    case 'starter-notice':
    case 'find-recipients':
      return 'slack';
    case 'kickoff':
    case 'resume':
    case 'poll':
      return `crew ${crew}`;
    case 'remind':
    case 'escalate':
    case 'expire':
    case 'end-hand-overs':
    case 'check-claims':
    case 'catch-up':
    case 'check-adoption':
    case 'check-crew':
    case 'tell-expiry':
      return 'store';
  }
}
