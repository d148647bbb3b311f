// The overview of all runs that lists in Slack show, kept in memory and refreshed by what has changed.

import type { EndedRun } from '../../core/inbox/history.ts';
import { decidedRecordOf, type Overview, type PastDecision, type Snapshot } from '../../core/inbox/snapshot.ts';
import { groupBy } from '../../core/values/group-by.ts';
import { inParallel } from '../../core/values/in-parallel.ts';
import type { Millis } from '../../core/values/time.ts';
import type { RedisClient } from '../call.ts';
import { SHARDS, type Shard, shardOf } from '../keys.ts';
import { createLocalState, type LocalState } from '../local-state.ts';
import { RecentItems, RunSummaries } from './held-lists.ts';
import {
  loadRecords,
  MOST_OF_SHARD,
  type ScannedShard,
  SHOWN_MS,
  type Since,
  type StoredIn,
  scanShard,
} from './shard-reads.ts';

const REUSE_MS = 1_000;

/** Each shard is a script of a fraction of a millisecond; clicks get their turn in between. */
const SHARDS_AT_ONCE = 8;

/** Older decisions are read again: they can be undone for a while, and writers' clocks differ. */
const READ_AGAIN_MS = 10 * 60_000;

/** Each call lists the write ids of all records, and loads the changed ones. Nothing is read while nobody asks. */
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
    async latest(age) {
      if (age === 'now') await refreshing?.catch(() => {});
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

/** Reads one snapshot after the other. A shard's data stays when another shard can't be reached. */
class Reading {
  readonly #stored: StoredIn;
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

  constructor(stored: StoredIn) {
    this.#stored = stored;
  }

  async readOpen(): Promise<Pick<Snapshot, 'requests' | 'runs'>> {
    await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
      await this.#readRuns(shard, 'nothing');
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
    const since = scannedAt === undefined ? 'all-shown' : scannedAt - READ_AGAIN_MS;
    const { now, decided, ended } = await this.#readRuns(shard, since);
    this.#decided.take(
      shard,
      decided.map((each) => ({ ...each, record: null, isLookedUp: false })),
      since,
    );
    this.#ended.take(shard, ended, since);
    this.#scannedAt.set(shard, now);
    return now;
  }

  async #readRuns(shard: Shard, since: Since): Promise<ScannedShard> {
    const scanned = await scanShard(this.#stored.redis, shard, { digest: this.#runs.digestOf(shard), since });
    const { digest, writes } = scanned;
    if (!writes) return scanned;
    await loadRecords(this.#stored, this.#runs.outdated(writes), (request, execution) => {
      this.#runs.put(request, execution);
    });
    this.#runs.settle(shard, { digest, writes });
    return scanned;
  }
}

/** A list shows a hundred decisions, and a person may see only some of these. */
const MOST_RECORDED = 300;
const RECORD_SHARDS_AT_ONCE = 4;

/** A decision whose record is looked up once, before it is shown. */
interface HeldDecision extends PastDecision {
  isLookedUp: boolean;
}

/** Adds the facts from their records to the newest decisions. @throws {StoreUnavailable} */
async function lookUpRecords(stored: StoredIn, decisions: readonly HeldDecision[]): Promise<void> {
  const missing = decisions.slice(0, MOST_RECORDED).filter(({ isLookedUp }) => !isLookedUp);
  await inParallel(
    RECORD_SHARDS_AT_ONCE,
    [...groupBy(missing, ({ ref }) => shardOf(ref)).values()],
    async (inShard) => {
      const byRef = groupBy(inShard, ({ ref }) => ref);
      const records = Array.from(byRef.keys(), (ref) => ({ ref, writeId: null }));
      await loadRecords(stored, records, ({ ref }, execution) => {
        for (const decision of byRef.get(ref) ?? []) {
          decision.record = execution && decidedRecordOf(execution, decision.approvalId);
          decision.isLookedUp = true;
        }
      });
    },
  );
}
