// What docs/upgrade-and-backup.md says about moving to another Redis, step by step.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import { audit } from '../support/audit-program.ts';
import { type FollowedRun, followRun } from '../support/followed-run.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startSentinel, urlOf } from '../support/redis-sentinel.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const CREW = 'research';

/** It comes with the server that runs in tests, which may be one that was unpacked beside its libraries. */
async function cli(args: string[]): Promise<string> {
  const folder = dirname(await ensureRedisServer());
  const unpacked = join(folder, 'usr/bin/redis-cli');
  const program = existsSync(unpacked) ? unpacked : join(folder, 'redis-cli');
  const libraries = (await readFile(join(folder, 'redis-server')).catch(() => ''))
    .toString()
    .includes('LD_LIBRARY_PATH')
    ? (await readdir(join(folder, 'usr/lib'))).map((each) => join(folder, 'usr/lib', each)).join(':')
    : '';
  const env = { ...process.env, ...(libraries !== '' && { LD_LIBRARY_PATH: libraries }) };
  const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26 });
  return stdout;
}

const on = ({ port }: TestRedis, ...args: string[]) => cli(['-p', String(port), ...args]);

async function start(): Promise<{ world: World; old: TestRedis }> {
  // The one that the crew service has stays where it is.
  const old = await startRedis({ appendOnly: true });
  onTestFinished(() => old.stop());
  const world = await startWorld({ crews: [{ name: CREW }], env: { REDIS_URL: old.url } });
  onTestFinished(() => world.stop());
  return { world, old };
}

const run = (world: World, topic: string) => followRun(world, { crew: CREW, topic, by: 'maria', channel: '#releases' });

async function approve(world: World, { card, shows }: FollowedRun): Promise<void> {
  await world.slack.as('jon').click('Approve', { in: card });
  await shows('Sent to the crew.');
}

async function decisions(url: string): Promise<string> {
  const { code, out, errors } = await audit(['decisions', '--csv'], { REDIS_URL: url, APP_SECRET: TEST_SECRET });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return out;
}

it('One Redis becomes the master of sentinels while bots work, and can then be taken away', async () => {
  const { world, old } = await start();
  const port = await freePort();
  const bot = await world.startBot({ port });
  const [decided, open] = [await run(world, 'tea'), await run(world, 'coffee')];
  await approve(world, decided);
  const replica = await startRedis({ appendOnly: true, args: ['--repl-diskless-sync-delay', '0'] });
  onTestFinished(() => replica.stop());
  await on(replica, 'REPLICAOF', '127.0.0.1', String(old.port));
  await eventually(
    async () => ((await on(replica, 'INFO', 'replication')).includes('master_link_status:up') ? true : undefined),
    async () => on(replica, 'INFO', 'replication'),
  );
  const sentinels = await Promise.all([0, 1, 2].map(() => startSentinel(old, { downAfterMs: 2_000, quorum: 2 })));
  for (const sentinel of sentinels) onTestFinished(() => sentinel.stop());
  const [first] = sentinels;
  const quorum = async () => String(await first?.says('CKQUORUM').catch((error: unknown) => error));
  await eventually(async () => ((await quorum()).startsWith('OK 3 usable') ? true : undefined), quorum, 20_000);
  const url = urlOf(sentinels);
  const next = await world.startBot({ env: { REDIS_URL: url, REDIS_MIN_REPLICAS: '1' } });
  await bot.stop();
  await next.stop();
  await world.startBot({ port, env: { REDIS_URL: url, REDIS_MIN_REPLICAS: '1' } });
  await approve(world, open);
  const before = await decisions(url);
  await eventually(
    async () => ((await first?.says('REPLICAS'))?.includes('master-link-status,ok') ? true : undefined),
    async () => `${await first?.says('REPLICAS')}`,
    20_000,
  );
  await first?.says('FAILOVER');
  await eventually(
    async () => ((await first?.says('GET-MASTER-ADDR-BY-NAME'))?.includes(String(replica.port)) ? true : undefined),
    async () => `${await first?.says('GET-MASTER-ADDR-BY-NAME')}`,
    20_000,
  );
  // Until the old server follows the new one, what is written isn't acknowledged.
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  const isFollowed = async () => (await on(replica, 'INFO', 'replication')).includes('connected_slaves:1');
  await eventually(
    async () => ((await isFollowed()) && (await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined),
    async () => JSON.stringify(await readiness()),
    30_000,
  );
  await approve(world, await run(world, 'milk'));
  const after = await decisions(url);
  expect(after.startsWith(before)).toBe(true);
  expect(after.trim().split('\r\n')).toHaveLength(4);
});

it('What one Redis has moves to a Cluster while bots are stopped, and they go on there', async () => {
  const { world, old } = await start();
  const port = await freePort();
  const bot = await world.startBot({ port });
  const [decided, open] = [await run(world, 'tea'), await run(world, 'coffee')];
  await approve(world, decided);
  await bot.stop();
  const before = await decisions(old.url);
  const cluster = await startRedisCluster();
  onTestFinished(() => cluster.stop());
  const [node] = cluster.nodes;
  const [from, to] = [`127.0.0.1:${old.port}`, `127.0.0.1:${node?.port}`];
  const keys = Number(await on(old, 'DBSIZE'));
  expect(await cli(['--cluster', 'import', to, '--cluster-from', from, '--cluster-copy'])).not.toContain('ERR');
  const sizes = await Promise.all(cluster.nodes.map((each) => on(each, 'DBSIZE')));
  const moved = sizes.reduce((sum, each) => sum + Number(each), 0);
  expect(moved).toBe(Number(await on(old, 'DBSIZE')));
  expect(moved).toBeGreaterThan(10);
  expect(moved).toBeLessThanOrEqual(keys);
  expect(await decisions(cluster.url)).toBe(before);
  await world.startBot({ port, env: { REDIS_URL: cluster.url } });
  await approve(world, open);
  await approve(world, await run(world, 'milk'));
  const after = await decisions(cluster.url);
  expect(after.startsWith(before)).toBe(true);
  expect(after.trim().split('\r\n')).toHaveLength(4);
});
