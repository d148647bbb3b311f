import { expect, it } from 'vitest';
import { closeRedis, connectRedis, pingRedis } from '../../../src/redis/connection/connect.ts';
import { startRedis } from '../../support/redis.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { settlesWithin } from '../../support/settles-within.ts';
import { eventually } from '../store-under-test.ts';

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
    await eventually(() =>
      pingRedis(redis).then(
        () => true,
        () => false,
      ),
    );
  } finally {
    clearInterval(asking);
    await closeRedis(redis, 0);
    await stop();
  }
});
