import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { recordTask } from '../../src/core/execution/tasks.ts';
import { ok } from '../../src/core/result.ts';
import { createActivityLog } from '../../src/redis/activity.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection/connect.ts';
import { countStored } from '../../src/redis/counts.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions/store.ts';
import { createHistory, trimHistory } from '../../src/redis/history.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { createOverview } from '../../src/redis/overview/overview.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/redis-server.mjs';
import { startRedis } from '../support/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { endedRuns, eventually, started } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function redisServer(options: Parameters<typeof startRedis>[0] = {}) {
  const server = await startRedis(options);
  const client = new Redis(server.port);
  endings.push(server.stop, () => client.disconnect());
  return { server, client };
}

/** Two nodes with half of the slots each, which go on serving theirs while the other one is down. */
async function startCluster() {
  const cluster = await startRedisCluster(2, ['--cluster-require-full-coverage', 'no']);
  endings.push(cluster.stop);
  return cluster;
}

/** One Sentinel that monitors a master, which is a majority of one. */
async function startSentinel(masterPort: number): Promise<{ port: number; client: Redis }> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  await writeFile(file, `port ${port}\nbind 127.0.0.1\nsentinel monitor crew-db 127.0.0.1 ${masterPort} 1\n`);
  const child = spawn(await ensureRedisServer(), [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port);
  client.on('error', () => {});
  endings.push(
    () => rm(folder, { recursive: true, force: true }),
    async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    () => client.disconnect(),
  );
  return { port, client };
}

const replicaOf = (port: number) => ['--replicaof', '127.0.0.1', `${port}`, '--repl-diskless-sync-delay', '0'];

function storesOn(url: string, minReplicas = 0) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  endings.push(() => closeRedis(redis));
  return {
    redis,
    executions: createExecutionStore(redis, { retentionDays: 30, auditDays: 400, minReplicas }),
    queue: createDueQueue(redis),
    outputs: createOutputStore(redis, { retentionDays: 30 }),
    activity: createActivityLog(redis, { retentionDays: 30 }),
  };
}

const REFS = Array.from({ length: 100 }, (_, i) => `r${i}`);
const task = { hop: 0, kickoffId: 'k1', name: 'draft', agent: null, summary: '', output: null };
const step = { at: 1, agent: null, thought: 'Hm', tool: null, toolInput: null, result: null };

/** Everything that a bot does with Redis, on executions in nearly all shards. */
async function useEverything({ redis, executions, queue, outputs, activity }: ReturnType<typeof storesOn>) {
  for (const ref of REFS) await executions.create(ref, (now) => started(ref, now));
  for (const ref of REFS.slice(0, 20)) {
    await executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)));
    await executions.linkId('research', `k-${ref}`, ref);
    await activity.add(ref, step);
    const { hash } = await outputs.put(ref, 'a draft');
    expect(await outputs.get(ref, hash)).toBe('a draft');
    expect(await activity.latest(ref, 1)).toEqual([step]);
    expect(await executions.findById('research', `k-${ref}`)).toBe(ref);
  }
  expect(await executions.openIn('C1')).toHaveLength(100);
  expect(await executions.unanswered('research')).toBe(80);
  expect((await countStored(redis, [])).runs).toEqual({ starting: 80, running: 20, waiting: 0 });
  expect((await createOverview(redis).latest()).runs).toHaveLength(100);
  expect((await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 })).refs.sort()).toEqual([...REFS].sort());
  for (const ref of REFS) await queue.release(ref);
  await executions.change('r1', (execution, now) => ok({ ...execution, run: { status: 'lost', lostAt: now } }));
  await trimHistory(redis);
  expect(await createHistory(redis).decidedSince(0)).toEqual([]);
  expect((await endedRuns(redis)).map(({ ref }) => ref)).toEqual(['r1']);
  for (const ref of REFS) await executions.remove(ref, () => true);
  expect(await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 })).toEqual({ refs: [], upcoming: [], moreInMs: null });
}

it('everything works on a Redis Cluster', async () => {
  await useEverything(storesOn((await startCluster()).url));
});

it('a Cluster node that hangs does not block what lies on the others', async () => {
  const { url, nodes } = await startCluster();
  const { executions, queue } = storesOn(url);
  for (const ref of REFS) await executions.create(ref, (now) => started(ref, now));
  nodes[1]?.pause();
  endings.push(() => nodes[1]?.resume());
  const { refs } = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  expect(refs.length).toBeGreaterThan(20);
  expect(refs.length).toBeLessThan(80);
  const [ref = ''] = refs;
  expect((await executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)))).kind).toBe('changed');
});

it('everything works over a unix socket', async () => {
  const { server } = await redisServer();
  await useEverything(storesOn(`unix://${server.socketPath}`));
});

it('a change counts once it is on the required number of replicas', async () => {
  const primary = await redisServer();
  const replica = await redisServer({ args: replicaOf(primary.server.port) });
  await eventually(async () => {
    await primary.client.set('are you there', 'yes');
    return (await primary.client.wait(1, 100)) === 1;
  });
  await storesOn(primary.server.url, 1).executions.create('r1', (now) => started('r1', now));
  expect((await storesOn(replica.server.url).executions.load('r1'))?.execution.ref).toBe('r1');
});

it('everything works behind Sentinels, and goes on after a failover', async () => {
  const master = await redisServer();
  await redisServer({ args: replicaOf(master.server.port) });
  const sentinel = await startSentinel(master.server.port);
  const replicasOf = async () => String(await sentinel.client.call('SENTINEL', 'REPLICAS', 'crew-db'));
  await eventually(async () => (await replicasOf()).includes('master-link-status,ok'));
  const stores = storesOn(`redis+sentinel://127.0.0.1:${sentinel.port}/crew-db`);
  await useEverything(stores);

  await stores.executions.create('r1', (now) => started('r1', now));
  await sentinel.client.call('SENTINEL', 'FAILOVER', 'crew-db');
  const isNew = async () =>
    !String(await sentinel.client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'crew-db')).includes(
      `${master.server.port}`,
    );
  await eventually(isNew);
  await eventually(() =>
    pingRedis(stores.redis)
      .then(() => stores.executions.change('r1', (execution, now) => ok(recordTask(execution, task, now))))
      .then(
        () => true,
        () => false,
      ),
  );
  expect((await stores.executions.load('r1'))?.execution.tasks).toHaveLength(1);
});
