import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, Redis } from 'ioredis';
import { reservePort } from '../../src/setup/free-port.ts';
import type { ServerHost } from '../../src/setup/redis-process.ts';
import { startRedis, type TestRedis, type TestRedisOptions } from './redis.ts';

/** A Redis Cluster of a test, all nodes on this machine. */
export interface TestCluster {
  /** What goes into `REDIS_URL`. */
  url: string;
  /** The masters, at first. */
  nodes: TestRedis[];
  /** The replica of each of them, at first; empty if it has none. */
  replicas: TestRedis[];
  stop(): Promise<void>;
}

export interface TestClusterOptions {
  masters?: number;
  /** Whether each master has one, which takes its place soon after it is gone. Default: none. */
  replicas?: 'none' | 'one each';
  encryption?: TestRedisOptions['encryption'];
  /** More settings for each node, as on redis-server's command line. */
  settings?: readonly string[];
  /** Where each node runs, the masters first. Default: all on this machine. */
  hosts?: readonly ServerHost[];
  /** At which port clients find the node that listens at this one. Default: the same. */
  announcedPort?: (port: number) => Promise<number>;
}

/** How much further than its port the one is at which a node talks to the others. */
const BUS = 10_000;
/** Each host has all ports for itself. */
const PORT_ON_HOST = 6_379;
const SLOTS = Array.from({ length: 16_384 }, (_, slot) => slot);
const SETTINGS = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'];
/** The others call a node gone after this time. A busy machine must not reach it by itself. */
const WITH_REPLICAS = ['--cluster-node-timeout', '2000', '--cluster-replica-validity-factor', '0'];
const REPLICATION = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];

/** Starts masters that share the slots evenly; resolves when all nodes agree, and the replicas have what their masters have. */
export async function startRedisCluster({
  masters = 3,
  replicas = 'none',
  encryption = 'plain',
  settings = [],
  hosts = [],
  announcedPort,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const isReplicated = replicas !== 'none';
  const size = isReplicated ? 2 * masters : masters;
  const args = [...SETTINGS, ...(isReplicated ? [...WITH_REPLICAS, ...REPLICATION] : []), ...settings];
  const start = async (host: ServerHost | undefined) => {
    const port = host ? PORT_ON_HOST : await clusterPort();
    const announced = announcedPort ? announcing(await announcedPort(port), port) : [];
    return startRedis({ port, appendOnly: true, encryption, args: [...args, ...announced], ...(host && { host }) });
  };
  const all: TestRedis[] = [];
  while (all.length < size) all.push(await start(hosts[all.length]));
  const clients = all.map(clientOf);
  const share = sharedBy(masters);
  const [first] = clients;
  for (const [i, client] of clients.slice(0, masters).entries())
    await client.call('CLUSTER', 'ADDSLOTS', ...SLOTS.slice(i * share, (i + 1) * share));
  for (const { address, port } of all.slice(1)) await first?.call('CLUSTER', 'MEET', address, port);
  await Promise.all(clients.map((client) => untilAgreed(client, size)));
  for (const [i, replica] of clients.slice(masters).entries())
    await replica.call('CLUSTER', 'REPLICATE', await idOf(all[i]));
  const byMaster = isReplicated ? 2 : 1;
  await Promise.all(clients.map((client) => untilSaid(client, ['CLUSTER', 'SLOTS'], rangesWith(byMaster, masters))));
  await Promise.all(clients.slice(masters).map((client) => untilSaid(client, ['INFO', 'replication'], isFollowing)));
  for (const client of clients) client.disconnect();
  const nodes = all.slice(0, masters);
  return {
    url: `${encryption === 'tls' ? 'rediss' : 'redis'}://${nodes.map(({ address, port }) => `${address}:${port}`).join(',')}`,
    nodes,
    replicas: all.slice(masters),
    stop: async () => void (await Promise.all(all.map((node) => node.stop()))),
  };
}

const sharedBy = (masters: number) => Math.ceil(SLOTS.length / masters);

/** The slot of the keys with this hash tag. */
export const slotOf = (tag: string) => new Command('get', [`{${tag}}`]).getSlot();

/** Which of the masters has a slot, unless it was moved. */
export const masterOf = (slot: number, masters = 3) => Math.floor(slot / sharedBy(masters));

/** Clients are sent to one port, the other nodes to the one beside its real one. */
function announcing(announced: number, port: number): string[] {
  return ['--cluster-announce-port', String(announced), '--cluster-announce-bus-port', String(port + BUS)];
}

/** A client of one node, which sees and orders what no client of the Cluster does. */
export function clientOf({ socketPath }: Pick<TestRedis, 'socketPath'>): Redis {
  const client = new Redis({ path: socketPath });
  client.on('error', () => {});
  return client;
}

/** Asks one node with a client of its own. */
export async function onNode<Answer>(
  node: Pick<TestRedis, 'socketPath'>,
  ask: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = clientOf(node);
  return ask(client).finally(() => client.disconnect());
}

/** The name of a node within its Cluster. */
export async function idOf(node: TestRedis | undefined): Promise<string> {
  if (!node) throw new Error('the Cluster has no such node');
  return String(await onNode(node, (client) => client.call('CLUSTER', 'MYID')));
}

/** One server and the nodes of a Cluster, to which the same things happen. */
export function withNodes(redis: TestRedis, nodes: readonly TestRedis[]): TestRedis {
  const servers = [redis, ...nodes];
  const each = (act: (server: TestRedis) => Promise<void>) => async () => void (await Promise.all(servers.map(act)));
  return {
    ...{ url: redis.url, address: redis.address, port: redis.port, socketPath: redis.socketPath },
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

/** Resolves when a node answers so. */
export async function untilSaid(
  client: Redis,
  [name, ...args]: readonly [string, ...string[]],
  isSo: (answer: unknown) => boolean,
): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(20))
    if (isSo(await client.call(name, ...args).catch(() => null))) return;
  throw new Error(`a node of a Cluster still answers otherwise to ${[name, ...args].join(' ')}`);
}

function untilAgreed(client: Redis, size: number): Promise<void> {
  return untilSaid(client, ['CLUSTER', 'INFO'], (answer) => {
    const info = String(answer);
    // A node that needs no full coverage calls its own half of the slots a Cluster.
    const isWhole = info.includes(`cluster_slots_assigned:${SLOTS.length}`);
    return isWhole && info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
  });
}

/** https://redis.io/docs/latest/commands/cluster-slots/: the first and last slot of a range, then each node that has it. */
const rangesWith = (nodes: number, masters: number) => (answer: unknown) =>
  Array.isArray(answer) && answer.length === masters && answer.every((range) => range.length === 2 + nodes);

/** Whether a replica has what its master has, as it answers to INFO. */
export const isFollowing = (answer: unknown) => String(answer).includes('master_link_status:up');

/** A port whose neighbour is ours, too: the nodes talk to each other there. */
export async function clusterPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 20_000);
    if ((await reservePort(port)) && (await reservePort(port + BUS))) return port;
  }
}
