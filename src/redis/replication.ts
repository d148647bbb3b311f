import { Cluster } from 'ioredis';
import { StoreUnavailable } from '../core/ports.ts';
import { answerDeadline, type Deadline, insist, type RedisClient } from './call.ts';
import { type Shard, shardOfKey, writableKey } from './keys.ts';
import { sentinelsOf } from './sentinels.ts';
import { PLACE_OF_WRITE } from './stored-record.ts';

// Confirmation by replicas. A change survives the failure of a server once enough replicas have it, and something is missing for
// sure only once they agree.

/** Short, because WAIT blocks everything else on this connection. */
const WAIT_MS = 1_000;

export interface Replication {
  /**
   * Resolves when enough replicas have the last change of a record, which must still be there: a failover may have lost it. Waits
   * for the end of a failover that sentinels announce. https://redis.io/docs/latest/commands/wait/
   * @throws {StoreUnavailable} if fewer have it in time
   */
  untilReplicated(change: Change): Promise<void>;
  /**
   * Resolves when it is certain that something doesn't exist. A former master doesn't know what was written since. So where
   * replicas must confirm changes, they must confirm a write that follows a second look.
   * @throws {StoreUnavailable} unless they do so in time
   */
  confirmAbsent(missing: Missing): Promise<void>;
}

interface Change {
  recordKey: string;
  /** Write that the record must have; empty for any. */
  writeId: string;
  until: Deadline;
}

/** A missing key, or a missing field of a hash. */
interface Missing {
  key: string;
  field?: string;
}

/** Returns null where no replica has to confirm anything, and no sentinel announces failovers. */
export function createReplication(redis: RedisClient, { minReplicas }: { minReplicas: number }): Replication | null {
  const sentinels = sentinelsOf(redis);
  if (minReplicas === 0 && !sentinels) return null;

  /** Counts replicas at a time without an announced failover. */
  const confirm = async (until: Deadline, countReplicas: () => Promise<number>): Promise<void> => {
    for (;;) {
      const since = await sentinels?.untilQuiet(until, minReplicas > 0 ? 'majority' : 'any');
      const replicas = await countReplicas();
      if (since !== undefined && sentinels?.hasChanged(since)) continue;
      if (replicas >= minReplicas) return;
      throw new StoreUnavailable(`Only ${replicas} of ${minReplicas} replicas have the change.`);
    }
  };
  return {
    async untilReplicated({ recordKey, writeId, until }) {
      if (minReplicas === 0 && !sentinels?.isFailingOver()) return;
      await confirm(until, () =>
        insist(redis, until, async () => {
          // WAIT covers only writes on its own connection, and a pipeline stays on one.
          const writing = redis.pipeline().eval(WRITE_AGAIN, 1, recordKey, writeId);
          const [isThere, replicas] = await answersOf(minReplicas > 0 ? writing.wait(minReplicas, WAIT_MS) : writing);
          if (isThere !== 1) throw new StoreUnavailable('A failover has lost the change.');
          return Number(replicas ?? 0);
        }),
      );
    },
    confirmAbsent: minReplicas === 0 ? async () => {} : createConfirmAbsent(redis, minReplicas, confirm),
  };
}

async function answersOf(pipeline: ReturnType<RedisClient['pipeline']>): Promise<unknown[]> {
  const answers = (await pipeline.exec()) ?? [];
  for (const [error] of answers) if (error) throw error;
  return answers.map(([, answer]) => answer);
}

// WAIT covers only writes on its own connection, which may have been opened after the real write.
const WRITE_AGAIN = `
  -- KEYS: record. ARGV: a write id that it must have ('' = any).
  -- Returns 1, or 0 if it doesn't have it: a failover has lost that write.
  ${PLACE_OF_WRITE}
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes then redis.call('HSET', KEYS[1], 'writes', writes) end
  return (ARGV[1] == '' or placeOfWrite(writes or '', ARGV[1])) and 1 or 0`;

/** Two looks, one after the other, must fit into the time for an answer. */
const LOOK_MS = 500;

/** Returns `confirmAbsent` on its own connection, so nobody else waits. Simultaneous questions share one confirmation. */
function createConfirmAbsent(
  redis: RedisClient,
  minReplicas: number,
  confirm: (until: Deadline, countReplicas: () => Promise<number>) => Promise<void>,
): Replication['confirmAbsent'] {
  let own: RedisClient | null = null;
  const connect = () => {
    // The two branches differ in type only.
    own = redis instanceof Cluster ? redis.duplicate() : redis.duplicate();
    // The connection for commands reports what is wrong with Redis.
    own.on('error', () => {});
    return own;
  };
  redis.once('end', () => own?.disconnect());

  /** Resolves to those that exist after all. */
  const look = async (missing: readonly Missing[], shard: Shard): Promise<ReadonlySet<Missing>> => {
    let there: readonly Missing[] = [];
    const until = answerDeadline();
    await confirm(until, () =>
      insist(redis, until, async () => {
        const pipeline = (own ?? connect()).pipeline();
        for (const { key, field } of missing) field === undefined ? pipeline.exists(key) : pipeline.hexists(key, field);
        const answers = await answersOf(pipeline.set(writableKey(shard), '', 'PX', LOOK_MS).wait(minReplicas, LOOK_MS));
        there = missing.filter((_, i) => answers[i] !== 0);
        return Number(answers.at(-1));
      }),
    );
    return new Set(there);
  };

  const next = new Map<string, Look>();
  const last = new Map<string, Promise<unknown>>();
  const plan = (place: string, shard: Shard): Look => {
    const missing: Missing[] = [];
    const previous = last.get(place) ?? Promise.resolve();
    const there = previous
      .catch(() => {})
      .then(() => {
        next.delete(place);
        return look(missing, shard);
      });
    last.set(place, there);
    return { missing, there };
  };
  return async (missing) => {
    const shard = shardOfKey(missing.key);
    // A node of a Cluster doesn't answer for the shards of the others.
    const place = redis instanceof Cluster ? shard : '';
    const shared = next.get(place) ?? plan(place, shard);
    next.set(place, shared);
    shared.missing.push(missing);
    const there = await insist(redis, answerDeadline(), () => shared.there);
    if (there.has(missing)) throw new StoreUnavailable('What was missing is there after all.');
  };
}

/** A look that hasn't begun yet, with what it will find to exist after all. */
interface Look {
  missing: Missing[];
  there: Promise<ReadonlySet<Missing>>;
}
