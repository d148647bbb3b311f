import { withExpiry } from '../core/execution/expiry.ts';
import { mendLost, type Remembered } from '../core/lost-changes.ts';
import { type Changed, type ExecutionStore, isOutage, type StoredChange, StoreUnavailable } from '../core/ports.ts';
import { recordDeliveries } from '../core/state/events.ts';
import { type Execution, type Transition, timeOfChange } from '../core/state/execution.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import { answerDeadline, type Deadline, insist, type RedisClient, runScript } from './call.ts';
import { indexesOf, mayExpire } from './indexes.ts';
import { linkKey, linkOf, recordKeys } from './keys.ts';
import type { LedgerOptions } from './ledger/entries.ts';
import { countUnanswered, openIn, refsRefused, refsWithPending } from './lists.ts';
import { createLocalState, type LocalState, type UnstoredChange, WRITE_ID_LENGTH } from './local-state.ts';
import { lostOf } from './lost-writes.ts';
import type { Replication } from './replication.ts';
import type { StoredChanges } from './stored-changes.ts';
import {
  followLinks,
  heldRecord,
  linkId,
  loadRecord,
  REMOVE,
  type Stored,
  type Storing,
  swapRecord,
} from './stored-record.ts';

// The store of executions: loads them, queues their changes and stores these in batches.

interface ExecutionStoreOptions extends Pick<LedgerOptions, 'auditDays'> {
  /** Keys that seal the entries of the ledger; entries are never sealed if there are none. Default: none. */
  entryKeys?: LedgerOptions['entryKeys'];
  /** Days for which an execution is kept after it ended, or after nothing more is expected of it. */
  retentionDays: number;
  /** Confirms each change before it counts; null if nothing has to. */
  replication: Replication | null;
  /**
   * Time for which a changed execution is left to this process, whose own worker learns of it at once. Other workers would only
   * do the same at the same time; they step in if it doesn't. Updates and polls are left to it for longer. Default: 0, which leaves
   * it nothing and stores every change at once.
   */
  headStartMs?: number;
  /** Shared with the due queue of this process. */
  local?: LocalState;
  /** Receives each change once it is durable. */
  storedChanges?: Pick<StoredChanges, 'add'>;
}

/**
 * Stores executions in Redis. Each is one record that changes together with its due time and index entries in one script. Loading
 * throws `UnreadableRecord` for a record that this version can't read. A change passes through this file from top to bottom.
 */
export function createExecutionStore(redis: RedisClient, options: ExecutionStoreOptions): ExecutionStore {
  const { retentionDays, auditDays, replication, storedChanges } = options;
  const { entryKeys = [], headStartMs = 0, local = createLocalState() } = options;
  const retentionMs = retentionDays * DAY_MS;
  const storing = { redis, local, retentionMs, auditDays, entryKeys, headStartMs };
  const replicated = async (ref: string, writeId: string, until: Deadline) => {
    await replication?.untilReplicated({ recordKey: recordKeys(ref).record, writeId, until });
    local.writes.confirm(ref, writeId);
  };
  const confirmNoRecord = (ref: string) => replication?.confirmAbsent({ key: recordKeys(ref).record, field: 'record' });

  const batches = new ChangeBatches(local.unstored, async (ref, batch) => {
    const until = answerDeadline();
    try {
      const { changes, answers, writeId } = await storeBatch(storing, { ref, batch, until });
      // The write is also confirmed if these changes left the record as it was: an earlier try may have failed for lack of replicas.
      await (writeId === null ? confirmNoRecord(ref) : replicated(ref, writeId, until));
      storedChanges?.add(changes);
      for (const answer of answers) answer();
    } catch (error) {
      local.onUnsureWrite(ref);
      for (const { fail } of batch) fail(error);
    }
  });

  return {
    change: (ref, transition) => batches.change(ref, transition),

    async changeSoon(ref, transition, mostMs) {
      const held = heldRecord(local, ref);
      const withinMs = held && !local.leased.has(ref) ? Math.min(mostMs, leftAloneMs(held)) : 0;
      return held && withinMs > 0
        ? batches.changeSoon(withUnstored(local, held.execution), transition, { now: held.now, withinMs })
        : batches.change(ref, transition);
    },

    storeAll: () => batches.storeAll(),

    async create(ref, make) {
      const until = answerDeadline();
      try {
        const { created, writeId } = await create(storing, { ref, make, until });
        await replicated(ref, writeId, until);
        if (created === null) return 'exists';
        storedChanges?.add([created]);
        return 'created';
      } catch (error) {
        local.onUnsureWrite(ref);
        throw error;
      }
    },

    async load(ref, { mostAgeMs = 0 } = {}) {
      const cached = mostAgeMs > 0 ? heldRecord(local, ref, mostAgeMs) : null;
      const { execution, now } = cached ?? (await loadRecord(redis, local, ref, answerDeadline()));
      if (execution) return { execution: withUnstored(local, execution), now: timeOfChange(execution, now) };
      await confirmNoRecord(ref);
      return null;
    },

    remove: (ref, allowed) => remove(redis, local, ref, allowed),
    openIn: (channel) => openIn(redis, local, channel),
    withPending: () => refsWithPending(redis),
    refusedIn: (channel) => refsRefused(redis, channel),
    unanswered: (crew) => countUnanswered(redis, crew),
    linkId: (crew, id, ref) => linkId(redis, local.links, { crew, id, ref, retentionMs }),
    async findById(crew, id) {
      const key = linkKey(linkOf(crew, id));
      const ref = await insist(redis, answerDeadline(), () => redis.get(key));
      if (ref === null) await replication?.confirmAbsent({ key });
      return ref;
    },
  };
}

/** The result of a change, and the callback that answers its caller once the result is stored. */
interface Attempt {
  after: Execution | null;
  answer: () => void;
}

/** A change that waits to be stored. */
interface WaitingChange {
  /** Pure: called again with a newer state if another process was faster. `null` is an absent execution. */
  attempt(execution: Execution | null, now: Millis): Attempt;
  fail(error: unknown): void;
}

/** A change that isn't stored at once is stored at the latest this long before other processes may act on the state before it. */
const STORED_BEFORE_MS = 1_000;

/** The pause after such a change couldn't be stored. */
const STORED_AGAIN_MS = 1_000;

/** Returns the time for which other processes leave an execution to this one, unless they change it themselves. */
function leftAloneMs({ claimableAt, now }: { claimableAt: Millis | null; now: Millis }): Millis {
  return claimableAt === null ? 0 : claimableAt - STORED_BEFORE_MS - now;
}

/**
 * Queues the changes of each execution. Changes that arrive while others are being stored are stored together in one write, so
 * the changes of one process never conflict with each other.
 */
class ChangeBatches {
  readonly #waiting = new Map<string, WaitingChange[]>();
  /** When what is unstored of an execution is stored at the latest, by `performance.now()`. */
  readonly #timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  #isClosing = false;
  readonly #unstored: LocalState['unstored'];
  readonly #store: (ref: string, batch: readonly WaitingChange[]) => Promise<void>;

  /**
   * @param unstored the changes to store before others of the same execution
   * @param store stores changes of one execution together, and answers or fails each of them; never rejects
   */
  constructor(
    unstored: LocalState['unstored'],
    store: (ref: string, batch: readonly WaitingChange[]) => Promise<void>,
  ) {
    this.#unstored = unstored;
    this.#store = store;
  }

  /** Makes a change that counts at once, and is stored in time, perhaps with another one. An old state is no reason to refuse it. */
  changeSoon<Refusal>(
    before: Execution,
    transition: Transition<Refusal>,
    { now, withinMs }: { now: Millis; withinMs: Millis },
  ): Promise<Changed<Refusal>> {
    const { ref } = before;
    const at = timeOfChange(before, now);
    return new Promise((resolve, reject) => {
      const attempt = (execution: Execution) => attemptOf(transition, { execution, now: at }, { resolve, reject });
      const { after, answer } = attempt(before);
      if (this.#isClosing || after === null || after === before)
        return void this.change(ref, transition).then(resolve, reject);
      const unstored = unstoredChange({ before, after }, attempt);
      this.#unstored.set(ref, [...(this.#unstored.get(ref) ?? []), unstored]);
      this.#storeWithin(ref, withinMs);
      answer();
    });
  }

  /** Stores what is unstored, unless another change does that before. */
  #storeWithin(ref: string, mostMs: Millis): void {
    const at = performance.now() + mostMs;
    const earlier = this.#timers.get(ref);
    if (this.#isClosing || (earlier && earlier.at <= at)) return;
    clearTimeout(earlier?.timer);
    this.#timers.set(ref, { at, timer: setTimeout(() => this.#storeUnstored(ref), mostMs).unref() });
  }

  /** Stores everything that is unstored, and from now on every change at once. Never rejects. */
  async storeAll(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#unstored.keys()].map((ref) => this.#storeUnstored(ref)));
  }

  change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>> {
    return new Promise((resolve, reject) => {
      const attempt = (execution: Execution | null, now: Millis) =>
        attemptOf(transition, { execution, now }, { resolve, reject });
      this.#add(ref, { attempt, fail: reject });
    });
  }

  #add(ref: string, change: WaitingChange): void {
    const waiting = this.#waiting.get(ref);
    if (waiting) {
      waiting.push(change);
      return;
    }
    this.#waiting.set(ref, [change]);
    void this.#run(ref);
  }

  /** Never rejects. */
  #storeUnstored(ref: string): Promise<void> {
    return new Promise((done) => {
      this.#add(ref, { attempt: (execution) => ({ after: execution, answer: done }), fail: () => done() });
    });
  }

  async #run(ref: string): Promise<void> {
    do await this.#store(ref, this.#take(ref));
    while (this.#waiting.get(ref)?.length);
    this.#waiting.delete(ref);
  }

  /** Returns the next batch: first the unstored changes, which count in this process until they are stored, then those that wait. */
  #take(ref: string): WaitingChange[] {
    clearTimeout(this.#timers.get(ref)?.timer);
    this.#timers.delete(ref);
    const unstored = this.#unstored.get(ref)?.map(
      (change): WaitingChange => ({
        attempt: (execution) => ({
          after: execution && change.apply(execution),
          answer: () => this.#forget(ref, change),
        }),
        // A change that can't be stored at all is dropped, and its call repeated: otherwise it would make all others fail, too.
        fail: (error) => (isOutage(error) ? this.#storeWithin(ref, STORED_AGAIN_MS) : this.#forget(ref, change)),
      }),
    );
    return [...(unstored ?? []), ...(this.#waiting.get(ref)?.splice(0) ?? [])];
  }

  #forget(ref: string, stored: UnstoredChange): void {
    const left = this.#unstored.get(ref)?.filter((change) => change !== stored) ?? [];
    if (left.length > 0) this.#unstored.set(ref, left);
    else this.#unstored.delete(ref);
  }
}

/** Returns an execution as this process knows it, given the stored state. */
function withUnstored({ unstored }: LocalState, execution: Execution): Execution {
  return unstored.get(execution.ref)?.reduce((each, change) => change.apply(each), execution) ?? execution;
}

/** Its `apply` returns the same object for the same state: by the object, the worker knows its own changes. */
function unstoredChange(
  made: { before: Execution; after: Execution },
  attempt: (execution: Execution) => Attempt,
): UnstoredChange {
  let last = made;
  return {
    apply(before) {
      if (last.before !== before) last = { before, after: attempt(before).after ?? before };
      return last.after;
    },
  };
}

function attemptOf<Refusal>(
  transition: Transition<Refusal>,
  { execution, now }: { execution: Execution | null; now: Millis },
  { resolve, reject }: { resolve: (changed: Changed<Refusal>) => void; reject: (error: unknown) => void },
): Attempt {
  const attempted = (after: Execution | null, changed: Changed<Refusal>) => ({ after, answer: () => resolve(changed) });
  if (!execution) return attempted(null, { kind: 'absent' });
  try {
    const result = transition(execution, now);
    if (!result.ok) {
      const left = 'after' in result ? result.after : execution;
      return attempted(left, { kind: 'refused', refusal: result.refusal, execution: left });
    }
    if (result.value === execution) return attempted(execution, { kind: 'unchanged', execution });
    const after = recordDeliveries(execution, result.value, now);
    return attempted(after, { kind: 'changed', before: execution, after });
  } catch (error) {
    // One change failed by our own fault: the others are stored.
    return { after: execution, answer: () => reject(error) };
  }
}

/** Retries after conflicts. Of any number of competing writes, one wins each time. */
const MOST_TRIES = 200;

/**
 * Applies changes one after the other and stores the outcome in one write. Starts from the state that this process holds; if that
 * turns out to be old, retries all of them on the new one. Resolves to the stored changes, the answers to the callers, and the
 * write that they rest on; null if there is no record. @throws {StoreUnavailable} @throws {UnreadableRecord}
 */
async function storeBatch(
  storing: Storing,
  { ref, batch, until }: { ref: string; batch: readonly WaitingChange[]; until: Deadline },
): Promise<{ changes: StoredChange[]; answers: (() => void)[]; writeId: string | null }> {
  const { redis, local } = storing;
  const cached = heldRecord(local, ref);
  let stored = cached ?? (await loadRecord(redis, local, ref, until));
  let isCurrent = cached === null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const own = local.writes.unmended.get(ref) ?? local.writes.last.peek(ref);
    // Redis may have lost the last write of this process: then that is mended before the batch is applied.
    const mayLack = stored.execution !== null && own !== undefined && !stored.writes.includes(own.writeId);
    const lost = mayLack ? await lostOf(local, own, until) : null;
    const { after, changes, answers } = applyAll(lost ? [mending(lost), ...batch] : batch, stored);
    const current = { changes, answers, writeId: after && newestIn(stored.writes) };
    const written = after !== null && after !== stored.execution;
    // An old state is no reason to refuse a change or to call it unchanged.
    if (!written && isCurrent) return current;
    const next = written
      ? await write(storing, { before: stored, after, until })
      : await loadRecord(redis, local, ref, until);
    if ('writeId' in next) return { changes, answers, writeId: next.writeId };
    if (!written && next.writes === stored.writes) return current;
    stored = next;
    isCurrent = true;
  }
  throw new StoreUnavailable(`Execution ${ref} was changed at the same moment too often.`);
}

/** Resolves to the state for the next try, unless the write succeeded. */
async function write(
  storing: Storing,
  { before, after: changed, until }: { before: Stored; after: Execution; until: Deadline },
): Promise<Stored | { writeId: string }> {
  const expires = mayExpire(changed);
  const at = expires ? before.now + storing.retentionMs : null;
  const after = expires || changed.expiry !== null ? withExpiry(changed, at) : changed;
  const swapped = await swapRecord(storing, { before, after, until });
  switch (swapped.kind) {
    case 'written':
      return { writeId: swapped.writeId };
    case 'conflict':
      return swapped.stored;
    case 'wrong-time':
      return { ...before, now: swapped.now };
    case 'wrong-chain':
      return { ...before, execution: before.execution && { ...before.execution, ledger: swapped.head } };
  }
}

/** Returns the newest write id, which comes first. */
function newestIn(writes: string): string {
  return writes.slice(0, WRITE_ID_LENGTH);
}

/** Returns a change that mends the record before anything else changes it, so that lost work isn't done twice. */
function mending(lost: Remembered): WaitingChange {
  return {
    attempt(execution, now) {
      return { after: execution && mendLost(execution, lost, now), answer: () => {} };
    },
    fail: () => {},
  };
}

function applyAll(batch: readonly WaitingChange[], { execution, now }: Stored) {
  let after = execution;
  const changes: StoredChange[] = [];
  const answers = batch.map((change) => {
    const before = after;
    const at = before === null ? now : timeOfChange(before, now);
    const attempt = change.attempt(before, at);
    after = attempt.after;
    if (after !== null && after !== before) changes.push({ before, after, at });
    return attempt.answer;
  });
  return { after, changes, answers };
}

async function create(
  storing: Storing,
  { ref, make, until }: { ref: string; make: (now: Millis) => Execution; until: Deadline },
): Promise<{ created: StoredChange | null; writeId: string }> {
  const { redis, local } = storing;
  const clockTime = local.clock.now();
  const before =
    clockTime === null ? await loadRecord(redis, local, ref, until) : { execution: null, writes: '', now: clockTime };
  if (before.execution) return { created: null, writeId: '' };
  for (let { now } = before; ; ) {
    const after = make(now);
    const swapped = await swapRecord(storing, { before: { ...before, now }, after, until });
    if (swapped.kind === 'written') return { created: { before: null, after, at: now }, writeId: swapped.writeId };
    if (swapped.kind !== 'wrong-time') return { created: null, writeId: '' };
    now = swapped.now;
  }
}

async function remove(
  redis: RedisClient,
  local: LocalState,
  ref: string,
  allowed: (execution: Execution) => boolean,
): Promise<'removed' | 'kept'> {
  const until = answerDeadline();
  const { execution, writes } = await loadRecord(redis, local, ref, until);
  if (!execution) return 'removed';
  if (!allowed(execution)) return 'kept';
  local.records.delete(ref);
  local.writes.last.delete(ref);
  const { record, due, activity } = recordKeys(ref);
  const entries = indexesOf(execution);
  const [outcome, linked] = await runScript(redis, REMOVE, {
    keys: [record, due, activity, ...entries.map(({ key }) => key)],
    args: [writes, ref, ...entries.map(({ member }) => member)],
    until,
  });
  await followLinks(redis, linked, { ref, liveMs: 0, until });
  return outcome;
}
