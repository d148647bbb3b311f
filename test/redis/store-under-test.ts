import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startExecution } from '../../src/core/execution/start.ts';
import type { DecidedRequest, EndedRun } from '../../src/core/inbox/history.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { membersIn, readDecided, readEnded } from '../../src/redis/indexes.ts';
import { decidedKey, endedKey, SHARDS, type Shard } from '../../src/redis/keys.ts';
import { eventually as look } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { changed, type ExecutionChange } from '../support/executions.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

/** A Redis for the tests of one file, emptied before each of them. */
export function redisForTests(): { server: () => TestRedis; redis: () => RedisClient; another: () => RedisClient } {
  let server: TestRedis | undefined;
  const clients: RedisClient[] = [];
  const started = () => {
    if (!server) throw new Error('The server starts before the first test.');
    return server;
  };
  const connect = () => {
    const client = connectRedis(started().url, { onTrouble: () => {} });
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    server = await startRedis();
    await pingRedis(connect());
  });
  beforeEach(() => started().flush());
  afterAll(async () => {
    await Promise.all(clients.map(closeRedis));
    await server?.stop();
  });
  const redis = () => {
    const [client] = clients;
    if (!client) throw new Error('The connection is opened before the first test.');
    return client;
  };
  return { server: started, redis, another: connect };
}

/** A new execution of the crew `research`, started by Maria in the channel C1. */
export function started(ref: string, now: number, change: ExecutionChange = {}): Execution {
  const by = { id: 'U_MARIA', name: 'Maria' };
  const start = { ref, crew: 'research', channel: 'C1', by, inputs: { topic: 'Redis' }, form: null };
  return changed(startExecution(start, now), change);
}

/** A busy machine must not reach this. */
const LONGEST_MS = 60_000;

/** Waits until something holds. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  await look(
    async () => (await holds()) || undefined,
    async () => 'It did not happen in time.',
    LONGEST_MS,
  );
}

/** Tries until it succeeds. Where that takes too long, says how the last try failed. */
export async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  let last: unknown;
  const isDone = () =>
    attempt().then(
      () => true,
      (error: unknown) => {
        last = error;
        return undefined;
      },
    );
  await look(isDone, async () => String(last), LONGEST_MS);
}

/** Everything that is remembered of requests that were decided, oldest first. */
export async function decidedRequests(redis: RedisClient): Promise<DecidedRequest[]> {
  const decided = await membersOf(redis, decidedKey, readDecided);
  return decided.sort((one, other) => one.decidedAt - other.decidedAt);
}

/** Everything that is remembered of runs that have ended, oldest first. */
export async function endedRuns(redis: RedisClient): Promise<EndedRun[]> {
  const ended = await membersOf(redis, endedKey, readEnded);
  return ended.sort((one, other) => one.endedAt - other.endedAt);
}

async function membersOf<Member>(
  redis: RedisClient,
  keyOf: (shard: Shard) => string,
  read: (member: string, at: number) => Member | null,
): Promise<Member[]> {
  const replies = await Promise.all(SHARDS.map((shard) => redis.zrange(keyOf(shard), 0, '-1', 'WITHSCORES')));
  return replies.flatMap((reply) => membersIn(reply).flatMap(([member, at]) => read(member, at) ?? []));
}
