// Detects that Redis has lost acknowledged writes, as after a failover without the last writes or with a restored backup, and has
// them mended.
import { Cluster, type Redis } from 'ioredis';
import { z } from 'zod';
import type { Remembered } from '../core/lost-changes.ts';
import { StoreUnavailable } from '../core/ports.ts';
import type { Execution } from '../core/state/execution.ts';
import { inParallel } from '../core/values/in-parallel.ts';
import { DAY_MS } from '../core/values/time.ts';
import { answerDeadline, type Deadline, defineScript, insist, pairsIn, type RedisClient } from './call.ts';
import { HEARD_MS } from './due-queue.ts';
import { mayExpire } from './indexes.ts';
import { lostRunKey, SHARDS, type Shard, writesKey } from './keys.ts';
import type { LocalState, OwnWrite } from './local-state.ts';
import { shardKeys, tryPerNode } from './per-node.ts';
import { loadText, WRITES_LIVE_MS } from './stored-record.ts';

const LOOK_EVERY_MS = 2_000;
/** A Redis that has just come back is busy. */
const MENDED_AT_ONCE = 16;
/** Refreshing the lifetime of the counts costs a write to disk and replicas, so it is rare. */
const KEEP_EVERY_MS = DAY_MS;

const COUNTS = defineScript(
  'own-writes',
  z.array(z.string()),
  `
  -- KEYS: writes of a process in each shard. ARGV: milliseconds for which they live from now on ('' = unchanged), then more KEYS.
  -- Returns each key and its count. While a slot moves to another node of a Cluster, nobody can tell for its shards.
  ${shardKeys(1)}
  local counts = {}
  for _, key in ipairs(shardKeys) do
    local count = redis.pcall('GET', key)
    if type(count) ~= 'table' then
      counts[#counts + 1], counts[#counts + 2] = key, count or '0'
      if count and ARGV[1] ~= '' then redis.pcall('PEXPIRE', key, ARGV[1]) end
    end
  end
  return counts`,
);

/** Acknowledged writes of this process that Redis no longer has. */
export interface LostWrites {
  shards: readonly Shard[];
  count: number;
}

/** A record that is gone, or older in Redis than this process had left it. */
export interface LostRecord {
  ref: string;
  /** State in which this process had left it. */
  execution: Execution;
  isGone: boolean;
}

interface LostWritesOptions {
  local: LocalState;
  /** Called once for each loss. */
  onLost: (lost: LostWrites) => void;
  /**
   * Writes again what the bot writes at its start. It is retried while it rejects with `StoreUnavailable`, and never rejects with
   * anything else.
   */
  begin: () => Promise<void>;
  /** Called for each lost record, with the same retries. */
  mend: (record: LostRecord) => Promise<void>;
  /** Called after each round of mending. */
  onMended: () => void;
}

/** Compares Redis' counts of our writes with our own: regularly, after each new connection, and in doubt. */
export class LostWritesWatch {
  readonly #redis: RedisClient;
  readonly #options: LostWritesOptions;
  readonly #timer: NodeJS.Timeout;
  /** Writes lost since the last report, by shard. */
  readonly #lost = new Map<Shard, number>();
  #mustBegin = false;
  #working: Promise<void> | null = null;
  #keptAt = performance.now();

  constructor(redis: RedisClient, options: LostWritesOptions) {
    this.#redis = redis;
    this.#options = options;
    const { writes } = options.local;
    writes.onLost = (shard, count) => this.#note(shard, count);
    writes.onDoubt = () => this.look();
    writes.compare = (shard, until) => this.#compareIn(shard, until);
    redis.on('ready', () => this.look());
    if (redis instanceof Cluster) redis.on('+node', (connection: Redis) => connection.on('ready', () => this.look()));
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  look(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Resolves when no look is under way. */
  async idle(): Promise<void> {
    await this.#working;
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.idle();
  }

  #note(shard: Shard, count: number): void {
    this.#lost.set(shard, (this.#lost.get(shard) ?? 0) + count);
    this.#mustBegin = true;
    this.#options.local.links.clear();
    setImmediate(() => this.look());
  }

  async #work(): Promise<void> {
    await this.#compare();
    this.#report();
    if (this.#mustBegin) await this.#unlessAway(() => this.#begin());
    const { unmended } = this.#options.local.writes;
    if (unmended.size === 0) return;
    await inParallel(MENDED_AT_ONCE, [...unmended.values()], (write) => this.#unlessAway(() => this.#mend(write)));
    this.#options.onMended();
  }

  /** Leaves work that Redis doesn't accept now to the next look. */
  async #unlessAway(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  async #begin(): Promise<void> {
    await this.#options.begin();
    this.#mustBegin = false;
  }

  async #mend(write: OwnWrite): Promise<void> {
    const { writes } = this.#options.local;
    const record = await this.#find(write);
    if (record) await this.#options.mend(record);
    if (record?.isGone) writes.last.delete(write.ref);
    writes.unmended.delete(write.ref);
  }

  async #compare(): Promise<void> {
    const { processId, writes } = this.#options.local;
    const confirmed = new Map(writes.counts);
    if (confirmed.size === 0) return;
    const isOld = performance.now() - this.#keptAt > KEEP_EVERY_MS;
    const keysOf = (shard: Shard) => [writesKey(shard, processId)];
    const replies = await tryPerNode(this.#redis, COUNTS, { keysOf, args: [isOld ? WRITES_LIVE_MS : ''] });
    if (isOld) this.#keptAt = performance.now();
    const counts = new Map(replies.flatMap((reply) => (reply instanceof StoreUnavailable ? [] : pairsIn(reply))));
    for (const shard of SHARDS) {
      const count = counts.get(writesKey(shard, processId));
      if (count !== undefined && Number(count) < (confirmed.get(shard) ?? 0)) writes.lose(shard, Number(count));
    }
  }

  /** Compares the count of one shard, which also answers while its slot moves to another node of a Cluster. */
  async #compareIn(shard: Shard, until: Deadline): Promise<void> {
    const { processId, writes } = this.#options.local;
    const confirmed = writes.counts.get(shard) ?? 0;
    if (confirmed === 0) return;
    const count = Number(await insist(this.#redis, until, () => this.#redis.get(writesKey(shard, processId))));
    if (count < confirmed) writes.lose(shard, count);
  }

  #report(): void {
    if (this.#lost.size === 0) return;
    const count = [...this.#lost.values()].reduce((sum, each) => sum + each, 0);
    const shards = [...this.#lost.keys()].sort();
    this.#lost.clear();
    this.#options.onLost({ shards, count });
  }

  /** Returns null if Redis has this write, or may have let the record expire since a process ended it. */
  async #find(write: OwnWrite): Promise<LostRecord | null> {
    const { local } = this.#options;
    const { ref, writeId, execution, isOvertaken, at } = write;
    const until = performance.now() + LOOK_EVERY_MS;
    const { text, writes } = await loadText(this.#redis, local, { ref, lastWrites: '', until });
    const hasEnded = mayExpire(execution) || (isOvertaken && performance.now() - at > DAY_MS);
    const mayHaveExpired = text === null && hasEnded;
    return writes.includes(writeId) || mayHaveExpired ? null : { ref, execution, isGone: text === null };
  }
}

/** Returns the lost state of a record that lacks our write; null if no loss is known. @throws {StoreUnavailable} */
export async function lostOf(
  local: LocalState,
  { ref, shard }: Pick<OwnWrite, 'ref' | 'shard'>,
  until: Deadline,
): Promise<Remembered | null> {
  // Other processes may have changed the record so often that it no longer lists the write.
  await local.writes.compare(shard, until);
  const lost = local.writes.unmended.get(ref);
  if (!lost) return null;
  const { execution, isOvertaken = false, at } = lost;
  const isAlone = local.others.wereNone(at) && at - local.listenedAt < HEARD_MS;
  return { execution, isNewest: !isOvertaken, isAlone };
}

/** Returns true for the first process that reports a lost run. @throws {StoreUnavailable} */
export async function isFirstToNotify(redis: RedisClient, ref: string): Promise<boolean> {
  const set = () => redis.set(lostRunKey(ref), '', 'PX', DAY_MS, 'NX');
  return (await insist(redis, answerDeadline(), set)) !== null;
}
