import { shardOf } from '../../src/redis/keys.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { masterOf, slotOf, startRedisCluster } from '../support/redis-cluster.ts';
import { RedisClock } from './redis-clock.ts';
import { type RedisProxy, startRedisProxy } from './redis-proxy.ts';
import { SeenScripts } from './seen-scripts.ts';

/** What only the bots use, so that it can fail while the crew service has a Redis of its own. */
export interface RedisOfBots {
  /** What `REDIS_URL` is set to. */
  url: string;
  /** What stands before each node, as far as anything does. */
  proxies: readonly RedisProxy[];
  clock: RedisClock;
  /** The node that has an execution, and what stands before it. */
  placeOf(ref: string): { node: TestRedis; proxy: RedisProxy };
  stop(): Promise<void>;
}

/** Starts one server, or a Cluster of three; clients reach each node by its proxy only. */
export async function startRedisOfBots(kind: 'one server' | 'a Cluster'): Promise<RedisOfBots> {
  const [clock, scripts] = [new RedisClock(), new SeenScripts()];
  const proxies: RedisProxy[] = [];
  const announcedPort = async (port: number) => {
    const proxy = await startRedisProxy({ port, clock, scripts });
    proxies.push(proxy);
    return proxy.port;
  };
  const cluster = kind === 'a Cluster' ? await startRedisCluster({ announcedPort }) : null;
  const nodes = cluster?.nodes ?? [await startRedis({ appendOnly: true })];
  if (!cluster) for (const { port } of nodes) await announcedPort(port);
  return {
    url: `redis://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    proxies,
    clock,
    placeOf(ref) {
      const index = masterOf(slotOf(shardOf(ref)), nodes.length);
      const [node, proxy] = [nodes[index], proxies[index]];
      if (!node || !proxy) throw new Error(`no node has ${ref}`);
      return { node, proxy };
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
