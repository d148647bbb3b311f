import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordTask } from '../../src/core/execution/run.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { ok } from '../../src/core/values/result.ts';
import { closeRedis, pingRedis } from '../../src/redis/connection.ts';
import { SHARDS, shardOf } from '../../src/redis/keys.ts';
import { failOver, reshard } from '../support/cluster-changes.ts';
import { masterOf, slotOf, startRedisCluster, type TestCluster } from '../support/redis-cluster.ts';
import { BusyWriter, CHANGE_PAUSE_MS } from './busy-writer.ts';
import { createAll, openStores, REFS, task } from './do-everything.ts';
import { untilDone } from './store-under-test.ts';

let cluster: TestCluster;
let stores: ReturnType<typeof openStores>;

beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: 'one each' });
  stores = openStores(cluster.url, { minReplicas: 1 });
  await pingRedis(stores.redis);
});
afterAll(async () => {
  await closeRedis(stores.redis);
  await cluster.stop();
});

const nodeOfShard = (shard: string) => masterOf(slotOf(shard));
const onNode = (node: number) => REFS.filter((ref) => nodeOfShard(shardOf(ref)) === node);

it('a change counts only once the replica of its node has it', async () => {
  await createAll(stores);
  const [[here = ''], [elsewhere = '']] = [onNode(0), onNode(1)];
  const change = (ref: string) =>
    stores.executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)));
  cluster.replicas[0]?.pause();
  try {
    await expect(change(here)).rejects.toThrow(StoreUnavailable);
    expect((await change(elsewhere)).kind).toBe('changed');
  } finally {
    cluster.replicas[0]?.resume();
  }
  await untilDone(() => change(here));
  expect((await stores.executions.load(here))?.execution.tasks).toHaveLength(1);
});

it('nothing that was acknowledged is lost or stored twice when replicas take over', async () => {
  const writer = new BusyWriter(stores.executions, [...onNode(0).slice(0, 5), ...onNode(1).slice(0, 5)]);
  await writer.untilAllChanged();
  await failOver(cluster, 0, 'planned');
  await writer.untilAllChanged();
  const old = await failOver(cluster, 1, 'killed');
  // Until it is back, as a replica, no change of this node counts.
  await old.restart();
  await writer.untilAllChanged();
  expect(await writer.stop()).toEqual([]);
});

it('slots move to another node while what lies in them changes, and nothing is lost, doubled or claimed twice', async () => {
  const [from, to] = [cluster.nodes[2], cluster.replicas[0]];
  if (!from || !to) throw new Error('the Cluster lacks a node');
  const moving = SHARDS.filter((shard) => nodeOfShard(shard) === 2).slice(0, 6);
  const inMoving = REFS.filter((ref) => moving.includes(shardOf(ref)));
  const [changing, quiet] = [inMoving.filter((_, i) => i % 2 === 0), inMoving.filter((_, i) => i % 2 === 1)];
  const writer = new BusyWriter(stores.executions, changing);
  await writer.untilAllChanged();
  const claims: (readonly string[])[] = [];
  const claim = async () => {
    const { refs } = await stores.queue.claim(1_000, { leaseMs: 30_000, aheadMs: 0 });
    claims.push(refs.filter((ref) => !changing.includes(ref)));
    // Each writer meets the half-moved slot.
    await pause(2 * CHANGE_PAUSE_MS);
  };
  // So each look starts at the first shard, and on this node at the one that moves first, whose key the script declares.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await reshard({ slots: moving.map(slotOf), from, to, onHalfMoved: claim });
  await writer.untilAllChanged();
  expect(await writer.stop()).toEqual([]);
  // What lies in the half of a slot that is not where it was is claimed with the rest, and nothing has to wait for it.
  expect(claims[0]).toEqual(expect.arrayContaining(quiet));
  expect(claims.flat().sort()).toEqual(REFS.filter((ref) => !changing.includes(ref)).sort());
  const moved = await stores.executions.load(changing[0] ?? '');
  expect(moved?.execution.tasks.length).toBeGreaterThan(1);
});
