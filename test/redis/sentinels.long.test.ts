import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { createCheckWritable } from '../../src/redis/check-writable.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { sentinelsOf } from '../../src/redis/sentinels.ts';
import { onNode } from '../support/redis-cluster.ts';
import { startSentinel, type TestSentinelOptions } from '../support/redis-sentinel.ts';
import { startSentinels, type TestSentinels } from '../support/redis-sentinels.ts';
import { openStores } from './do-everything.ts';
import { eventually, started, untilDone } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function sentinelsWithStore(options?: TestSentinelOptions) {
  const group = await startSentinels(options);
  const stores = openStores(group.url, { minReplicas: 1 });
  endings.push(group.stop, () => closeRedis(stores.redis));
  const create = (ref: string) => stores.executions.create(ref, (now) => started(ref, now));
  await untilDone(() => create('first'));
  return { group, ...stores, create };
}

/** Creates runs for as long as asked; resolves to those that were acknowledged, when all have been answered. */
function createMany(create: (ref: string) => Promise<unknown>) {
  const acknowledged: string[] = [];
  let isOver = false;
  const createInTurn = async (name: string) => {
    for (let i = 0; !isOver; i++) {
      const ref = `${name}-${i}`;
      await create(ref).then(
        () => acknowledged.push(ref),
        async (error) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          await pause(10);
        },
      );
    }
  };
  const all = Promise.all(Array.from({ length: 8 }, (_, i) => createInTurn(`run-${i}`)));
  return {
    acknowledged,
    end: async () => {
      isOver = true;
      await all;
      return acknowledged;
    },
  };
}

const isMaster = async ({ says }: TestSentinels['sentinels'][number], port: number) =>
  (await says('GET-MASTER-ADDR-BY-NAME')).endsWith(`,${port}`);

it.concurrent('a planned failover loses nothing that one of two replicas has confirmed', async () => {
  const { group, executions, create } = await sentinelsWithStore();
  const [sentinel] = group.sentinels;
  const [master] = group.servers;
  const creating = createMany(create);
  await eventually(async () => creating.acknowledged.length > 50);
  await sentinel?.says('FAILOVER');
  await eventually(async () => sentinel !== undefined && !(await isMaster(sentinel, master.port)));
  const before = creating.acknowledged.length;
  await eventually(async () => creating.acknowledged.length > before + 50);
  const acknowledged = await creating.end();
  const lost = [];
  for (const ref of acknowledged) if (!(await executions.load(ref))) lost.push(ref);
  expect(lost).toEqual([]);
});

it.concurrent('a frozen sentinel keeps nobody from the new master', async () => {
  const { group, redis, create } = await sentinelsWithStore();
  group.sentinels[0]?.pause();
  await group.servers[0].kill();
  await untilDone(() => create('after'));
  expect(await createCheckWritable(redis, { minReplicas: 1 })()).toBeNull();
});

it.concurrent('a process that hears of too few sentinels may be on a server that was demoted: it says so, and acknowledges nothing that replicas must confirm', async () => {
  const { group, redis, create } = await sentinelsWithStore();
  for (const sentinel of group.sentinels.slice(1)) sentinel.pause();
  const check = createCheckWritable(redis, { minReplicas: 0 });
  await eventually(async () => (await check()) === 'only 1 of 3 sentinels answer');
  await expect(create('meanwhile')).rejects.toThrow('only 1 of 3 sentinels answer');
  for (const sentinel of group.sentinels) sentinel.resume();
  await untilDone(() => create('after'));
  expect(await check()).toBeNull();
});

it.concurrent('a failover that is announced, and never carried out, is over after its timeout', async () => {
  const { group, executions, redis, create } = await sentinelsWithStore({
    // Longer than a change is tried for, even where the machine is busy.
    failoverTimeoutMs: 9_000,
    downAfterMs: 20_000,
  });
  const [, chosen, other] = group.servers;
  const [sentinel] = group.sentinels;
  if (!chosen || !other || !sentinel) throw new Error('there are two replicas');
  await onNode(chosen, (client) => client.config('SET', 'replica-priority', '1'));
  await eventually(async () => (await sentinel.says('REPLICAS')).includes('slave-priority,1,'));
  chosen.pause();
  endings.push(chosen.resume);
  await sentinel.says('FAILOVER');
  // It may answer before it announces anything.
  await eventually(async () => sentinelsOf(redis)?.isFailingOver() === true);
  // It would take a majority to carry on without the one that has announced it.
  sentinel.pause();
  endings.push(sentinel.resume);
  const refused = (error: Error) => error.message === 'A failover of Redis is under way.';
  await eventually(() => create('meanwhile').then(() => false, refused));
  await untilDone(() => create('after'));
  expect(await executions.load('after')).not.toBeNull();
  expect(await createCheckWritable(redis, { minReplicas: 1 })()).toBeNull();
});

it.concurrent('a sentinel that takes the place of one that is gone is followed', async () => {
  const { group, redis, create } = await sentinelsWithStore();
  const [first] = group.sentinels;
  await first?.kill();
  const another = await startSentinel(group.servers[0], { downAfterMs: 1_000, quorum: 2 });
  endings.push(another.stop);
  await eventually(async () => (await another.says('MASTER')).includes('num-other-sentinels,2'));
  await eventually(async () => (await group.sentinels[1]?.says('MASTER'))?.includes('num-other-sentinels,3') === true);
  await eventually(async () => sentinelsOf(redis)?.reasons().includes('only 3 of 4 sentinels answer') === true);
  expect(await createCheckWritable(redis, { minReplicas: 1 })()).toBeNull();
  await create('after');
}, 90_000);

it.concurrent('sentinels behind one address are heard one by one', async () => {
  const group = await startSentinels();
  let turn = 0;
  const ports = group.sentinels.map(({ url }) => Number(new URL(url).port));
  const balancer = createServer((client) => {
    const server = createConnection(ports[turn % 2] ?? 0, '127.0.0.1');
    turn += 1;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const)
      from
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to);
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  const { port } = balancer.address() as AddressInfo;
  const stores = openStores(`redis+sentinel://127.0.0.1:${port}/crew-db`, { minReplicas: 1 });
  endings.push(
    group.stop,
    () => balancer.close(),
    () => closeRedis(stores.redis),
  );
  const sentinels = sentinelsOf(stores.redis);
  // One connection asks, and another one hears what is announced.
  await eventually(async () => turn > 2 && sentinels?.trouble() === null);
  await eventually(async () => !sentinels?.reasons().includes(';'));
}, 90_000);

it.concurrent('a connection that is closed while its master is gone leaves the sentinels', async () => {
  const sentinel = await startSentinel({ address: '127.0.0.1', port: 1 });
  endings.push(sentinel.stop);
  const redis = connectRedis(sentinel.url, { onTrouble: () => {} });
  const sentinels = sentinelsOf(redis);
  await eventually(async () => redis.status === 'reconnecting' && sentinels?.trouble() === null);
  await closeRedis(redis);
  await eventually(async () => sentinels?.trouble() === 'only 0 of 1 sentinels answer');
}, 90_000);
