import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createCheckWritable } from '../../src/redis/check-writable.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { SLOW_TO_LOAD, startRedis } from '../support/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { settlesWithin } from '../support/settles-within.ts';
import { eventually, untilDone } from './store-under-test.ts';

/** By then, the pauses between attempts have grown as long as they ever get. */
const MANY = 7;
/** Leaves half of the three seconds in which the bot is to be back. */
const NEXT_MS = 1_500;

const SERVERS = {
  'one server': async () => {
    const server = await startRedis();
    return { url: server.url, nodes: [server], stop: server.stop };
  },
  'one server on a socket': async () => {
    const server = await startRedis();
    return { url: `unix://${server.socketPath}`, nodes: [server], stop: server.stop };
  },
  'a Cluster': () => startRedisCluster(),
};

it.concurrent.each(Object.entries(SERVERS))('%s that was away for long is found soon', async (_name, start) => {
  const { url, nodes, stop } = await start();
  let attempts = 0;
  const redis = connectRedis(url, {
    onTrouble: () => {
      attempts += 1;
    },
  });
  // The client of a Cluster finds out by its commands that all nodes are gone.
  const asking = setInterval(() => void redis.ping().catch(() => {}), 50);
  try {
    await eventually(async () => redis.status === 'ready');
    await Promise.all(nodes.map((node) => node.kill()));
    await eventually(async () => attempts >= MANY);
    const next = attempts + 1;
    expect(
      await settlesWithin(
        NEXT_MS,
        eventually(async () => attempts >= next),
      ),
    ).toBe(true);
    await Promise.all(nodes.map((node) => node.restart()));
    await untilDone(() => pingRedis(redis));
  } finally {
    clearInterval(asking);
    await closeRedis(redis, 0);
    await stop();
  }
});

/** Long enough to tell its guess from the truth. */
const LOADING_S = 5;

it.concurrent('a server that loads its data in less time than it said is found soon', async () => {
  const server = await startRedis({ args: SLOW_TO_LOAD });
  const redis = connectRedis(server.url, { onTrouble: () => {} });
  const operator = new Redis(server.port, { enableReadyCheck: false, maxRetriesPerRequest: null });
  operator.on('error', () => {});
  try {
    await operator.call('DEBUG', 'POPULATE', '1000', 'key', '100');
    await operator.save();
    await eventually(async () => redis.status === 'ready');
    const loaded = server.restart();
    const isSlow = async () =>
      Number(/loading_eta_seconds:(\d+)/.exec(await operator.info('persistence'))?.[1]) >= LOADING_S;
    await eventually(isSlow);
    // The first estimate is a second. By then, the client has heard another one.
    await pause(1_500);
    const check = createCheckWritable(redis, { minReplicas: 0 });
    expect(await check()).toBe("it isn't ready yet, and may be loading its data");
    await operator.config('SET', 'key-load-delay', '0');
    await loaded;
    expect(
      await settlesWithin(
        NEXT_MS,
        eventually(async () => (await check()) === null),
      ),
    ).toBe(true);
  } finally {
    operator.disconnect();
    await closeRedis(redis, 0);
    await server.stop();
  }
});
