import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RedisClient } from '../../src/redis/call.ts';
import { createCheckWritable } from '../../src/redis/check-writable.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { groupByNode } from '../../src/redis/per-node.ts';
import type { TestRedis } from '../support/redis.ts';
import { onNode, startRedisCluster, type TestCluster } from '../support/redis-cluster.ts';
import { eventually } from './store-under-test.ts';

const ALL_SLOTS = 16_384;

let cluster: TestCluster;
let redis: RedisClient;
let check: () => Promise<string | null>;
/** What the bot would log. */
const seen: string[] = [];

beforeAll(async () => {
  const settings = ['--cluster-node-timeout', '1500', '--cluster-require-full-coverage', 'no'];
  cluster = await startRedisCluster({ settings });
});
afterAll(() => cluster.stop());

beforeEach(async () => {
  for (const node of cluster.nodes) node.resume();
  redis = connect();
  check = createCheckWritable(redis, { minReplicas: 0 });
  await eventually(async () => redis.status === 'ready');
  await eventually(async () => (await check()) === null);
  seen.length = 0;
  return () => closeRedis(redis, 0);
});

const connect = () =>
  connectRedis(cluster.url, {
    onTrouble: () => {},
    nodes: {
      onAway: (node) => seen.push(`${node} away`),
      onBack: (node) => seen.push(`${node} back`),
    },
  });

const [one, two] = [() => nodeAt(0), () => nodeAt(1)];

function nodeAt(index: number): TestRedis & { name: string; shards: number } {
  const node = cluster.nodes[index];
  if (!node) throw new Error('There is no such node.');
  const name = `127.0.0.1:${node.port}`;
  const shards = groupByNode(redis).find((group) => group.node === name)?.shards.length ?? 0;
  return { ...node, name, shards };
}

/** A node that still hears of the one that had them may give them back to it. */
async function leaveUnserved([first, last]: [number, number]): Promise<void> {
  const hasLeft = (node: TestRedis) =>
    onNode(node, async (client) => {
      const served = z
        .array(z.tuple([z.number(), z.number()], z.unknown()))
        .parse(await client.call('CLUSTER', 'SLOTS'));
      if (!served.some(([from, to]) => from <= last && to >= first)) return true;
      await client.call('CLUSTER', 'DELSLOTSRANGE', first, last);
      return false;
    });
  await eventually(async () => (await Promise.all(cluster.nodes.map(hasLeft))).every((left) => left));
}

const needFullCoverage = (answer: 'yes' | 'no') =>
  Promise.all(
    cluster.nodes.map((node) =>
      onNode(node, (client) => client.config('SET', 'cluster-require-full-coverage', answer)),
    ),
  );

describe('a node of a Cluster', () => {
  // First: a node that is marked as failed keeps the mark for a while after it is back.
  it('that is killed leaves none writable where a Cluster needs full coverage', async () => {
    const { name, kill, restart } = one();
    await needFullCoverage('yes');
    await kill();
    expect(await check()).toContain(`${name} can't be written`);
    const ofOther = `${two().name} can't be written (${two().shards} of 64 shards): the Cluster doesn't serve them (CLUSTERDOWN)`;
    await expect.poll(check).toContain(ofOther);
    await restart();
    await needFullCoverage('no');
    await eventually(async () => (await check()) === null);
  });

  it('that hangs is named by the first check, and found again', async () => {
    const { name, shards, pause, resume } = one();
    pause();
    const found = await check();
    resume();
    expect(found).toBe(`${name} can't be written (${shards} of 64 shards): it doesn't answer`);
    await eventually(async () => (await check()) === null);
  });

  it('that is killed is named by the first check and reported once, and found again once it is restarted', async () => {
    const { name, shards, kill, restart } = one();
    await kill();
    const reason = `${name} can't be written (${shards} of 64 shards): there is no connection`;
    expect([await check(), await check(), await check()]).toEqual([reason, reason, reason]);
    expect(seen).toEqual([`${name} away`]);
    await restart();
    await eventually(async () => (await check()) === null);
    expect(seen).toEqual([`${name} away`, `${name} back`]);
  });

  it('whose memory is full is named with the reason, once', async () => {
    const { name, shards } = two();
    const limit = (bytes: string) => onNode(two(), (client) => client.config('SET', 'maxmemory', bytes));
    await limit('1');
    expect(await check()).toBe(`${name} can't be written (${shards} of 64 shards): its memory is full (OOM)`);
    await limit('0');
    expect(await check()).toBe(null);
  });
});

describe('slots that no node serves', () => {
  it('are counted, and named by the node that had them', async () => {
    const { name, shards } = two();
    const share = Math.ceil(ALL_SLOTS / 3);
    const range: [number, number] = [share, 2 * share - 1];
    await leaveUnserved(range);
    const fresh = connect();
    const freshCheck = createCheckWritable(fresh, { minReplicas: 0 });
    try {
      await expect.poll(freshCheck).toBe(`no node serves ${shards} of 64 shards`);
      const known = `${name} can't be written (${shards} of 64 shards): the Cluster doesn't serve them (CLUSTERDOWN)`;
      expect(await check()).toBe(known);
      await onNode(two(), (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', ...range));
      await eventually(async () => (await check()) === null && (await freshCheck()) === null);
    } finally {
      await closeRedis(fresh, 0);
    }
  });
});

it('a healthy node answers while another one hangs', async () => {
  const { pause, resume } = one();
  const [shard] = groupByNode(redis).find(({ node }) => node === two().name)?.shards ?? [];
  pause();
  const hanging = check();
  // The other one hangs until they are answered: one that waited for it would wait for ever.
  for (let i = 0; i < 200; i++) expect(await redis.set(`{${shard}}`, '')).toBe('OK');
  resume();
  await hanging;
});
