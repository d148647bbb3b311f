import type { Redis } from 'ioredis';
import type { Run } from '../executions/run.ts';
import { type Json, parseJson } from '../json.ts';
import type { Delivery } from '../webhooks/delivery.ts';

/** `writeId` tells the repetition of a write from another one that says the same. */
export type Write = { readonly run: Run; readonly deliveries: readonly Delivery[]; readonly writeId: string };

export type Checkpoint = { readonly attempt: string; readonly number: number; readonly value: Json };

/** Runs, their chains and the notifications they owe, in Redis, for one process of the service a prefix. */
export interface Store {
  load(runId: string): Promise<Run | undefined>;
  /** All runs of an execution, oldest first. */
  runsOf(executionId: string): Promise<Run[]>;
  activeIds(): Promise<string[]>;
  recentIds(count: number): Promise<string[]>;
  /**
   * Stores a run and what it owes in one step, if the stored version is still the one that `run` was made from.
   * Answers the run as stored, or undefined where somebody else was faster. May be repeated with the same `writeId`.
   */
  commit(write: Write): Promise<Run | undefined>;
  /** The results of the steps that an attempt has done, by their number from 0. */
  checkpoints(run: Run, attempt: string): Promise<Map<number, Json>>;
  /** Stores the result of a step, and the notification of it, in one step. May be repeated. */
  saveCheckpoint(run: Run, checkpoint: Checkpoint, deliveries: readonly Delivery[]): Promise<void>;
  pendingDeliveries(): Promise<Delivery[]>;
  deliveriesOf(executionId: string): Promise<Delivery[]>;
  saveDelivery(delivery: Delivery): Promise<void>;
}

// A run and what it owes change in one step, or a crash between them would lose a notification. A second try of the same
// write, after an answer that got lost, finds its own id and has succeeded.
// KEYS: run, active runs, chain of the execution, deliveries of the execution, pending deliveries, all runs.
// ARGV: expected version, new run, new version, run id, 'running' or not, created at, ttl in ms ('' = none),
//       write id, then for each delivery: id, order, text.
const COMMIT = `
  local version = redis.call('HGET', KEYS[1], 'version') or '0'
  if version ~= ARGV[1] then
    if redis.call('HGET', KEYS[1], 'write') == ARGV[8] then return 1 end
    return 0
  end
  redis.call('HSET', KEYS[1], 'version', ARGV[3], 'run', ARGV[2], 'write', ARGV[8])
  if version == '0' then
    redis.call('RPUSH', KEYS[3], ARGV[4])
    redis.call('ZADD', KEYS[6], ARGV[6], ARGV[4])
  end
  if ARGV[5] == 'running' then redis.call('SADD', KEYS[2], ARGV[4]) else redis.call('SREM', KEYS[2], ARGV[4]) end
  for i = 9, #ARGV, 3 do
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 2])
    redis.call('ZADD', KEYS[5], ARGV[i + 1], KEYS[4] .. ' ' .. ARGV[i])
  end
  if ARGV[7] ~= '' then
    local runs = string.sub(KEYS[1], 1, -1 - string.len(ARGV[4]))
    for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do redis.call('PEXPIRE', runs .. id, ARGV[7]) end
    redis.call('PEXPIRE', KEYS[3], ARGV[7])
    redis.call('PEXPIRE', KEYS[4], ARGV[7])
    redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', ARGV[6] - ARGV[7])
  end
  return 1`;

export function createStore(redis: Redis, prefix: string, retentionMs: number): Store {
  const key = (...parts: string[]) => `${prefix}${parts.join(':')}`;
  const runKey = (id: string) => key('run', id);
  const deliveriesKey = (executionId: string) => key('deliveries', executionId);
  const checkpointsKey = (run: Run, attempt: string) => key('checkpoints', run.id, attempt);
  const pendingKey = key('pending');

  async function load(runId: string): Promise<Run | undefined> {
    const text = await redis.hget(runKey(runId), 'run');
    return text === null ? undefined : storedRun(text);
  }

  /** A pending delivery is named by the hash that has it and its field there. */
  function pendingText(member: string): Promise<string | null> {
    const space = member.lastIndexOf(' ');
    return redis.hget(member.slice(0, space), member.slice(space + 1));
  }

  return {
    load,

    async runsOf(executionId) {
      const ids = await redis.lrange(key('chain', executionId), 0, -1);
      const runs = await Promise.all(ids.map(load));
      return runs.filter((run) => run !== undefined);
    },

    activeIds: () => redis.smembers(key('active')),

    recentIds: (count) => redis.zrevrange(key('runs'), 0, count - 1),

    async commit({ run, deliveries, writeId }) {
      const stored: Run = { ...run, version: run.version + 1 };
      const { executionId, id } = run;
      const ended = run.status === 'completed' || run.status === 'failed';
      const keys = [
        runKey(id),
        key('active'),
        key('chain', executionId),
        deliveriesKey(executionId),
        pendingKey,
        key('runs'),
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
      ];
      const owed = deliveries.flatMap((delivery) => [delivery.id, delivery.order, JSON.stringify(delivery)]);
      const done = await redis.eval(COMMIT, keys.length, ...keys, ...head, ...owed);
      return done === 1 ? stored : undefined;
    },

    async checkpoints(run, attempt) {
      const stored = await redis.hgetall(checkpointsKey(run, attempt));
      return new Map(Object.entries(stored).map(([number, text]) => [Number(number), parseJson(text)]));
    },

    async saveCheckpoint(run, { attempt, number, value }, deliveries) {
      const hash = deliveriesKey(run.executionId);
      const change = redis.multi();
      change.hset(checkpointsKey(run, attempt), `${number}`, JSON.stringify(value));
      change.pexpire(checkpointsKey(run, attempt), retentionMs);
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

// What is read here was written by this file.
function storedRun(text: string): Run {
  return JSON.parse(text);
}

function storedDelivery(text: string): Delivery {
  return JSON.parse(text);
}
