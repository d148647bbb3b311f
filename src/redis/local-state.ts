import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ExecutionChanges } from '../core/ports.ts';
import type { Execution } from '../core/state/execution.ts';
import type { Millis } from '../core/values/time.ts';
import type { Deadline } from './call.ts';
import { mayExpire } from './indexes.ts';
import type { Shard } from './keys.ts';

const MOST_LINKS = 10_000;

/** What one process knows without asking Redis. None of it is relied on: a change that was based on old state is refused. */
export interface LocalState {
  /** This process, never the same after a restart. */
  processId: string;
  /** Never the same for two of the writes that a record remembers. */
  newWriteId: () => string;
  clock: RedisClock;
  /** The records that this process works on, so that a change costs one script instead of two. */
  records: LRUCache<string, HeldRecord>;
  /** The ids of crew services that this process has linked last, with a short name for the ref of their execution. */
  links: LRUCache<string, string>;
  /** The executions that this process has claimed from the due queue and neither changed nor released since. */
  leased: Set<string>;
  writes: OwnWrites;
  /** When this process last heard itself among the announcements, by `performance.now()`. */
  listenedAt: number;
  /** Called for each execution that this process has changed without learning whether that was stored. */
  onUnsureWrite: (ref: string) => void;
  others: OtherProcesses;
  /** Called for each process that has begun to listen, and doesn't know of this one yet. */
  onOtherBegun: () => void;
  changes: Changes;
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
  };
}

/** A step of this size isn't drift: Redis' clock was set, or another server has taken over. */
const JUMP_MS = 1_000;

/**
 * Redis' clock as far as this process knows it without asking: its own monotonic clock, corrected by each reply that tells
 * the time. Off by no more than the last round trip took, until Redis' clock is set.
 */
class RedisClock {
  /** Redis' time minus ours, in milliseconds. */
  #offset: number | null = null;
  #onJump: () => void = () => {};

  /** Calls back whenever Redis' clock turns out to be another one than before. */
  onJump(listener: () => void): void {
    this.#onJump = listener;
  }

  /** Null before the first reply. */
  now(): Millis | null {
    return this.#offset === null ? null : Math.floor(performance.now() + this.#offset);
  }

  /** Learns from a reply, which was asked for at `askedAt` by `performance.now()`. */
  learn(time: Millis, askedAt: number): void {
    const [least, most] = [time - performance.now(), time + 1 - askedAt];
    const before = this.#offset;
    this.#offset = before === null ? least : Math.min(Math.max(before, least), most);
    if (before !== null && Math.abs(this.#offset - before) > JUMP_MS) this.#onJump();
  }
}

/** Enough for the executions that one process works on at a time; all others are loaded when they are needed. */
const MOST_RECORDS = 5_000;
const MOST_CHARACTERS = 12 * 1_048_576;

function recentRecords<Held extends { size: number }>(): LRUCache<string, Held> {
  return new LRUCache({ max: MOST_RECORDS, maxSize: MOST_CHARACTERS, sizeCalculation: ({ size }) => size });
}

/** A record as this process has last seen or written it. Another process may have changed it since. */
export interface HeldRecord {
  execution: Execution;
  /** The write ids that the stored record has, unless it has changed since. */
  writes: string;
  /** When Redis was asked for this state, by `performance.now()`. */
  askedAt: number;
  /** The length of the stored text. */
  size: number;
}

/** A change that this process has stored, and that counts. */
export interface OwnWrite {
  ref: string;
  shard: Shard;
  /** How many changes of records in its shard this process had stored then. */
  count: number;
  writeId: string;
  execution: Execution;
  /** The length of the stored text. */
  size: number;
  /** When Redis was asked for it, by `performance.now()`. */
  at: number;
  /** Another process is known to have changed the record since. */
  isOvertaken?: boolean;
}

/**
 * What Redis must still have: this process has told people or crews that it is stored. Redis counts the writes of each process by
 * shard, so that a lower count than before shows that some are lost.
 */
export class OwnWrites {
  /** The highest count of each shard that is confirmed. */
  readonly counts = new Map<Shard, number>();
  /** The last write of each record that may still go on. */
  readonly last = recentRecords<OwnWrite>();
  /** The last write of each record that doesn't count yet. */
  readonly unconfirmed = recentRecords<OwnWrite>();
  /** The last write of each record in a shard that has lost something, until the record is mended. */
  readonly unmended = new Map<string, OwnWrite>();
  /** Called when Redis has fewer writes of this process than were confirmed, before any other is confirmed. */
  onLost: (shard: Shard, count: number) => void = () => {};
  /** Called when the counts may be lower than before. */
  onDoubt: () => void = () => {};
  /** Compares the counts of a shard. @throws {StoreUnavailable} */
  compare: (shard: Shard, until: Deadline) => Promise<void> = async () => {};

  /** From now on, a write counts. Does nothing for one of another process. */
  confirm(ref: string, writeId: string): void {
    const write = this.unconfirmed.peek(ref);
    if (write?.writeId !== writeId) return;
    this.unconfirmed.delete(ref);
    const { shard, count } = write;
    if (count > (this.counts.get(shard) ?? 0)) this.counts.set(shard, count);
    if (mayExpire(write.execution)) this.last.delete(ref);
    else this.last.set(ref, write);
  }

  /** @param count how many Redis had at a moment when more were confirmed already */
  lose(shard: Shard, count: number): void {
    const lost = (this.counts.get(shard) ?? 0) - count;
    if (lost <= 0) return;
    this.counts.set(shard, count);
    for (const write of this.last.values())
      if (write.shard === shard && !this.unmended.has(write.ref)) this.unmended.set(write.ref, write);
    this.onLost(shard, lost);
  }

  /** Another process has changed a record. */
  overtake(ref: string): void {
    const own = this.last.peek(ref);
    if (own) own.isOvertaken = true;
  }

  /** A record has these write ids: if its own isn't the newest, others have changed it, or Redis has lost it. */
  meet(ref: string, writes: string): void {
    const own = this.last.peek(ref);
    if (!own || writes.startsWith(own.writeId)) return;
    if (writes.includes(own.writeId)) own.isOvertaken = true;
    else this.onDoubt();
  }
}

/** A process that is there answers at once. */
const ANSWERED_MS = 1_000;

/** When this process last heard of each of the others, which it does while they announce their heartbeats. */
class OtherProcesses {
  readonly #heardAt = new Map<string, number>();
  #askedAt = Number.POSITIVE_INFINITY;
  /** When the last of them was forgotten. */
  #leftAt = Number.NEGATIVE_INFINITY;

  hear(id: string): void {
    this.#heardAt.set(id, performance.now());
  }

  /** All who are there have been asked to answer. */
  awaitAnswers(): void {
    this.#askedAt = performance.now();
  }

  /** Whether nobody has answered in the time that it takes. */
  areNone(): boolean {
    return this.#heardAt.size === 0 && performance.now() - this.#askedAt > ANSWERED_MS;
  }

  /** Whether there has been none since then, not even one that is gone now. */
  wereNone(since: number): boolean {
    return this.areNone() && this.#leftAt < since;
  }

  /** The processes that have been silent for some time, and for how long. */
  silentFor(leastMs: Millis): { id: string; silentMs: Millis }[] {
    const now = performance.now();
    return [...this.#heardAt]
      .map(([id, heardAt]) => ({ id, silentMs: now - heardAt }))
      .filter(({ silentMs }) => silentMs >= leastMs);
  }

  /** False if it was forgotten, or never heard of. */
  forget(id: string): boolean {
    const wasHeard = this.#heardAt.delete(id);
    if (wasHeard) this.#leftAt = performance.now();
    return wasHeard;
  }
}

/** Tells of the changes that this process has stored, and of those that others announce. */
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

/** Makes ids of writes: a random beginning for the process, and a count, which comes round after 262,144 writes. */
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
