import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRedis } from '../../../src/tools/doctor/check-redis.ts';
import { checkSentinels } from '../../../src/tools/doctor/check-sentinels.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';
import { startRedis } from '../../support/redis.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { startSentinel, type TestSentinel, urlOf } from '../../support/redis-sentinel.ts';
import { startSentinels, type TestSentinels } from '../../support/redis-sentinels.ts';

let world: TestSentinels;
beforeAll(async () => {
  world = await startSentinels({ downAfterMs: 5_000 });
});
afterAll(() => world.stop());

const linesOf = async (sentinels: readonly TestSentinel[]) => (await checkSentinels(urlOf(sentinels))).map(findingLine);

const NUMBER = 0;
const QUORUM = 1;
const PATIENCE = 2;

/** Sets something in each sentinel; resolves to what the doctor says then. */
async function linesWith(name: string, value: number, usual: number): Promise<string[]> {
  const clients = world.sentinels.map(({ url }) => new Redis(Number(new URL(url).port)));
  const set = (to: number) => Promise.all(clients.map((client) => client.call('SENTINEL', 'SET', 'crew-db', name, to)));
  try {
    await set(value);
    return await linesOf(world.sentinels);
  } finally {
    await set(usual);
    for (const client of clients) client.disconnect();
  }
}

it('Three sentinels of which a majority begins a failover are fine, as is one of two replicas that confirms', async () => {
  const findings = await checkRedis({ url: world.url, minReplicas: 1 });
  expect(findings.filter(({ mark }) => mark !== 'fine')).toEqual([]);
  expect(findings.map(findingLine)).toEqual(
    expect.arrayContaining([
      '✓ Redis replicas: 2 connected, and what is acknowledged waits for 1 of them, so one may be missing.',
      '✓ Sentinels: all 3 answer, and REDIS_URL names them.',
      '✓ Sentinel quorum: 2 of 3.',
      '✓ Sentinel down-after-milliseconds: 5000.',
    ]),
  );
});

it.each([
  ['quorum', 1, 2, QUORUM, '! Sentinel quorum: 1 of 3: fewer than a majority begin a failover. Set it to 2.'],
  ['quorum', 3, 2, QUORUM, '! Sentinel quorum: 3 of 3: with 1 away, there is no failover. Set it to 2.'],
  ['quorum', 4, 2, QUORUM, '✗ Sentinel quorum: 4, but there are only 3 sentinels: there is no failover. Set it to 2.'],
  [
    'down-after-milliseconds',
    500,
    5_000,
    PATIENCE,
    '! Sentinel down-after-milliseconds: 500: a busy machine is taken for a failure, and a bot that is cut off may not notice before a failover. Set 2000.',
  ],
])('What sentinels are told may be unwise: %s %i', async (name, value, usual, index, line) => {
  expect((await linesWith(name, value, usual))[index]).toBe(line);
});

it('Sentinels that REDIS_URL does not name are named', async () => {
  const [first, second, third] = world.sentinels;
  if (!first || !second || !third) throw new Error('There are three.');
  const line = (await linesOf([first, second]))[NUMBER];
  expect(line).toContain(`! Sentinels: REDIS_URL doesn't name 127.0.0.1:${new URL(third.url).port}:`);
});

it('Sentinels that do not answer are counted, and a majority of them is wrong', async () => {
  const [, second, third] = world.sentinels;
  third?.pause();
  const one = (await linesOf(world.sentinels))[NUMBER];
  second?.pause();
  const two = (await linesOf(world.sentinels))[NUMBER];
  second?.resume();
  third?.resume();
  expect(one).toContain('! Sentinels: 2 of the 3 in REDIS_URL answer.');
  expect(two).toContain('✗ Sentinels: 1 of 3 answer, which is no majority:');
});

it('One sentinel is too few, and none that answers is wrong', async () => {
  const master = await startRedis();
  const only = await startSentinel(master);
  await expect.poll(async () => (await linesOf([only]))[NUMBER]).toContain('! Sentinels: only one:');
  await only.stop();
  const gone = await linesOf([only]);
  await master.stop();
  expect(gone).toEqual(['✗ Sentinels: none of those in REDIS_URL answers. Start them, or check their addresses.']);
});

it('A Cluster with a replica each is fine where that confirms, and says what a missing one does', async () => {
  const cluster = await startRedisCluster({ replicas: 'one each' });
  const line = async (minReplicas: number) =>
    (await checkRedis({ url: cluster.url, minReplicas }))
      .map(findingLine)
      .filter((each) => each.includes(' replicas: '));
  expect(await line(1)).toEqual([expect.stringContaining('✓ Redis replicas: 1 connected')]);
  expect(await line(0)).toEqual([expect.stringContaining('! Redis replicas: 1 connected, and nothing waits for them')]);
  await cluster.stop();
});
