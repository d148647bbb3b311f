import { Cluster } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { recordTask } from '../../src/core/execution/run.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { type Execution, RECORD_VERSION } from '../../src/core/state/execution.ts';
import { ok } from '../../src/core/values/result.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { createReplication } from '../../src/redis/replication.ts';
import { createSignInLinks } from '../../src/redis/sign-in-links.ts';
import { request } from '../support/executions.ts';
import { startRedis } from '../support/redis.ts';
import { PERMITTED, RULES } from '../support/requests.ts';
import { settlesWithin } from '../support/settles-within.ts';
import { startRedisInterceptor } from './redis-interceptor.ts';
import { eventually, started, untilDone } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function redisServer(options?: Parameters<typeof startRedis>[0]) {
  const server = await startRedis(options);
  endings.push(server.stop);
  return server;
}

function connect(url: string, reasons: string[] = []): RedisClient {
  const redis = connectRedis(url, { onTrouble: (reason) => reasons.push(reason) });
  endings.push(() => closeRedis(redis));
  return redis;
}

const storeOn = (redis: RedisClient, minReplicas = 0) =>
  createExecutionStore(redis, {
    retentionDays: 30,
    auditDays: 400,
    replication: createReplication(redis, { minReplicas }),
  });
const replicaOf = (port: number) => ['--replicaof', '127.0.0.1', `${port}`, '--repl-diskless-sync-delay', '0'];
const task = { hop: 0, kickoffId: 'k1', name: 'draft', agent: null, summary: '', output: null };

/** Slack shows an error after three seconds. */
const IN_TIME_MS = 2_900;

describe('a Redis that does not answer', () => {
  it('is reported as unavailable in time for the person who clicked', async () => {
    const server = await redisServer();
    const store = storeOn(connect(server.url));
    await store.create('r1', (now) => started('r1', now));
    server.pause();
    endings.push(server.resume);
    const clicks = Promise.all([
      expect(store.change('r1', (execution, now) => ok(recordTask(execution, task, now)))).rejects.toThrow(
        StoreUnavailable,
      ),
      expect(store.openIn('C1')).rejects.toThrow(StoreUnavailable),
      expect(createDueQueue(connect(server.url)).claim(1, { leaseMs: 1_000, aheadMs: 0 })).rejects.toThrow(
        StoreUnavailable,
      ),
    ]);
    expect(await settlesWithin(IN_TIME_MS, clicks)).toBe(true);
    await clicks;
  });

  it('is reported as unavailable if it was never there', async () => {
    const redis = connect('redis://127.0.0.1:1');
    expect(await settlesWithin(IN_TIME_MS, storeOn(redis).load('r1'))).toBe(true);
    await expect(pingRedis(redis)).rejects.toThrow(StoreUnavailable);
  });

  it('is used again as soon as it answers again', async () => {
    const server = await redisServer({ appendOnly: true });
    const redis = connect(server.url);
    const store = storeOn(redis);
    await store.create('r1', (now) => started('r1', now));
    await server.kill();
    await expect(pingRedis(redis)).rejects.toThrow(StoreUnavailable);
    await server.restart();
    await untilDone(() => pingRedis(redis));
    expect((await store.load('r1'))?.execution.ref).toBe('r1');
  });

  it('loses nothing when it restarts in the middle of many changes', async () => {
    const server = await redisServer({ appendOnly: true });
    const store = storeOn(connect(server.url));
    await store.create('r1', (now) => started('r1', now));
    const acknowledged: string[] = [];
    const changes = Array.from({ length: 30 }, async (_, i) => {
      const name = `task ${i}`;
      await store.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name }, now)));
      acknowledged.push(name);
    });
    const all = Promise.allSettled(changes);
    await server.kill();
    await server.restart();
    await all;
    const found = (await store.load('r1'))?.execution.tasks.map(({ name }) => name) ?? [];
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(found).size).toBe(found.length);
  });
});

describe('a lost answer', () => {
  /** A proxy that drops the answer to the first request with this text. */
  async function proxyThatDrops(text: string, port: number) {
    const lost: string[] = [];
    const proxy = await startRedisInterceptor(port, {
      isLost: (request) => request.includes(text) && lost.length === 0 && lost.push(request) === 1,
    });
    endings.push(proxy.close);
    return { url: proxy.url, lost };
  }

  it('to a change is no failure, and the change is made once', async () => {
    const server = await redisServer();
    const { url, lost } = await proxyThatDrops('"summary":"lost"', server.port);
    await storeOn(connect(server.url)).create('r1', (now) => started('r1', now));
    const store = storeOn(connect(url));
    let runs = 0;
    const changed = await store.change('r1', (execution, now) => {
      runs += 1;
      return ok(recordTask(execution, { ...task, summary: 'lost' }, now));
    });
    expect(lost).toHaveLength(1);
    expect(changed.kind).toBe('changed');
    expect(runs).toBe(1);
    expect((await store.load('r1'))?.execution.tasks).toHaveLength(1);
  });

  it('to a change that another process has followed up loses nothing of either', async () => {
    const server = await redisServer();
    const other = storeOn(connect(server.url));
    await other.create('r1', (now) => started('r1', now));
    const named = (name: string) => (execution: Execution, now: number) =>
      ok(recordTask(execution, { ...task, name, summary: name }, now));
    let times = 0;
    const isOurs = (request: string) => request.includes('"summary":"lost"');
    const proxy = await startRedisInterceptor(server.port, {
      before: async (request) => {
        if (!isOurs(request)) return;
        times += 1;
        // The first try was written, and its answer lost: another process is faster than the second.
        if (times === 2) await other.change('r1', named('theirs'));
      },
      isLost: (request) => isOurs(request) && times === 1,
    });
    endings.push(proxy.close);
    const store = storeOn(connect(proxy.url));
    expect((await store.change('r1', named('lost'))).kind).toBe('changed');
    expect(times).toBe(2);
    await store.change('r1', named('next'));
    expect((await other.load('r1'))?.execution.tasks.map(({ name }) => name)).toEqual(['lost', 'theirs', 'next']);
  });

  it('to a new execution still reports it as new', async () => {
    const server = await redisServer();
    const { url, lost } = await proxyThatDrops(`"version":${RECORD_VERSION}`, server.port);
    expect(await storeOn(connect(url)).create('r1', (now) => started('r1', now))).toBe('created');
    expect(lost).toHaveLength(1);
  });
});

describe('where changes must be on a replica', () => {
  it('a change is not acknowledged without one, and neither is its retry', async () => {
    const redis = connect((await redisServer()).url);
    await storeOn(redis).create('r1', (now) => started('r1', now));
    await storeOn(redis).change('r1', (execution, now) => ask(execution, request(), now, RULES));
    const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
    const by = { id: 'U_MARIA', name: 'Maria' };
    const click = () =>
      storeOn(redis, 1).change('r1', (execution, now) => decide(execution, '1', { choice, by, ...PERMITTED }, now));
    await expect(click()).rejects.toThrow(StoreUnavailable);
    await expect(click()).rejects.toThrow('Only 0 of 1 replicas');
  });
});

describe('what is missing on a server that may not be the master any more', () => {
  async function demotedStores() {
    const master = await redisServer();
    const replica = await redisServer({ args: replicaOf(master.port) });
    const redis = connect(master.url);
    const replication = createReplication(redis, { minReplicas: 1 });
    const store = createExecutionStore(redis, { retentionDays: 30, auditDays: 400, replication });
    const outputs = createOutputStore(redis, { retentionDays: 30, replication });
    const links = createSignInLinks(redis, replication);
    const questions = {
      'a run': () => store.load('unknown'),
      'a change of it': () => store.change('unknown', (execution) => ok(execution)),
      'a run by an id of its crew': () => store.findById('research', 'unknown'),
      'a text': () => outputs.get('unknown', 'a'.repeat(64)),
      'a link to sign in': () => links.use('unknown'),
    };
    return { replica, redis, questions };
  }

  /** A replica may need a while to connect and, on a busy machine, to confirm. */
  async function untilGone(question: () => Promise<unknown>): Promise<void> {
    await eventually(async () => {
      const found: unknown = await question().catch(() => 'unsure');
      if (found === 'unsure') return false;
      expect([null, { kind: 'absent' }]).toContainEqual(found);
      return true;
    });
  }

  it('is gone only once as many replicas as a change needs have confirmed that', async () => {
    const { replica, questions } = await demotedStores();
    for (const question of Object.values(questions)) await untilGone(question);
    const promoted = connect(replica.url);
    await pingRedis(promoted);
    await promoted.replicaof('NO', 'ONE');
    const answers = await Promise.all(
      Object.entries(questions).map(async ([name, ask]) => [name, await ask().then(() => 'gone', String)]),
    );
    for (const [name, answer] of answers) expect(answer, name).toContain('Only 0 of 1 replicas');
  });

  it('is confirmed once for all who ask at the same time, and keeps nobody else waiting', async () => {
    const { replica, redis: client, questions } = await demotedStores();
    if (client instanceof Cluster) throw new TypeError('there is one server');
    const redis = client;
    await untilGone(questions['a run']);
    const count = async (command: string) =>
      Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await redis.info('commandstats'))?.[1] ?? 0);
    const before = await count('wait');
    await Promise.allSettled(Array.from({ length: 50 }, questions['a run by an id of its crew']));
    expect((await count('wait')) - before).toBeLessThan(25);
    replica.pause();
    endings.push(replica.resume);
    const own = await redis.client('ID');
    const asking = questions['a run']().catch(() => {});
    let waiting: string | undefined;
    await eventually(async () => {
      waiting = String(await redis.client('LIST'))
        .split('\n')
        .find((client) => client.includes(' cmd=wait '));
      return waiting !== undefined;
    });
    expect(waiting).not.toContain(`id=${own} `);
    await asking;
  });
});

describe('the reported reasons', () => {
  it('hold no password and no content', async () => {
    const server = await redisServer({ args: ['--requirepass', 'right-password'] });
    const reasons: string[] = [];
    const redis = connect(`redis://:hush-hush@127.0.0.1:${server.port}`, reasons);
    const failure = await storeOn(redis)
      .create('r1', (now) => started('r1', now))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    const said = [...reasons, JSON.stringify(failure, Object.getOwnPropertyNames(failure))].join('\n');
    expect(reasons.join()).toContain('WRONGPASS');
    expect(said).not.toContain('hush');
    expect(said).not.toContain('topic');
  });
});

it('a change by the process that made the one before takes one call to Redis', async () => {
  const redis = connect((await redisServer()).url);
  const store = storeOn(redis);
  await store.create('r1', (now) => started('r1', now));
  const change = (name: string) =>
    store.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name }, now)));
  await change('first');
  const scripts = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1]);
  const before = await scripts();
  await change('second');
  expect((await scripts()) - before).toBe(1);
});
