// What the overview holds: a summary of each run in progress, and what was decided and has ended of late.

import { isDeepStrictEqual } from 'node:util';
import { NOTHING_OPEN, type OpenRequest, type OpenRun, type RunSummary, summaryOf } from '../../core/inbox/snapshot.ts';
import type { Execution } from '../../core/state/execution.ts';
import type { Millis } from '../../core/values/time.ts';
import type { Shard } from '../keys.ts';
import type { Since, WantedRecord } from './shard-reads.ts';

interface Listed {
  digest: string;
  /** The newest write id of each record, by ref. */
  writes: ReadonlyMap<string, string>;
}

const NOTHING_LISTED: Listed = { digest: '', writes: new Map() };

/** Summaries of all runs in progress, each of the write that its record had last. */
export class RunSummaries {
  readonly #listed = new Map<Shard, Listed>();
  readonly #summaries = new Map<string, RunSummary & { writeId: string | null }>();
  #changes = 0;

  /** Counts up whenever something that lists show has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Of the list that is known of a shard. */
  digestOf(shard: Shard): string {
    return this.#listedIn(shard).digest;
  }

  /** The records that have changed since they were summarised. */
  outdated(writes: ReadonlyMap<string, string>): WantedRecord[] {
    const isOld = ([ref, writeId]: readonly [string, string]) => this.#summaries.get(ref)?.writeId !== writeId;
    return [...writes].filter(isOld).map(([ref, writeId]) => ({ ref, writeId }));
  }

  /** `execution` is null for a record that is gone or unreadable. */
  put({ ref, writeId }: WantedRecord, execution: Execution | null): void {
    const summary = execution ? summaryOf(execution) : NOTHING_OPEN;
    const before = this.#summaries.get(ref) ?? NOTHING_OPEN;
    const { run, requests } = before;
    const isSame = isDeepStrictEqual({ run, requests }, summary);
    // Most writes change nothing that is shown; the same objects then stay in the lists.
    this.#summaries.set(ref, { ...(isSame ? { run, requests } : summary), writeId });
    if (!isSame) this.#changes += 1;
  }

  /** Once all of a list have been put: forgets those that have left it. */
  settle(shard: Shard, listed: Listed): void {
    for (const ref of this.#listedIn(shard).writes.keys()) {
      if (listed.writes.has(ref)) continue;
      const left = this.#summaries.get(ref);
      if (left?.run) this.#changes += 1;
      this.#summaries.delete(ref);
    }
    this.#listed.set(shard, listed);
  }

  /** Newest first. */
  runs(): OpenRun[] {
    const runs = Array.from(this.#summaries.values(), ({ run }) => run).filter((run) => run !== null);
    return runs.sort((one, other) => other.createdAt - one.createdAt);
  }

  /** Oldest first. */
  requests(): OpenRequest[] {
    const requests = [...this.#summaries.values()].flatMap(({ requests }) => requests);
    return requests.sort((one, other) => one.askedAt - other.askedAt);
  }

  #listedIn(shard: Shard): Listed {
    return this.#listed.get(shard) ?? NOTHING_LISTED;
  }
}

interface ItemShape<Item> {
  /** Items with the same key are the same. */
  keyOf: (item: Item) => string;
  atOf: (item: Item) => Millis;
  /** Of each shard, the newest are kept. */
  most: number;
}

/** What an index by time holds of late. Items stay the same objects as long as they are there. */
export class RecentItems<Item> {
  readonly #shape: ItemShape<Item>;
  readonly #shards = new Map<Shard, readonly Item[]>();
  #changes = 0;

  constructor(shape: ItemShape<Item>) {
    this.#shape = shape;
  }

  /** Counts up whenever something has been added or has vanished. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes what was read of a shard, newest first: since an instant, or all there is. What isn't there any more vanishes. */
  take(shard: Shard, read: readonly Item[], since: Since): void {
    const { keyOf, atOf, most } = this.#shape;
    const before = this.#shards.get(shard) ?? [];
    const known = new Map(before.map((item) => [keyOf(item), item]));
    const older = since === 'all-shown' ? [] : before.filter((item) => since === 'nothing' || atOf(item) < since);
    const after = [...read.map((item) => known.get(keyOf(item)) ?? item), ...older].slice(0, most);
    const isSame = after.length === before.length && after.every((item, i) => item === before[i]);
    if (isSame) return;
    this.#shards.set(shard, after);
    this.#changes += 1;
  }

  /** Those of all shards since an instant, newest first. */
  since(at: Millis): Item[] {
    const { atOf } = this.#shape;
    const items = [...this.#shards.values()].flat().filter((item) => atOf(item) >= at);
    return items.sort((one, other) => atOf(other) - atOf(one));
  }
}
