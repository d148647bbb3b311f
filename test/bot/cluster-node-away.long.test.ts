import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { startRedisCluster, type TestCluster } from '../support/redis-cluster.ts';
import { settlesWithin } from '../support/settles-within.ts';
import { startWorld, type World } from '../support/world.ts';

/** Leaves three of the ten seconds after which an operator's tools kill. */
const STOPPED_WITHIN_MS = 7_000;

let cluster: TestCluster;
let world: World;
beforeAll(async () => {
  cluster = await startRedisCluster();
  world = await startWorld({ env: { REDIS_URL: cluster.url } });
});
afterAll(async () => {
  await world.stop();
  await cluster.stop();
});

async function readiness(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  const { reasons } = (await answer.json()) as { reasons?: { redis?: string } };
  return { status: answer.status, reason: reasons?.redis };
}

const untilReady = (port: number) =>
  eventually(
    async () => ((await readiness(port)).status === 200 ? true : undefined),
    async () => `not ready: ${(await readiness(port)).reason}`,
  );

it('a bot is not ready from the first answer on while one node of three hangs, and stops in time all the same', async () => {
  const port = await freePort();
  const bot = await world.startBotProcess({ port });
  await untilReady(port);
  for (const node of cluster.nodes) {
    node.pause();
    const { status, reason } = await readiness(port);
    node.resume();
    expect([status, reason]).toEqual([
      503,
      expect.stringMatching(`^127.0.0.1:${node.port} can't be written \\([0-9]+ of 64 shards\\): it doesn't answer$`),
    ]);
    await untilReady(port);
  }
  const [node] = cluster.nodes;
  node?.pause();
  const stopping = bot.stop();
  const isInTime = await settlesWithin(STOPPED_WITHIN_MS, stopping);
  node?.resume();
  expect([isInTime, await stopping]).toEqual([true, 0]);
});
