import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { Subscription } from '../../src/redis/subscription.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { clientOf, onNode, startRedisCluster, type TestCluster } from '../support/redis-cluster.ts';
import { eventually } from './store-under-test.ts';

const CHANNEL = 'signoff:test';

let cluster: TestCluster;
let single: TestRedis;
beforeAll(async () => {
  cluster = await startRedisCluster({ settings: ['--cluster-require-full-coverage', 'no'] });
  single = await startRedis();
});
afterAll(() => Promise.all([cluster.stop(), single.stop()]));

async function listen(url: string) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  await eventually(async () => redis.status === 'ready');
  await redis.ping();
  const heard: string[] = [];
  const onMessage = (message: string) => void heard.push(message);
  const subscription = new Subscription(redis, { channel: CHANNEL, silentMs: 500, onMessage });
  subscription.start();
  onTestFinished(async () => {
    subscription.close();
    await closeRedis(redis, 0);
  });
  return heard;
}

/** Publishes from one server until the last message is heard. */
async function untilHeard(heard: string[], from: TestRedis, message: string): Promise<void> {
  const client = clientOf(from);
  onTestFinished(() => client.disconnect());
  await eventually(async () => {
    await client.publish(CHANNEL, message).catch(() => {});
    return heard.includes(message);
  });
}

async function subscribersOf(server: TestRedis): Promise<number> {
  const [, count] = (await onNode(server, (client) => client.pubsub('NUMSUB', CHANNEL))) as [string, number];
  return Number(count);
}

async function carrier(): Promise<{ node: TestRedis; other: TestRedis }> {
  const counts = await Promise.all(cluster.nodes.map(subscribersOf));
  const [node, other] = [cluster.nodes[counts.indexOf(1)], cluster.nodes[counts.indexOf(0)]];
  if (!node || !other) throw new Error(`There are ${counts} subscribers.`);
  return { node, other };
}

it.each([
  ['hangs', async (node: TestRedis) => node.pause(), async (node: TestRedis) => node.resume()],
  ['is killed', (node: TestRedis) => node.kill(), (node: TestRedis) => node.restart()],
])('in a Cluster, another node is heard while the one that was heard %s', async (_what, harm, mend) => {
  const heard = await listen(cluster.url);
  const [anyNode] = cluster.nodes;
  if (!anyNode) throw new Error('There are no nodes.');
  await untilHeard(heard, anyNode, 'before');
  const { node, other } = await carrier();
  await harm(node);
  await untilHeard(heard, other, 'meanwhile');
  await mend(node);
  await untilHeard(heard, node, 'afterwards');
});

it('one server is heard again after it hung, and after it was killed', async () => {
  const heard = await listen(single.url);
  await untilHeard(heard, single, 'before');
  single.pause();
  await pause(1_000);
  single.resume();
  await untilHeard(heard, single, 'after a pause');
  await single.kill();
  await single.restart();
  await untilHeard(heard, single, 'after its end');
  // A server notices a moment later that a connection to it has ended.
  await eventually(async () => (await subscribersOf(single)) === 1);
});

it('a user who may not subscribe is not tried again and again', async () => {
  const client = clientOf(single);
  onTestFinished(() => client.disconnect());
  await client.call('ACL', 'SETUSER', 'quiet', 'on', '>hush', '~*', '+@all', 'resetchannels');
  const connected = async () =>
    Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1] ?? Number.NaN);
  await listen(`redis://quiet:hush@127.0.0.1:${single.port}`);
  await eventually(async () => String(await client.call('ACL', 'LOG')).includes(CHANNEL));
  const before = await connected();
  await pause(1_500);
  expect(await connected()).toBe(before);
});
