import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { eventually } from '../redis/store-under-test.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, type World } from '../support/world.ts';

// Who can do anything in Redis, beside a bot that runs.

const TREE = 'signoff:{00}:ledger-tree';
const TURN = 'signoff:{00}:ledger-turn';

let world: World;
let redis: Redis;
let port: number;

beforeAll(async () => {
  world = await startWorld({ fixtures: 3, env: { AUDIT_CHANNEL: 'general' } });
  redis = new Redis({ path: world.redis.socketPath });
  port = await freePort();
  await world.startBot({ port, sealEveryMs: 100 });
});
afterAll(async () => {
  await redis.quit();
  await world.stop();
});

const sealedSize = async () => Number(await redis.hget(TREE, 'size'));
const stopped = async () => (await scrape(port)).get('signoff_ledger_stopped') === 1;

it('who puts back yesterday’s ledger, with all runs, has today’s decisions sealed in place of what was decided since', async () => {
  const [first, second, third] = [await world.fixture(), await world.fixture(), await world.fixture()];
  await first.start();
  await first.approve(await first.linkedCard());
  await first.run('is completed', ({ status }) => status === 'completed');
  await eventually(async () => (await sealedSize()) > 4);
  const keys = (await redis.keys('signoff:*')).filter((key) => key !== TURN);
  const yesterday = await Promise.all(keys.map(async (key) => ({ key, value: await redis.dumpBuffer(key) })));
  const size = await sealedSize();
  await second.start();
  await second.approve(await second.linkedCard());
  await eventually(async () => (await sealedSize()) > size);

  await redis.del(await redis.keys('signoff:*'));
  for (const { key, value } of yesterday) if (value) await redis.restore(key, 0, value, 'REPLACE');
  const putBack = await sealedSize();
  await third.start();
  await third.linkedCard();
  await eventually(async () => (await sealedSize()) > putBack || (await stopped()));
  expect(await sealedSize()).toBe(putBack);
  await world.slack.as('maria').sees('#general', 'The ledger is no longer sealed.');
});
