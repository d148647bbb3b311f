import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ExecutionChanges } from '../core/ports.ts';
import type { Execution } from '../core/state/execution.ts';
import type { Millis } from '../core/values/time.ts';
import type { Deadline } from './call.ts';
import { mayExpire } from './indexes.ts';
import type { Shard } from './keys.ts';

// Keeps what one process knows of Redis without asking: recent records, Redis' clock, and its own writes. The stores of executions
// share it.

const MOST_LINKS = 10_000;

/** The state that one process knows without asking Redis. It may be old: Redis refuses a change that was based on an old state. */
export interface LocalState {
  /** Id of this process, new after each restart. */
  processId: string;
  /** Returns an id that differs from those of all other writes that a record remembers. */
  newWriteId: () => string;
  clock: RedisClock;
  /** Records that this process works on, so that a change costs one script instead of two. */
  records: LRUCache<string, HeldRecord>;
  /** Ids of crew services that this process has linked last, with a short name for the ref of their execution. */
  links: LRUCache<string, string>;
  /** Executions that this process has claimed from the due queue, and neither changed nor released since. */
  leased: Set<string>;
  writes: OwnWrites;
  /** Time by `performance.now()` of our last own announcement that arrived here. */
  listenedAt: number;
  /** Called for each execution that this process has changed without learning whether that was stored. */
  onUnsureWrite: (ref: string) => void;
  others: OtherProcesses;
  /** Called for each process that begins to listen, which doesn't know of this one yet. */
  onOtherBegun: () => void;
  changes: Changes;
  /** The changes of each execution that this process has made and not stored yet, in order. A crash undoes them. */
  unstored: Map<string, readonly UnstoredChange[]>;
}

export function createLocalState(): LocalState {
  return {
    processId: randomBytes(9).toString('base64url'),
    newWriteId: createWriteIds(),
    clock: new RedisClock(),
    records: recentRecords(),
    links: new LRUCache({ max: MOST_LINKS }),
    leased: new Set(),
    writes: new OwnWrites(),
    listenedAt: Number.NEGATIVE_INFINITY,
    onUnsureWrite: () => {},
    others: new OtherProcesses(),
    onOtherBegun: () => {},
    changes: new Changes(),
    unstored: new Map(),
  };
}

/** A larger step isn't drift: Redis' clock was set, or another server has taken over. */
const JUMP_MS = 1_000;

/**
 * Redis' clock without asking: our own monotonic clock, corrected by each reply with the time. Off by no more than the last round
 * trip took, until Redis' clock is set.
 */
class RedisClock {
  /** Redis' time minus ours, in milliseconds. */
  #offset: number | null = null;
  #onJump: () => void = () => {};

  /** Calls back whenever Redis' clock has jumped. */
  onJump(listener: () => void): void {
    this.#onJump = listener;
  }

  /** Returns null before the first reply. */
  now(): Millis | null {
    return this.#offset === null ? null : Math.floor(performance.now() + this.#offset);
  }

  /** Learns from a reply to a command that was sent at `askedAt` by `performance.now()`. */
  learn(time: Millis, askedAt: number): void {
    const [least, most] = [time - performance.now(), time + 1 - askedAt];
    const before = this.#offset;
    this.#offset = before === null ? least : Math.min(Math.max(before, least), most);
    if (before !== null && Math.abs(this.#offset - before) > JUMP_MS) this.#onJump();
  }
}

/** Enough for the executions that one process works on at a time; others are loaded when needed. */
const MOST_RECORDS = 5_000;
const MOST_CHARACTERS = 12 * 1_048_576;

function recentRecords<Held extends { size: number }>(limit = { max: MOST_RECORDS }): LRUCache<string, Held> {
  return new LRUCache({ ...limit, maxSize: MOST_CHARACTERS, sizeCalculation: ({ size }) => size });
}

/** A record as this process last saw or wrote it. Another process may have changed it since. */
export interface HeldRecord {
  execution: Execution;
  /** Write ids of the stored record, unless it has changed since. */
  writes: string;
  /** Time of the command for this state, by `performance.now()`. */
  askedAt: number;
  /** The length of the stored text. */
  size: number;
  /** Time from which other processes may claim it, as far as this one knows; null if nothing is due. */
  claimableAt: Millis | null;
}

/** A stored change of this process that counts. */
export interface OwnWrite {
  ref: string;
  shard: Shard;
  /** Number of this process' changes in the shard, this one included. */
  count: number;
  writeId: string;
  execution: Execution;
  /** The length of the stored text. */
  size: number;
  /** Time of the command, by `performance.now()`. */
  at: number;
  /** True once another process has changed the record since. */
  isOvertaken?: boolean;
}

/**
 * Writes that Redis must still have, because people or crews were told that they are stored. Redis counts the writes of each
 * process by shard, so a lower count than before shows a loss.
 */
export class OwnWrites {
  /** Highest confirmed count of each shard. */
  readonly counts = new Map<Shard, number>();
  /** Last write of each record that may still change. */
  readonly last = recentRecords<OwnWrite>();
  /**
   * Last write of each record that isn't confirmed yet. Nearly each write is the only entry for a while, and a cache that loses its only
   * entry clears a place for each of `max` entries, so that this one has no `max`.
   */
  readonly unconfirmed = recentRecords<OwnWrite>({ max: 0 });
  /** Last write of each record in a shard with a loss, until the record is mended. */
  readonly unmended = new Map<string, OwnWrite>();
  /** Called when Redis has fewer writes of this process than were confirmed, before any other is confirmed. */
  onLost: (shard: Shard, count: number) => void = () => {};
  /** Called when counts may have dropped. */
  onDoubt: () => void = () => {};
  /** Compares the counts of a shard. @throws {StoreUnavailable} */
  compare: (shard: Shard, until: Deadline) => Promise<void> = async () => {};

  /** Confirms a write. Ignores writes of other processes. */
  confirm(ref: string, writeId: string): void {
    const write = this.unconfirmed.peek(ref);
    if (write?.writeId !== writeId) return;
    this.unconfirmed.delete(ref);
    const { shard, count } = write;
    if (count > (this.counts.get(shard) ?? 0)) this.counts.set(shard, count);
    if (mayExpire(write.execution)) this.last.delete(ref);
    else this.last.set(ref, write);
  }

  /** Notes a loss. @param count the count in Redis at a moment when more were confirmed already */
  lose(shard: Shard, count: number): void {
    const lost = (this.counts.get(shard) ?? 0) - count;
    if (lost <= 0) return;
    this.counts.set(shard, count);
    for (const write of this.last.values())
      if (write.shard === shard && !this.unmended.has(write.ref)) this.unmended.set(write.ref, write);
    this.onLost(shard, lost);
  }

  /** Notes that another process has changed a record. */
  overtake(ref: string): void {
    const own = this.last.peek(ref);
    if (own) own.isOvertaken = true;
  }

  /** Compares a record's write ids with our last write: if ours isn't the newest, others changed it, or Redis lost it. */
  meet(ref: string, writes: string): void {
    const own = this.last.peek(ref);
    if (!own || writes.startsWith(own.writeId)) return;
    if (writes.includes(own.writeId)) own.isOvertaken = true;
    else this.onDoubt();
  }
}

const ANSWERED_MS = 1_000;

/** Times at which this process last heard of the others, by their heartbeats. */
class OtherProcesses {
  readonly #heardAt = new Map<string, number>();
  #askedAt = Number.POSITIVE_INFINITY;
  /** Time at which the last process was forgotten. */
  #leftAt = Number.NEGATIVE_INFINITY;

  hear(id: string): void {
    this.#heardAt.set(id, performance.now());
  }

  /** Notes that all processes were asked to answer, which they do at once. */
  awaitAnswers(): void {
    this.#askedAt = performance.now();
  }

  /** Returns true if no process answered in time. */
  areNone(): boolean {
    return this.#heardAt.size === 0 && performance.now() - this.#askedAt > ANSWERED_MS;
  }

  /** Returns true if there has been no other process since then, not even one that is gone now. */
  wereNone(since: number): boolean {
    return this.areNone() && this.#leftAt < since;
  }

  /** Returns processes that have been silent for that long. */
  silentFor(leastMs: Millis): { id: string; silentMs: Millis }[] {
    const now = performance.now();
    return [...this.#heardAt]
      .map(([id, heardAt]) => ({ id, silentMs: now - heardAt }))
      .filter(({ silentMs }) => silentMs >= leastMs);
  }

  /** Returns false if the process was unknown. */
  forget(id: string): boolean {
    const wasHeard = this.#heardAt.delete(id);
    if (wasHeard) this.#leftAt = performance.now();
    return wasHeard;
  }
}

/** A change that counts in this process, and is stored later. */
export interface UnstoredChange {
  /** Does no harm if the state has the change already, as after a write whose answer was lost. */
  apply(execution: Execution): Execution;
}

/** Reports changes that this process has stored or that others announce. */
class Changes implements ExecutionChanges {
  readonly #listeners = new Map<string, Set<() => void>>();

  watch(ref: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(ref) ?? new Set();
    this.#listeners.set(ref, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(ref);
    };
  }

  tell(ref: string): void {
    for (const listener of this.#listeners.get(ref) ?? []) listener();
  }
}

export const WRITE_ID_LENGTH = 8;

const COUNTED = 3;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns a maker of write ids: a random beginning, and a count that repeats after 262,144 writes. */
function createWriteIds(): () => string {
  const own = randomBytes(WRITE_ID_LENGTH)
    .toString('base64url')
    .slice(0, WRITE_ID_LENGTH - COUNTED);
  let count = 0;
  return () => {
    count += 1;
    let id = own;
    for (let i = 0; i < COUNTED; i++) id += DIGITS[(count >> (6 * i)) & 63];
    return id;
  };
}
