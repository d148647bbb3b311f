import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endRun, recordTask } from '../../src/core/execution/run.ts';
import { type ExecutionStore, StoreUnavailable } from '../../src/core/ports.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { claimResume } from '../../src/core/request/resume.ts';
import { ok } from '../../src/core/values/result.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { ledgerKey, SHARDS, shardOf } from '../../src/redis/keys.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { type LostRecord, type LostWrites, LostWritesWatch } from '../../src/redis/lost-writes.ts';
import { createReplication } from '../../src/redis/replication.ts';
import { backUp, restore } from '../support/backup.ts';
import { reshard } from '../support/cluster-changes.ts';
import { request } from '../support/executions.ts';
import { startRedis } from '../support/redis.ts';
import { masterOf, onNode, slotOf, startRedisCluster } from '../support/redis-cluster.ts';
import { JON, PERMITTED, RULES } from '../support/requests.ts';
import { startRedisInterceptor } from './redis-interceptor.ts';
import { started } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const REFS = Array.from({ length: 60 }, (_, i) => `r${i}`);

/** What one process has of a Redis, and what it notices. */
async function processOn(url: string, minReplicas = 0) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  endings.push(() => closeRedis(redis));
  await pingRedis(redis);
  const local = createLocalState();
  const store = createExecutionStore(redis, {
    retentionDays: 30,
    auditDays: 400,
    replication: createReplication(redis, { minReplicas }),
    local,
  });
  const losses: LostWrites[] = [];
  const records: LostRecord[] = [];
  const watch = new LostWritesWatch(redis, {
    local,
    onLost: (lost) => void losses.push(lost),
    begin: async () => {},
    async mend(record) {
      await store.change(record.ref, (execution) => ok(execution));
      records.push(record);
    },
    onMended: () => {},
  });
  endings.push(() => watch.stop());
  let tasks = 0;
  return {
    local,
    losses,
    records,
    store,
    watch,
    create: (ref: string) => store.create(ref, (now) => started(ref, now, { run: { status: 'running' } })),
    change(ref: string) {
      tasks += 1;
      const task = { hop: 0, kickoffId: 'k1', name: `task ${tasks}`, agent: null, summary: '', output: null };
      return store.change(ref, (execution, now) => ok(recordTask(execution, task, now)));
    },
    /** A look that began after everything before it. */
    async look() {
      await watch.idle();
      watch.look();
      await watch.idle();
    },
  };
}

function approve(store: ExecutionStore, ref: string) {
  const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
  return store.change(ref, (execution, now) => decide(execution, '1', { choice, by: JON, ...PERMITTED }, now));
}

const sum = (losses: readonly LostWrites[]) => losses.reduce((all, { count }) => all + count, 0);
const refsOf = (records: readonly LostRecord[]) => records.map(({ ref }) => ref).sort();

describe('a restored backup', () => {
  it('is noticed once, with what was written since and the records that are older now, or gone', async () => {
    const server = await startRedis();
    endings.push(server.stop);
    const { losses, records, create, change, look } = await processOn(server.url);
    for (const ref of REFS) await create(ref);
    const admin = new Redis(server.socketPath);
    endings.push(() => admin.disconnect());
    const backup = await backUp(admin);
    for (const ref of ['r1', 'r2', 'r2']) await change(ref);
    await create('new');
    await restore(admin, backup);
    await vi.waitFor(() => expect(refsOf(records)).toEqual(['new', 'r1', 'r2']), 10_000);
    expect(losses).toEqual([{ count: 4, shards: [...new Set(['r1', 'r2', 'new'].map(shardOf))].sort() }]);
    expect(records.filter(({ isGone }) => isGone).map(({ ref }) => ref)).toEqual(['new']);
    expect(records.find(({ ref }) => ref === 'r2')?.execution.tasks).toMatchObject([
      { name: 'task 2' },
      { name: 'task 3' },
    ]);
    await change('r1');
    await look();
    expect(losses).toHaveLength(1);
  });

  it('is noticed at the next write into the same shard, before that one counts', async () => {
    const server = await startRedis();
    endings.push(server.stop);
    const { losses, records, create, change, look } = await processOn(server.url);
    await create('r1');
    await change('r1');
    await server.flush();
    await create('r1');
    await look();
    expect(sum(losses)).toBe(2);
    expect(records).toMatchObject([{ ref: 'r1', isGone: false, execution: { tasks: [{}] } }]);
  });
});

it.each(['held', 'loaded'] as const)(
  'a change that comes first after a loss is made to what was acknowledged: no decision is claimed a second time (%s record)',
  async (from) => {
    const server = await startRedis();
    endings.push(server.stop);
    const { create, store } = await processOn(server.url);
    await create('r1');
    await store.change('r1', (execution, now) => ask(execution, request(), now, RULES));
    await approve(store, 'r1');
    const admin = new Redis(server.socketPath);
    endings.push(() => admin.disconnect());
    const backup = await backUp(admin);
    const claim = () => store.change('r1', (execution, now) => ok(claimResume(execution, '1', 'p1', now)));
    expect((await claim()).kind).toBe('changed');
    await restore(admin, backup);
    if (from === 'loaded') await store.load('r1');
    const again = await claim();
    expect(again).toMatchObject({
      kind: 'unchanged',
      execution: { requests: [{ state: { status: 'sending', attempts: [{}] } }] },
    });
    expect((await store.load('r1'))?.execution.requests).toMatchObject([
      { state: { status: 'sending', attempts: [{}] } },
    ]);
    expect(await admin.lrange(ledgerKey('r1'), -1, '-1')).toEqual([expect.stringContaining('"kind":"lost"')]);
  },
);

it('a run that has ended and expired isn’t lost', async () => {
  const server = await startRedis();
  endings.push(server.stop);
  const { losses, records, create, store, look } = await processOn(server.url);
  await create('r1');
  await store.change('r1', (execution, now) =>
    ok(endRun(execution, { status: 'completed', result: null, endedAt: now }, now)),
  );
  await server.flush();
  await look();
  expect(sum(losses)).toBe(2);
  expect(records).toEqual([]);
});

it('a decision that a process may have sent that is gone by now isn’t called unsent', async () => {
  const server = await startRedis();
  endings.push(server.stop);
  const { create, local, look, store } = await processOn(server.url);
  local.others.awaitAnswers();
  await vi.waitFor(() => expect(local.others.areNone()).toBe(true), 5_000);
  for (const ref of ['alone', 'beside another']) {
    await create(ref);
    await store.change(ref, (execution, now) => ask(execution, request(), now, RULES));
  }
  const admin = new Redis(server.socketPath);
  endings.push(() => admin.disconnect());
  const backup = await backUp(admin);
  local.others.hear('p2');
  await approve(store, 'beside another');
  local.others.forget('p2');
  await approve(store, 'alone');
  local.listenedAt = performance.now();
  await restore(admin, backup);
  await look();
  const statusOf = async (ref: string) =>
    (await store.load(ref))?.execution.requests.map(({ state: { status } }) => status);
  expect(await statusOf('beside another')).toEqual(['sending']);
  expect(await statusOf('alone')).toEqual(['pending']);
});

it('a Redis that comes back with all that it had acknowledged has lost nothing', async () => {
  const server = await startRedis({ appendOnly: true });
  endings.push(server.stop);
  const { losses, create, change, look } = await processOn(server.url);
  for (const ref of REFS) await create(ref);
  await server.kill();
  await server.restart();
  await vi.waitFor(() => change('r1'), 10_000);
  await look();
  expect(losses).toEqual([]);
});

it('a write whose answer got lost is there', async () => {
  const server = await startRedis({ appendOnly: true });
  endings.push(server.stop);
  let isNextLost = false;
  const isLost = () => {
    const isLostNow = isNextLost;
    isNextLost = false;
    return isLostNow;
  };
  const proxy = await startRedisInterceptor(server.port, { isLost });
  endings.push(proxy.close);
  const { losses, create, change, look } = await processOn(proxy.url);
  await create('r1');
  for (let i = 0; i < 3; i++) {
    isNextLost = true;
    await change('r1');
  }
  await look();
  expect(losses).toEqual([]);
});

it('a write that too few replicas had doesn’t count as lost after a failover, and one that had enough isn’t', async () => {
  const [master, replica] = [await startRedis(), await startRedis()];
  endings.push(master.stop, replica.stop);
  const follower = new Redis(replica.socketPath);
  endings.push(() => follower.disconnect());
  await follower.replicaof('127.0.0.1', master.port);
  const { losses, create, change } = await processOn(master.url, 1);
  await vi.waitFor(() => create('r1'), 10_000);
  await follower.replicaof('NO', 'ONE');
  await expect(change('r1')).rejects.toThrow(StoreUnavailable);
  expect(losses).toEqual([]);
});

describe('a Redis Cluster', () => {
  it('loses nothing while its slots move', async () => {
    const cluster = await startRedisCluster();
    endings.push(cluster.stop);
    const { losses, create, change, look } = await processOn(cluster.url);
    for (const ref of REFS) await create(ref);
    const [from, to] = [cluster.nodes[0], cluster.nodes[1]];
    if (!from || !to) throw new Error('There are three nodes.');
    const moved = SHARDS.filter((shard) => masterOf(slotOf(shard)) === 0);
    const refs = REFS.filter((ref) => moved.includes(shardOf(ref)));
    await reshard({ slots: moved.map(slotOf), from, to, onHalfMoved: look });
    for (const ref of refs) await change(ref);
    await look();
    expect(losses).toEqual([]);
  });

  it('has lost what one of its nodes no longer has', async () => {
    const cluster = await startRedisCluster();
    endings.push(cluster.stop);
    const { losses, records, create, look } = await processOn(cluster.url);
    for (const ref of REFS) await create(ref);
    const [node] = cluster.nodes;
    if (node) await onNode(node, (client) => client.flushall());
    await look();
    const lost = REFS.filter((ref) => masterOf(slotOf(shardOf(ref))) === 0);
    expect(sum(losses)).toBe(lost.length);
    expect(refsOf(records)).toEqual(lost.sort());
    expect(records.every(({ isGone }) => isGone)).toBe(true);
  });

  it('has lost what a replica didn’t have that takes over', async () => {
    const cluster = await startRedisCluster({ replicas: 'one each' });
    endings.push(cluster.stop);
    const { losses, records, create, change, look } = await processOn(cluster.url);
    const ref = REFS.find((each) => masterOf(slotOf(shardOf(each))) === 0) ?? '';
    await create(ref);
    const [replica] = cluster.replicas;
    if (!replica) throw new Error('Each node has a replica.');
    await vi.waitFor(async () => expect(await onNode(replica, (client) => client.dbsize())).toBeGreaterThan(1), 10_000);
    await replica.kill();
    await change(ref);
    await cluster.nodes[0]?.kill();
    await replica.restart();
    await vi.waitFor(async () => {
      await look();
      expect(losses).toMatchObject([{ count: 1, shards: [shardOf(ref)] }]);
      expect(records).toMatchObject([{ ref, isGone: false }]);
    }, 30_000);
  }, 60_000);
});
