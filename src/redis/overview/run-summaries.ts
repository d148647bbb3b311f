import { isDeepStrictEqual } from 'node:util';
import type { Execution } from '../../core/execution/execution.ts';
import { NOTHING_OPEN, type OpenRequest, type OpenRun, type RunSummary, summaryOf } from '../../core/inbox/snapshot.ts';
import type { Shard } from '../keys.ts';
import type { WantedRecord } from './load-records.ts';

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
