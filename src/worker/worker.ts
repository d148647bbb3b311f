import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { type DueAction, dueActionKey, dueActionsAt, dueAt, firstActionsAt } from '../core/due-actions.ts';
import {
  type ChangeSubscriber,
  type ClaimedExecutions,
  type DueQueue,
  type ExecutionStore,
  type StoredChange,
  StoreUnavailable,
} from '../core/ports.ts';
import { type Execution, findRequest } from '../core/state/execution.ts';
import type { Millis } from '../core/values/time.ts';
import type { DueActionHandler } from './due-action-handler.ts';
import type { PendingRequests, Urgency } from './pending-requests.ts';

// The worker finds executions that are due, in this process and in the queue, and starts their due actions within limits for each
// service. `due-action-handler.ts` carries the actions out.

/** Longer than any call that an action may make, so that no other process claims what is in progress. */
const LEASE_MS = 60_000;
/** Pause between looks at the queue while its changes are announced. */
const LOOK_EVERY_MS = 30_000;
/** Pause between looks while changes aren't announced, and after the store failed. */
const LOOK_OFTEN_MS = 1_000;
/** Time that the first process has before another one checks whether it acted. */
const GRACE_MS = { least: 100, spread: 150 };
/** Enough that the executions of a crew that hangs leave room for all others. */
const MAX_EXECUTIONS = 256;
/** A worker that hasn't reached its queue for this long isn't alive. */
const ALIVE_MS = 15_000;

type YieldsToRequests = Pick<PendingRequests, 'yieldToRequests'>;

const NO_REQUESTS: YieldsToRequests = { yieldToRequests: async () => {} };

interface WorkerOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: DueQueue;
  handler: DueActionHandler;
  /** The clicks and webhooks that go before the worker's own work. Default: none ever does. */
  pendingRequests?: YieldsToRequests;
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault?: (error: unknown) => void;
}

/**
 * Processes executions when they are due: at once those that this process has changed itself, and those that it claims from
 * the queue, which other processes have left. Any number of workers in any number of processes share the work. A lease only
 * saves effort: whatever can't be repeated is claimed in the record first.
 */
export class Worker implements ChangeSubscriber {
  readonly #due: DueQueue;
  readonly #handler: DueActionHandler;
  readonly #log: Logger;
  readonly #tasks: ExecutionTasks;
  readonly #dueTimes = new DueTimes((ref, whose) => (whose === 'own' ? this.#process(ref) : this.#look()));
  #isStopping = false;
  #isFull = false;
  #mustLook = false;
  #endSleep: () => void = () => {};
  #running: Promise<void> | null = null;
  /** Time of the due queue's last answer, or of the last look without free capacity, on this process' monotonic clock. */
  #lastAliveAt = Number.NEGATIVE_INFINITY;

  constructor({ pendingRequests = NO_REQUESTS, onFault = () => {}, ...options }: WorkerOptions) {
    this.#due = options.due;
    this.#handler = options.handler;
    this.#log = options.log;
    const onDueIn = (ref: string, delayMs: number | null) => this.#dueTimes.set(ref, delayMs, 'own');
    const onIdle = () => this.#lookIfRoom();
    this.#tasks = new ExecutionTasks({ ...options, pendingRequests, onFault, onDueIn, onIdle });
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

  /** Processes at once what others in this process have changed. What an action has changed is processed when that is done. */
  onStored(changes: readonly StoredChange[]): void {
    const byOthers = changes.filter((change) => !this.#handler.hasMade(change));
    for (const ref of new Set(byOthers.map(({ after }) => after.ref))) this.#process(ref);
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

  /** Forgets the earlier due time: looking then might take the execution from a process that can do an action that this one can't. */
  #process(ref: string): void {
    this.#dueTimes.delete(ref);
    if (!this.#isStopping) void this.#tasks.process(ref, 'held');
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

  /** Looks again as soon as half of the room is free, if the worker was full. */
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

/** More executions than one process works on at a time; due times beyond that number are found by looking at the queue. */
const MOST_TIMES = 50_000;
/** Executions due later than this are found by looking at the queue. */
const MOST_AHEAD_MS = 60 * 60_000;

/** The process that acts first when an execution is due: this one, which changed it last, or another one. */
type Whose = 'own' | 'others';

/** Knows when executions are due next, and calls back when that time has come. */
class DueTimes {
  readonly #times = new Map<string, { whose: Whose; timer: NodeJS.Timeout }>();
  readonly #onDue: (ref: string, whose: Whose) => void;

  constructor(onDue: (ref: string, whose: Whose) => void) {
    this.#onDue = onDue;
  }

  /** Returns true if this process acts first when this execution is due. */
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

/** The pause after the store failed. */
const RETRY_MS = 1_000;
/** Everything else waits this long after the last call or card has begun, unless those are done before. */
const OTHERS_AFTER_MS = 200;

interface ExecutionTasksOptions {
  store: Pick<ExecutionStore, 'load'>;
  due: Pick<DueQueue, 'release'>;
  handler: DueActionHandler;
  pendingRequests: YieldsToRequests;
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault: (error: unknown) => void;
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
  /** The next check: of the state that this process holds, or of the stored one; null for none. */
  next: State | null;
  /** The keys of what was started first, and the timer after which the rest begins; null if nothing waits. */
  first: { keys: readonly string[]; timer: NodeJS.Timeout } | null;
}

type State = 'held' | 'stored';

/** The executions that this process works on. All due actions of each run at once, none of them twice. */
export class ExecutionTasks {
  readonly #options: ExecutionTasksOptions;
  readonly #limits = new ConcurrencyLimits();
  readonly #tasks = new Map<string, ExecutionTask>();
  /** The refs of the executions that are tried again soon, since the store failed. */
  readonly #retried = new Set<string>();
  #isClosing = false;
  #preparing = 0;

  constructor(options: ExecutionTasksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /** Load of this process. `concurrency` is per target; the counts of calls are over all targets. */
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
        await this.#options.pendingRequests.yieldToRequests('urgent');
        await this.#check(ref, task, task.next);
        // It may be claimed or changed during the release: unless checked again, the new lease would block everyone else.
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
    const stored = await this.#options.store.load(ref, { mostAgeMs: state === 'held' ? Number.POSITIVE_INFINITY : 0 });
    if (!stored) return;
    const first = this.#firstActions(stored, task);
    if (first.length > 0) {
      for (const action of first) this.#start(stored.execution, task, action);
      clearTimeout(task.first?.timer);
      const keys = [...(task.first?.keys ?? []), ...first.map(dueActionKey)];
      task.first = { keys, timer: setTimeout(() => void this.#startOthers(ref, keys), OTHERS_AFTER_MS).unref() };
      return;
    }
    clearTimeout(task.first?.timer);
    task.first = null;
    const actions = this.#isClosing ? [] : this.#dueActions(stored);
    for (const action of actions) this.#start(stored.execution, task, action);
    const next = dueAt(stored.execution);
    if (actions.length === 0) this.#options.onDueIn(ref, next === null ? null : next - stored.now);
  }

  /** Starts all due actions except the `first` ones: any of those that has failed by now waits for the lease to end. Never rejects. */
  async #startOthers(ref: string, first: readonly string[]): Promise<void> {
    try {
      const stored = await this.#options.store.load(ref, { mostAgeMs: Number.POSITIVE_INFINITY });
      if (!stored || this.#isClosing) return;
      const task = this.#taskOf(ref);
      task.first = null;
      const others = this.#dueActions(stored).filter((action) => !first.includes(dueActionKey(action)));
      for (const action of others) this.#start(stored.execution, task, action);
      const areOnTheirWay = first.every((key) => task.inProgress.has(key));
      const next = dueAt(stored.execution);
      if (others.length === 0 && areOnTheirWay) this.#options.onDueIn(ref, next === null ? null : next - stored.now);
      if (task.inProgress.size === 0 && !task.isChecking) this.#remove(ref);
    } catch (error) {
      this.#reportFault(error, ref, "couldn't process an execution");
    }
  }

  /** Returns nothing if a claimed call was never made: a person has long waited for it, so everything that is due begins at once. */
  #firstActions({ execution, now }: { execution: Execution; now: Millis }, { inProgress }: ExecutionTask): DueAction[] {
    if (this.#isClosing || this.#options.handler.unmade(execution).length > 0) return [];
    return firstActionsAt(execution, now, (action) => inProgress.has(dueActionKey(action)));
  }

  #dueActions({ execution, now }: { execution: Execution; now: Millis }): DueAction[] {
    const due = dueActionsAt(execution, now);
    const unmade = this.#options.handler.unmade(execution);
    if (unmade.length === 0) return due;
    // After a long outage, the claims of these calls are over. Ending them would say that nobody knows whether the calls were made.
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
        this.#reportFault(error, ref, `could not carry out: ${key}`);
      },
    );
  }

  /** Waits before it takes a place in the limit: an action waiting for its turn would block those whose turn it is. */
  async #run(execution: Execution, action: DueAction): Promise<void> {
    const { handler, pendingRequests } = this.#options;
    if (!(await this.#prepare(execution, action))) return;
    await pendingRequests.yieldToRequests(urgencyOf(action));
    await this.#limits.of(
      action,
      execution,
    )(async () => {
      if (!this.#isClosing) await handler.handle(execution, action);
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
    const current = this.#tasks.get(ref);
    if (current) return current;
    const task: ExecutionTask = { inProgress: new Set(), isChecking: false, next: null, first: null };
    this.#tasks.set(ref, task);
    return task;
  }

  #remove(ref: string): void {
    this.#tasks.delete(ref);
    this.#options.onIdle();
  }

  #reportFault(error: unknown, ref: string, what: string): void {
    const { log, onFault } = this.#options;
    onFault(error);
    log.error({ ref, err: error }, what);
    // Several actions of one execution fail together, and are tried again together.
    if (!(error instanceof StoreUnavailable) || this.#retried.has(ref)) return;
    this.#retried.add(ref);
    // Most failures of a store are over long before the lease is.
    setTimeout(() => {
      this.#retried.delete(ref);
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

  /** Returns the limit of the service that an action calls; it serves calls in the order in which they came. */
  of(action: DueAction, execution: Execution): LimitFunction {
    const target = targetOf(action, execution);
    const limit = this.#limits.get(target) ?? pLimit(CALLS_PER_TARGET);
    this.#limits.set(target, limit);
    return limit;
  }

  #sum(count: (limit: LimitFunction) => number): number {
    return [...this.#limits.values()].reduce((sum, limit) => sum + count(limit), 0);
  }
}

function targetOf(action: DueAction, execution: Execution): string {
  const { crew } = execution;
  switch (action.kind) {
    case 'post':
    case 'update':
    case 'private-answer':
    case 'complete-step':
    case 'starter-notice':
    case 'judge-votes':
    case 'find-deciders':
    case 'find-recipients':
      return 'slack';
    case 'catch-up':
      // Many agents make many statuses, which no card waits for.
      return 'status';
    case 'kickoff':
    case 'poll':
      return `crew ${crew}`;
    case 'resume':
      return `${findRequest(execution, action.approvalId)?.question.destination?.kind ?? 'crew'} ${crew}`;
    case 'decline':
    case 'remind':
    case 'escalate':
    case 'expire':
    case 'end-hand-overs':
    case 'check-claims':
    case 'check-adoption':
    case 'find-thread':
    case 'check-crew':
    case 'ask-repeat':
    case 'tell-expiry':
      return 'store';
  }
}
