import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { createCheckWritable } from '../../src/redis/check-writable.ts';
import { closeRedis } from '../../src/redis/connection.ts';
import { startSentinels, type TestSentinels } from '../support/redis-sentinel.ts';
import { openStores } from './do-everything.ts';
import { eventually, started } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function sentinelsWithStore({ minReplicas = 0 } = {}) {
  const group = await startSentinels();
  const stores = openStores(group.url, { minReplicas });
  endings.push(group.stop, () => closeRedis(stores.redis));
  const create = (ref: string) => stores.executions.create(ref, (now) => started(ref, now));
  await eventually(() =>
    create('first').then(
      () => true,
      () => false,
    ),
  );
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

it('a planned failover loses nothing that one of two replicas has confirmed', async () => {
  const { group, executions, create } = await sentinelsWithStore({ minReplicas: 1 });
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

it('a frozen sentinel keeps nobody from the new master', async () => {
  const { group, redis, create } = await sentinelsWithStore({ minReplicas: 1 });
  group.sentinels[0]?.pause();
  await group.servers[0].kill();
  await eventually(() =>
    create('after').then(
      () => true,
      () => false,
    ),
  );
  expect(await createCheckWritable(redis, { minReplicas: 1 })()).toBeNull();
});

it('a process that hears of too few sentinels may be on a server that was demoted: it says so, and acknowledges nothing that replicas must confirm', async () => {
  const { group, redis, create } = await sentinelsWithStore({ minReplicas: 1 });
  for (const sentinel of group.sentinels.slice(1)) sentinel.pause();
  const check = createCheckWritable(redis, { minReplicas: 0 });
  await eventually(async () => (await check()) === 'only 1 of 3 sentinels answer');
  await expect(create('meanwhile')).rejects.toThrow('only 1 of 3 sentinels answer');
  for (const sentinel of group.sentinels) sentinel.resume();
  await eventually(() =>
    create('after').then(
      () => true,
      () => false,
    ),
  );
  expect(await check()).toBeNull();
});
