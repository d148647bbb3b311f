import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RedisClock } from './clock.ts';
import { HeldRecords } from './held-records.ts';
import { OtherProcesses } from './other-processes.ts';
import { UnsureWrites } from './unsure-writes.ts';
import { createWriteIds } from './write-ids.ts';

const MOST_LINKS = 10_000;

/** What one process knows without asking Redis. None of it is relied on: a change that was based on old state is refused. */
export interface LocalState {
  /** This process, never the same after a restart. */
  processId: string;
  /** Never the same for two of the writes that a record remembers. */
  newWriteId: () => string;
  clock: RedisClock;
  records: HeldRecords;
  /** The ids of crew services that this process has linked last, with a short name for the ref of their execution. */
  links: LRUCache<string, string>;
  /** The executions that this process has claimed from the due queue and neither changed nor released since. */
  leased: Set<string>;
  unsureWrites: UnsureWrites;
  others: OtherProcesses;
}

export function createLocalState(): LocalState {
  return {
    processId: randomBytes(9).toString('base64url'),
    newWriteId: createWriteIds(),
    clock: new RedisClock(),
    records: new HeldRecords(),
    links: new LRUCache({ max: MOST_LINKS }),
    leased: new Set(),
    unsureWrites: new UnsureWrites(),
    others: new OtherProcesses(),
  };
}
