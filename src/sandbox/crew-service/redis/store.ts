import type { Redis } from 'ioredis';
import type { TokenUsage } from '../crew-description.ts';
import type { Idempotency, Run } from '../executions/run.ts';
import { type Json, parseJson } from '../json.ts';
import type { Delivery } from '../webhooks/delivery.ts';

/** `writeId` tells a retried write from another write with the same content. */
type Write = { readonly run: Run; readonly deliveries: readonly Delivery[]; readonly writeId: string };

export type Checkpoint = {
  readonly attempt: string;
  readonly number: number;
  readonly value: Json;
  readonly usage?: TokenUsage | undefined;
};

/** The finished steps of an attempt, by step number from 0. */
type Checkpoints = {
  readonly done: ReadonlyMap<number, Json>;
  /** The tokens that they have used. */
  readonly usages: ReadonlyMap<number, TokenUsage>;
};

const USAGE = 'usage:';

/** Runs and their deliveries in Redis. Only one process at a time may use a prefix. */
export interface Store {
  load(runId: string): Promise<Run | undefined>;
  runsOf(executionId: string): Promise<Run[]>;
  /** The id of the run that has made a request for feedback. */
  runOfRequest(requestId: string): Promise<string | null>;
  /** The ids of the executions that were started with any of these keys. */
  startedWith(keys: Idempotency['keys']): Promise<string[]>;
  activeIds(): Promise<string[]>;
  recentIds(count: number): Promise<string[]>;
  /**
   * Atomically stores a run and its new deliveries, if the stored version is still the one `run` was derived from.
   * Resolves to the stored run, or undefined if another write came first, or another execution was started with one of its keys.
   * Idempotent for the same `writeId`.
   */
  commit(write: Write): Promise<Run | undefined>;
  checkpoints(run: Run, attempt: string): Promise<Checkpoints>;
  /** Atomically stores the result of a step, if it has one yet, and its deliveries. Idempotent. */
  saveStep(run: Run, checkpoint: Checkpoint | undefined, deliveries: readonly Delivery[]): Promise<void>;
  pendingDeliveries(): Promise<Delivery[]>;
  deliveriesOf(executionId: string): Promise<Delivery[]>;
  saveDelivery(delivery: Delivery): Promise<void>;
}

export function createStore(redis: Redis, prefix: string, retentionMs: number): Store {
  const key = (...parts: string[]) => `${prefix}${parts.join(':')}`;
  const runKey = (id: string) => key('run', id);
  const runIdsKey = (executionId: string) => key('execution', executionId);
  const deliveriesKey = (executionId: string) => key('deliveries', executionId);
  const checkpointsKey = (run: Run, attempt: string) => key('checkpoints', run.id, attempt);
  const requestKey = (id: string) => key('feedback-request', id);
  const kickoffKey = (hash: string) => key('kickoff', hash);
  const pendingKey = key('pending');

  async function load(runId: string): Promise<Run | undefined> {
    const text = await redis.hget(runKey(runId), 'run');
    return text === null ? undefined : storedRun(text);
  }

  /** A pending delivery is identified by its hash and field. */
  function pendingText(member: string): Promise<string | null> {
    const space = member.lastIndexOf(' ');
    return redis.hget(member.slice(0, space), member.slice(space + 1));
  }

  return {
    load,

    async runsOf(executionId) {
      const ids = await redis.lrange(runIdsKey(executionId), 0, -1);
      const runs = await Promise.all(ids.map(load));
      return runs.filter((run) => run !== undefined);
    },

    runOfRequest: (requestId) => redis.get(requestKey(requestId)),

    async startedWith(keys) {
      const ids = await Promise.all(keys.map((hash) => redis.get(kickoffKey(hash))));
      return [...new Set(ids.filter((id) => id !== null))];
    },

    activeIds: () => redis.smembers(key('active')),

    recentIds: (count) => redis.zrevrange(key('runs'), 0, count - 1),

    async commit({ run, deliveries, writeId }) {
      const stored: Run = { ...run, version: run.version + 1 };
      const { executionId, id } = run;
      const kickoffKeys = (run.idempotency?.keys ?? []).map(kickoffKey);
      const ended = run.status === 'completed' || run.status === 'failed';
      const keys = [
        runKey(id),
        key('active'),
        runIdsKey(executionId),
        deliveriesKey(executionId),
        pendingKey,
        key('runs'),
        ...kickoffKeys,
        ...(run.requests ?? []).map((request) => requestKey(request.id)),
      ];
      const head = [
        run.version,
        JSON.stringify(stored),
        stored.version,
        id,
        run.status,
        run.createdAt,
        ended ? retentionMs : '',
        writeId,
        executionId,
        kickoffKeys.length,
      ];
      const pending = deliveries.flatMap((delivery) => [delivery.id, delivery.order, JSON.stringify(delivery)]);
      const done = await redis.eval(COMMIT, keys.length, ...keys, ...head, ...pending);
      return done === 1 ? stored : undefined;
    },

    async checkpoints(run, attempt) {
      const stored = await redis.hgetall(checkpointsKey(run, attempt));
      const [usages, values] = partition(Object.entries(stored), ([field]) => field.startsWith(USAGE));
      return {
        done: new Map(values.map(([number, text]) => [Number(number), parseJson(text)])),
        usages: new Map(usages.map(([field, text]) => [Number(field.slice(USAGE.length)), JSON.parse(text)])),
      };
    },

    async saveStep(run, checkpoint, deliveries) {
      const hash = deliveriesKey(run.executionId);
      const change = redis.multi();
      if (checkpoint) {
        const { attempt, number, value, usage } = checkpoint;
        change.hset(checkpointsKey(run, attempt), `${number}`, JSON.stringify(value));
        if (usage) change.hset(checkpointsKey(run, attempt), `${USAGE}${number}`, JSON.stringify(usage));
        change.pexpire(checkpointsKey(run, attempt), retentionMs);
      }
      for (const delivery of deliveries) {
        change.hset(hash, delivery.id, JSON.stringify(delivery));
        change.zadd(pendingKey, delivery.order, `${hash} ${delivery.id}`);
      }
      await change.exec();
    },

    async pendingDeliveries() {
      const members = await redis.zrange(pendingKey, 0, '-1');
      const texts = await Promise.all(members.map(pendingText));
      return texts.filter((text) => text !== null).map(storedDelivery);
    },

    async deliveriesOf(executionId) {
      const texts = await redis.hvals(deliveriesKey(executionId));
      return texts.map(storedDelivery).sort((one, other) => one.order - other.order);
    },

    async saveDelivery(delivery) {
      const hash = deliveriesKey(delivery.executionId);
      const change = redis.multi().hset(hash, delivery.id, JSON.stringify(delivery));
      if (delivery.status !== 'pending') change.zrem(pendingKey, `${hash} ${delivery.id}`);
      await change.exec();
    },
  };
}

// Unchecked casts: only this file writes these records.
function storedRun(text: string): Run {
  return JSON.parse(text);
}

function storedDelivery(text: string): Delivery {
  return JSON.parse(text);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

// A run and its deliveries change atomically: a crash in between would lose a notification. A retry of a write whose
// answer was lost finds its own id and succeeds.
// A key of a kickoff leads to one execution, and is taken together with a new run: of two such kickoffs at once, one starts. It goes when
// the execution does.
// KEYS: run, active runs, runs of the execution, deliveries of the execution, pending deliveries, all runs, then each
//       key of the kickoff, and each request for feedback of the run.
// ARGV: expected version, new run, new version, run id, 'running' or not, created at, ttl in ms ('' = none),
//       write id, execution id, number of keys of the kickoff, then for each delivery: id, order, text.
const COMMIT = `
  local version = redis.call('HGET', KEYS[1], 'version') or '0'
  if version ~= ARGV[1] then
    if redis.call('HGET', KEYS[1], 'write') == ARGV[8] then return 1 end
    return 0
  end
  local requests = 7 + ARGV[10]
  if version == '0' then
    for i = 7, requests - 1 do
      local other = redis.call('GET', KEYS[i])
      if other and other ~= ARGV[9] then return 0 end
    end
    for i = 7, requests - 1 do redis.call('SET', KEYS[i], ARGV[9], 'KEEPTTL') end
  end
  redis.call('HSET', KEYS[1], 'version', ARGV[3], 'run', ARGV[2], 'write', ARGV[8])
  if version == '0' then
    redis.call('RPUSH', KEYS[3], ARGV[4])
    redis.call('ZADD', KEYS[6], ARGV[6], ARGV[4])
  end
  if ARGV[5] == 'running' then redis.call('SADD', KEYS[2], ARGV[4]) else redis.call('SREM', KEYS[2], ARGV[4]) end
  for i = 11, #ARGV, 3 do
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 2])
    redis.call('ZADD', KEYS[5], ARGV[i + 1], KEYS[4] .. ' ' .. ARGV[i])
  end
  for i = requests, #KEYS do redis.call('SET', KEYS[i], ARGV[4]) end
  if ARGV[7] ~= '' then
    for i = 7, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[7]) end
    local runs = string.sub(KEYS[1], 1, -1 - string.len(ARGV[4]))
    for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do redis.call('PEXPIRE', runs .. id, ARGV[7]) end
    redis.call('PEXPIRE', KEYS[3], ARGV[7])
    redis.call('PEXPIRE', KEYS[4], ARGV[7])
    redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', ARGV[6] - ARGV[7])
  end
  return 1`;
