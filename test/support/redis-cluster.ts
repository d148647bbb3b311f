import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { reservePort } from '../../src/setup/free-port.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** A Redis Cluster of a test, all nodes on this machine. */
export interface TestCluster {
  /** What goes into `REDIS_URL`. */
  url: string;
  nodes: TestRedis[];
  stop(): Promise<void>;
}

const SLOTS = Array.from({ length: 16_384 }, (_, slot) => slot);
const SETTINGS = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'];

/**
 * Starts masters that share the slots evenly, without replicas; resolves when all of them agree.
 * @param settings more of them for each node, as on redis-server's command line
 */
export async function startRedisCluster(size = 3, settings: readonly string[] = []): Promise<TestCluster> {
  const nodes: TestRedis[] = [];
  const args = [...SETTINGS, ...settings];
  for (let i = 0; i < size; i++) nodes.push(await startRedis({ port: await clusterPort(), appendOnly: true, args }));
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
  const share = Math.ceil(SLOTS.length / size);
  const [first] = clients;
  for (const [i, client] of clients.entries())
    await client.call('CLUSTER', 'ADDSLOTS', ...SLOTS.slice(i * share, (i + 1) * share));
  for (const { port } of nodes.slice(1)) await first?.call('CLUSTER', 'MEET', '127.0.0.1', port);
  await Promise.all(clients.map((client) => untilAgreed(client, size)));
  for (const client of clients) client.disconnect();
  return {
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

/** One server and the nodes of a Cluster, to which the same things happen. */
export function withNodes(redis: TestRedis, nodes: readonly TestRedis[]): TestRedis {
  const servers = [redis, ...nodes];
  const each = (act: (server: TestRedis) => Promise<void>) => async () => void (await Promise.all(servers.map(act)));
  return {
    ...{ url: redis.url, port: redis.port, socketPath: redis.socketPath },
    flush: each((server) => server.flush()),
    kill: each((server) => server.kill()),
    restart: each((server) => server.restart()),
    stop: each((server) => server.stop()),
    pause() {
      for (const server of servers) server.pause();
    },
    resume() {
      for (const server of servers) server.resume();
    },
  };
}

const PATIENCE_MS = 60_000;

async function untilAgreed(client: Redis, size: number): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(50)) {
    const info = String(await client.call('CLUSTER', 'INFO'));
    // A node that needs no full coverage calls its own half of the slots a Cluster.
    const isWhole = info.includes(`cluster_slots_assigned:${SLOTS.length}`);
    if (isWhole && info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`)) return;
  }
  throw new Error(`the nodes of a Cluster did not agree within ${PATIENCE_MS / 1_000} s`);
}

/** A port whose neighbour 10,000 further is ours, too: the nodes talk to each other there. */
export async function clusterPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 20_000);
    if ((await reservePort(port)) && (await reservePort(port + 10_000))) return port;
  }
}
