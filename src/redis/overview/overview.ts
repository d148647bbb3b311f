import type { EndedRun } from '../../core/history.ts';
import { inParallel } from '../../core/in-parallel.ts';
import type { Overview, Snapshot } from '../../core/inbox/snapshot.ts';
import type { Millis } from '../../core/time.ts';
import type { RedisClient } from '../connection/call.ts';
import { SHARDS, type Shard } from '../keys.ts';
import { createLocalState, type LocalState } from '../local/local-state.ts';
import { loadRecords } from './load-records.ts';
import { RecentItems } from './recent-items.ts';
import { type HeldDecision, heldDecision, lookUpRecords } from './recorded-decisions.ts';
import { RunSummaries } from './run-summaries.ts';
import { MOST_OF_SHARD, type ScannedShard, SHOWN_MS, scanShard } from './scan.ts';

const REUSE_MS = 1_000;

/** Each is a script of a fraction of a millisecond; clicks get their turn in between. */
const SHARDS_AT_ONCE = 8;

/** A decision can be undone for a while, and a late writer's time may lie before that of others. */
const READ_AGAIN_MS = 10 * 60_000;

/**
 * What goes on in all runs, held in memory. Asking for it lists the write ids of all records, and loads those that have changed
 * since it was last asked for. Nothing is read while nobody asks.
 */
export function createOverview(
  redis: RedisClient,
  local: LocalState = createLocalState(),
  { reuseMs = REUSE_MS }: { reuseMs?: Millis } = {},
): Overview {
  const reading = new Reading({ redis, local });
  let last: { snapshot: Snapshot; askedAt: number } | null = null;
  let refreshing: Promise<Snapshot> | null = null;

  async function refresh(): Promise<Snapshot> {
    const askedAt = performance.now();
    const snapshot = await reading.read();
    last = { snapshot, askedAt };
    return snapshot;
  }

  async function open(): Promise<Pick<Snapshot, 'requests' | 'runs'>> {
    await refreshing?.catch(() => {});
    return last && performance.now() - last.askedAt < reuseMs ? last.snapshot : reading.readOpen();
  }

  return {
    async latest(wanted) {
      if (wanted === 'now') await refreshing?.catch(() => {});
      else if (last && performance.now() - last.askedAt < reuseMs) return last.snapshot;
      refreshing ??= refresh().finally(() => {
        refreshing = null;
      });
      return refreshing;
    },
    openRequests: async () => (await open()).requests,
    openRuns: async () => (await open()).runs,
  };
}

interface Stored {
  redis: RedisClient;
  local: LocalState;
}

/** Reads one snapshot after the other. What has been read of a shard stays when another one can't be reached. */
class Reading {
  readonly #stored: Stored;
  readonly #runs = new RunSummaries();
  readonly #decided = new RecentItems<HeldDecision>({
    keyOf: ({ ref, approvalId, decidedAt }) => `${ref} ${approvalId} ${decidedAt}`,
    atOf: ({ decidedAt }) => decidedAt,
    most: MOST_OF_SHARD,
  });
  readonly #ended = new RecentItems<EndedRun>({
    keyOf: ({ ref }) => ref,
    atOf: ({ endedAt }) => endedAt,
    most: MOST_OF_SHARD,
  });
  readonly #scannedAt = new Map<Shard, Millis>();
  #snapshot: Snapshot | null = null;
  #changes = -1;

  constructor(stored: Stored) {
    this.#stored = stored;
  }

  async readOpen(): Promise<Pick<Snapshot, 'requests' | 'runs'>> {
    await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
      await this.#readRuns(shard, 'none');
    });
    return { requests: this.#runs.requests(), runs: this.#runs.runs() };
  }

  async read(): Promise<Snapshot> {
    let now = 0;
    await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
      now = Math.max(now, await this.#readShard(shard));
    });
    const decisions = this.#decided.since(now - SHOWN_MS);
    await lookUpRecords(this.#stored, decisions);
    const changes = this.#runs.changes + this.#decided.changes + this.#ended.changes;
    if (!this.#snapshot || changes !== this.#changes) {
      const ended = this.#ended.since(now - SHOWN_MS);
      this.#snapshot = { at: now, requests: this.#runs.requests(), runs: this.#runs.runs(), decisions, ended };
      this.#changes = changes;
    }
    return this.#snapshot;
  }

  async #readShard(shard: Shard): Promise<Millis> {
    const scannedAt = this.#scannedAt.get(shard);
    const since = scannedAt === undefined ? null : scannedAt - READ_AGAIN_MS;
    const { now, decided, ended } = await this.#readRuns(shard, since);
    this.#decided.take(shard, decided.map(heldDecision), since);
    this.#ended.take(shard, ended, since);
    this.#scannedAt.set(shard, now);
    return now;
  }

  async #readRuns(shard: Shard, since: Millis | 'none' | null): Promise<ScannedShard> {
    const scanned = await scanShard(this.#stored.redis, shard, { digest: this.#runs.digestOf(shard), since });
    const { digest, writes } = scanned;
    if (!writes) return scanned;
    await loadRecords(this.#stored, this.#runs.outdated(writes), (wanted, execution) => {
      this.#runs.put(wanted, execution);
    });
    this.#runs.settle(shard, { digest, writes });
    return scanned;
  }
}
