import { LRUCache } from 'lru-cache';
import type { Execution } from '../../core/execution/execution.ts';

/** Enough for the executions that one process works on at a time; all others are loaded when they are needed. */
const MOST_RECORDS = 5_000;
const MOST_CHARACTERS = 4 * 1_048_576;

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

/** The records that this process works on, so that a change costs one script instead of two. */
export class HeldRecords {
  readonly #records = new LRUCache<string, HeldRecord>({
    max: MOST_RECORDS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ size }) => size,
  });

  get(ref: string): HeldRecord | undefined {
    return this.#records.get(ref);
  }

  put(record: HeldRecord): void {
    this.#records.set(record.execution.ref, record);
  }

  /** Another process has changed it, or it may have changed in a way that we don't know. */
  drop(ref: string): void {
    this.#records.delete(ref);
  }
}
