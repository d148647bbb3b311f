import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { recordTask } from '../../src/core/execution/run.ts';
import { ok } from '../../src/core/values/result.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { programPath } from '../support/program-path.ts';
import { startRedis } from '../support/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startSentinel } from '../support/redis-sentinel.ts';
import { TEST_AUTHORITY } from '../support/tls/certificates.ts';
import { createAll, doEverything, openStores, REFS, task } from './do-everything.ts';
import { eventually, started, untilDone } from './store-under-test.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
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
  const cluster = await startRedisCluster({ masters: 2, settings: ['--cluster-require-full-coverage', 'no'] });
  endings.push(cluster.stop);
  return cluster;
}

const replicaOf = (port: number) => ['--replicaof', '127.0.0.1', `${port}`, '--repl-diskless-sync-delay', '0'];

/** The same, until the test ends. */
function storesOn(url: string, minReplicas = 0) {
  const stores = openStores(url, { minReplicas });
  endings.push(() => closeRedis(stores.redis));
  return stores;
}

it.concurrent('everything works on a Redis Cluster', async () => {
  await doEverything(storesOn((await startCluster()).url));
});

it.concurrent('a Cluster node that hangs does not block what lies on the others', async () => {
  const { url, nodes } = await startCluster();
  const stores = storesOn(url);
  const { executions, queue } = stores;
  await createAll(stores);
  nodes[1]?.pause();
  endings.push(() => nodes[1]?.resume());
  const { refs } = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  expect(refs.length).toBeGreaterThan(20);
  expect(refs.length).toBeLessThan(80);
  const [ref = ''] = refs;
  expect((await executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)))).kind).toBe('changed');
});

it.concurrent('a Cluster goes on with what it has while a node is away, and with the rest once that is back', async () => {
  const { url, nodes } = await startCluster();
  const stores = storesOn(url);
  const { executions, queue } = stores;
  await createAll(stores);
  await nodes[1]?.kill();
  const recordTasks = (refs: readonly string[]) =>
    Promise.allSettled(
      refs.map((ref) => executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)))),
    );
  const outcomes = await recordTasks(REFS);
  const changed = REFS.filter((_, i) => outcomes[i]?.status === 'fulfilled');
  const away = REFS.filter((ref) => !changed.includes(ref));
  const { refs } = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  expect(refs.filter((ref) => away.includes(ref))).toEqual([]);
  expect(changed.length).toBeGreaterThan(20);
  expect(away.length).toBeGreaterThan(20);

  await nodes[1]?.restart();
  await eventually(async () => (await recordTasks(away)).every(({ status }) => status === 'fulfilled'));
  const runs = await Promise.all(REFS.map((ref) => executions.load(ref)));
  expect(runs.map((run) => run?.execution.tasks.length)).toEqual(REFS.map(() => 1));
  const rest = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  expect([...refs, ...rest.refs].sort()).toEqual([...REFS].sort());
});

it.concurrent('everything works over a unix socket', async () => {
  const { server } = await redisServer();
  await doEverything(storesOn(`unix://${server.socketPath}`));
});

it.concurrent.each(['one server', 'a Cluster'])(
  'everything works on %s that takes encrypted connections only',
  async (kind) => {
    const server = await (kind === 'a Cluster' ? startRedisCluster : startRedis)({ encryption: 'tls' });
    endings.push(server.stop);
    const program = [programPath('do-everything-once'), server.url];
    const env = { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY };
    const used = await promisify(execFile)(process.execPath, program, { env });
    expect(used.stdout).toContain('Everything works.');
  },
);

it.concurrent('a server whose certificate is of nobody that the operator trusts gets nothing', async () => {
  const server = await startRedis({ encryption: 'tls' });
  const reasons = new Set<string>();
  const redis = connectRedis(server.url, { onTrouble: (reason) => reasons.add(reason) });
  endings.push(server.stop, () => closeRedis(redis));
  await expect(pingRedis(redis)).rejects.toThrow('There is no connection to Redis.');
  await eventually(async () => reasons.size > 0);
  expect([...reasons]).toEqual(['self-signed certificate in certificate chain']);
});

it.concurrent('a change counts once it is on the required number of replicas', async () => {
  const primary = await redisServer();
  const replica = await redisServer({ args: replicaOf(primary.server.port) });
  await eventually(async () => {
    await primary.client.set('are you there', 'yes');
    return (await primary.client.wait(1, 100)) === 1;
  });
  await storesOn(primary.server.url, 1).executions.create('r1', (now) => started('r1', now));
  expect((await storesOn(replica.server.url).executions.load('r1'))?.execution.ref).toBe('r1');
});

it.concurrent('everything works behind Sentinels, and goes on after a failover', async () => {
  const master = await redisServer();
  await redisServer({ args: replicaOf(master.server.port) });
  const sentinel = await startSentinel(master.server);
  endings.push(sentinel.stop);
  await eventually(async () => (await sentinel.says('REPLICAS')).includes('master-link-status,ok'));
  const stores = storesOn(sentinel.url);
  await doEverything(stores);

  await stores.executions.create('r1', (now) => started('r1', now));
  await sentinel.says('FAILOVER');
  const isNew = async () => !(await sentinel.says('GET-MASTER-ADDR-BY-NAME')).includes(`${master.server.port}`);
  await eventually(isNew);
  await untilDone(() =>
    pingRedis(stores.redis).then(() =>
      stores.executions.change('r1', (execution, now) => ok(recordTask(execution, task, now))),
    ),
  );
  expect((await stores.executions.load('r1'))?.execution.tasks).toHaveLength(1);
});
