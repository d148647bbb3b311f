import { setImmediate as immediate } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { createCheckWritable } from '../../src/redis/check-writable.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { SHARDS, writableKey } from '../../src/redis/keys.ts';
import { SLOW_TO_LOAD, startRedis } from '../support/redis.ts';
import { eventually } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function startServer(args: string[] = []) {
  const server = await startRedis({ args: [...args, ...SLOW_TO_LOAD, '--enable-protected-configs', 'yes'] });
  const client = new Redis(server.port, { maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  endings.push(server.stop, () => client.disconnect());
  return { ...server, client };
}

function checkOn(url: string, minReplicas = 0) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  endings.push(() => closeRedis(redis, 0));
  return createCheckWritable(redis, { minReplicas });
}

type Server = Awaited<ReturnType<typeof startServer>>;
type Check = ReturnType<typeof checkOn>;

const untilFine = (check: Check) => eventually(async () => (await check()) === null);

it.each<[string, (server: Server) => unknown, RegExp]>([
  ['that was killed', ({ kill }) => kill(), /^there is no connection$/],
  ['that hangs', ({ pause }) => pause(), /^it doesn't answer$/],
  ['whose memory is full', ({ client }) => client.config('SET', 'maxmemory', '1'), /^its memory is full \(OOM\)$/],
  [
    'that has become a replica',
    ({ client }) => client.replicaof('127.0.0.1', 1),
    /^it is a read-only replica \(READONLY\)$/,
  ],
  [
    'that misses its replicas',
    ({ client }) => client.config('SET', 'min-replicas-to-write', '1'),
    /^it has too few replicas \(NOREPLICAS\)$/,
  ],
  [
    "that can't save",
    async ({ client }) => {
      await client.config('SET', 'save', '3600 1');
      await client.config('SET', 'dir', '/proc/self');
      await client.bgsave();
      const hasFailed = async () => (await client.info('persistence')).includes('rdb_last_bgsave_status:err');
      await eventually(hasFailed);
    },
    /^it can't save to its disk \(MISCONF\)$/,
  ],
  [
    'that loads its data',
    async ({ client, port }) => {
      await client.call('DEBUG', 'POPULATE', '1000', 'key', '100');
      client.call('DEBUG', 'RELOAD').catch(() => {});
      const operator = new Redis(port, { enableReadyCheck: false });
      await eventually(async () => (await operator.info('persistence')).includes('loading:1'));
      operator.disconnect();
    },
    /^it is still loading its data \(LOADING\)$/,
  ],
])('the first check finds a server %s', async (_name, harm, reason) => {
  const server = await startServer();
  const check = checkOn(server.url);
  await untilFine(check);
  await harm(server);
  const found = await check();
  server.resume();
  expect(found).toMatch(reason);
});

it('says so where a server refuses the user', async () => {
  const server = await startServer();
  await server.client.call('ACL', 'SETUSER', 'reader', 'on', '>hush', '~*', '+@all', '-@write');
  const check = checkOn(`redis://reader:hush@127.0.0.1:${server.port}`);
  await expect.poll(check).toBe("its user isn't allowed to (NOPERM)");
});

it('needs as many replicas as a click does, and finds those that are back', async () => {
  const primary = await startServer(['--repl-diskless-sync-delay', '0']);
  const replica = await startServer(['--replicaof', '127.0.0.1', `${primary.port}`]);
  const check = checkOn(primary.url, 1);
  await untilFine(check);
  replica.pause();
  const found = await check();
  replica.resume();
  expect(found).toBe('only 0 of 1 replicas have what is written');
  await untilFine(check);
  expect(await checkOn(primary.url, 2)()).toBe('only 1 of 2 replicas have what is written');
});

it('is one for all who ask at the same time, and another one for those who ask after it has begun', async () => {
  const server = await startServer();
  const check = checkOn(server.url);
  await untilFine(check);
  const written = async () => Number(/cmdstat_set:calls=(\d+)/.exec(await server.client.info('commandstats'))?.[1]);
  const before = await written();
  expect(await Promise.all(Array.from({ length: 20 }, check))).toEqual(Array(20).fill(null));
  expect((await written()) - before).toBe(1);
  const first = check();
  await immediate();
  const others = [check(), check()];
  expect(await Promise.all([first, ...others])).toEqual([null, null, null]);
  expect((await written()) - before).toBe(3);
});

it('leaves nothing that stays', async () => {
  const server = await startServer();
  await untilFine(checkOn(server.url));
  const keys = await server.client.keys('*');
  expect(SHARDS.map(writableKey)).toEqual(expect.arrayContaining(keys));
  for (const key of keys) expect(await server.client.pttl(key)).toBeGreaterThan(0);
});
