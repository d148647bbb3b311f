// The lists that the overview keeps in memory: a summary of each run in progress, and recent decisions and ends.

import { isDeepStrictEqual } from 'node:util';
import { NOTHING_OPEN, type OpenRequest, type OpenRun, type RunSummary, summaryOf } from '../../core/inbox/snapshot.ts';
import type { Execution } from '../../core/state/execution.ts';
import type { Millis } from '../../core/values/time.ts';
import type { Shard } from '../keys.ts';
import type { RecordToLoad, Since } from './shard-reads.ts';

interface Listed {
  digest: string;
  /** Newest write id of each record, by ref. */
  writes: ReadonlyMap<string, string>;
}

const NOTHING_LISTED: Listed = { digest: '', writes: new Map() };

/** Summaries of all runs in progress, each with the write id of the record that it was made from. */
export class RunSummaries {
  readonly #listed = new Map<Shard, Listed>();
  readonly #summaries = new Map<string, RunSummary & { writeId: string | null }>();
  #changes = 0;

  /** Number of changes of what lists show. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the digest of the known list of a shard. */
  digestOf(shard: Shard): string {
    return this.#listedIn(shard).digest;
  }

  /** Returns the records that have changed since they were summarised. */
  outdated(writes: ReadonlyMap<string, string>): RecordToLoad[] {
    const isOld = ([ref, writeId]: readonly [string, string]) => this.#summaries.get(ref)?.writeId !== writeId;
    return [...writes].filter(isOld).map(([ref, writeId]) => ({ ref, writeId }));
  }

  /** Summarises a record. `execution` is null if it is gone or unreadable. */
  put({ ref, writeId }: RecordToLoad, execution: Execution | null): void {
    const summary = execution ? summaryOf(execution) : NOTHING_OPEN;
    const before = this.#summaries.get(ref) ?? NOTHING_OPEN;
    const { run, requests } = before;
    const isSame = isDeepStrictEqual({ run, requests }, summary);
    // Most writes change nothing that lists show. Then the objects stay the same.
    this.#summaries.set(ref, { ...(isSame ? { run, requests } : summary), writeId });
    if (!isSame) this.#changes += 1;
  }

  /** Forgets records that have left the list, once all of it was put. */
  settle(shard: Shard, listed: Listed): void {
    for (const ref of this.#listedIn(shard).writes.keys()) {
      if (listed.writes.has(ref)) continue;
      const left = this.#summaries.get(ref);
      if (left?.run) this.#changes += 1;
      this.#summaries.delete(ref);
    }
    this.#listed.set(shard, listed);
  }

  /** Returns the runs, newest first. */
  runs(): OpenRun[] {
    const runs = Array.from(this.#summaries.values(), ({ run }) => run).filter((run) => run !== null);
    return runs.sort((one, other) => other.createdAt - one.createdAt);
  }

  /** Returns the requests, oldest first. */
  requests(): OpenRequest[] {
    const requests = [...this.#summaries.values()].flatMap(({ requests }) => requests);
    return requests.sort((one, other) => one.askedAt - other.askedAt);
  }

  #listedIn(shard: Shard): Listed {
    return this.#listed.get(shard) ?? NOTHING_LISTED;
  }
}

interface ItemShape<Item> {
  /** Identifies an item. */
  keyOf: (item: Item) => string;
  atOf: (item: Item) => Millis;
  /** Most items to keep of each shard. */
  most: number;
}

/** The recent items of an index by time. Items stay the same objects as long as they are there. */
export class RecentItems<Item> {
  readonly #shape: ItemShape<Item>;
  readonly #shards = new Map<Shard, readonly Item[]>();
  #changes = 0;

  constructor(shape: ItemShape<Item>) {
    this.#shape = shape;
  }

  /** Number of changes of the items. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes the items that were read of a shard, newest first: those since an instant, or all. Missing items vanish. */
  take(shard: Shard, read: readonly Item[], since: Since): void {
    const { keyOf, atOf, most } = this.#shape;
    const before = this.#shards.get(shard) ?? [];
    const itemsByKey = new Map(before.map((item) => [keyOf(item), item]));
    const older = since === 'all-shown' ? [] : before.filter((item) => since === 'nothing' || atOf(item) < since);
    const after = [...read.map((item) => itemsByKey.get(keyOf(item)) ?? item), ...older].slice(0, most);
    const isSame = after.length === before.length && after.every((item, i) => item === before[i]);
    if (isSame) return;
    this.#shards.set(shard, after);
    this.#changes += 1;
  }

  /** Returns the items of all shards since an instant, newest first. */
  since(at: Millis): Item[] {
    const { atOf } = this.#shape;
    const items = [...this.#shards.values()].flat().filter((item) => atOf(item) >= at);
    return items.sort((one, other) => atOf(other) - atOf(one));
  }
}
