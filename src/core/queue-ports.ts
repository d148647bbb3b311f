import type { Millis } from './time.ts';

/** The queue of due executions, shared by any number of processes. */
export interface DueQueue {
  /**
   * Claims up to `most` overdue executions for `leaseMs`, and tells which ones become due in the next `aheadMs`. After a claim that
   * wasn't complete, the next one also tells what this process has already claimed, whether it knows of it or not.
   */
  claim(most: number, times: { leaseMs: Millis; aheadMs: Millis }): Promise<ClaimedExecutions>;
  /** Returns a claimed execution to the queue at the due time of its stored state. Does nothing if it is no longer claimed. */
  release(ref: string): Promise<void>;
  /** Reports every due time that another process stores, while `isListening`. */
  listen(listener: DueListener): void;
  isListening(): boolean;
}

export interface ClaimedExecutions {
  refs: string[];
  upcoming: { ref: string; inMs: Millis }[];
  /** When more than those may be due, as a delay from now; null if none is within `aheadMs`. */
  moreInMs: Millis | null;
  /** False if a part of the queue gave no answer. */
  isComplete: boolean;
}

export interface DueListener {
  /** Another process has changed an execution, which is then free to be claimed after `inMs`; null if nothing is due. */
  onDue(ref: string, inMs: Millis | null): void;
  /** Due times may have been missed, or have come sooner than expected. */
  onMissed(): void;
  /** This process doesn't know whether a change of its own was stored, and may be due. */
  onUnsure(ref: string): void;
}

/** The processes of the bot that share a store. */
export interface ProcessRegistry {
  /** This process, never the same after a restart. */
  readonly id: string;
  /** Whether a process has ended for sure. Throws `StoreUnavailable`. */
  isGone(id: string): Promise<boolean>;
  /** Whether nothing is heard of any other process. */
  isAlone(): boolean;
  /** Calls back for each other process that has ended in the middle of something, seconds later, with how long it has been silent. */
  onGone(listener: (silentMs: Millis) => void): void;
}
