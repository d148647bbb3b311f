import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { onNode, startRedisCluster } from '../support/redis-cluster.ts';
import { startSentinel, type TestSentinel, urlOf } from '../support/redis-sentinel.ts';
import type { Host, Network } from './network.ts';

/** A program on a host of its own. */
export interface Machine {
  host: Host;
  kill(): Promise<void>;
  /** Starts it again with what is on its disk. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
}

export type RedisMachine = Machine & TestRedis;

/** The servers that the bots use, each on a host of its own, and what decides who of them is a master. */
export interface RedisHosts {
  /** The value of `REDIS_URL`. */
  url: string;
  servers: readonly RedisMachine[];
  sentinels: readonly Machine[];
  /** Lists the servers that take writes, or would. */
  masters(): Promise<RedisMachine[]>;
  /** An operator has a replica take the place of its master; `turn` chooses among several. Resolves to whether it has. */
  failOver(turn: number): Promise<boolean>;
  /** Resolves once each master has all its replicas, and everybody agrees who the masters are. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

export type Topology = 'Sentinel' | 'Cluster';

/** How long a server may be silent until the others call it gone. */
const DOWN_AFTER_MS = 2_000;
const FAILOVER_TIMEOUT_MS = 10_000;
const SENTINELS = 3;
const WHOLE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const SETTINGS = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];

export function startRedisHosts(topology: Topology, network: Network): Promise<RedisHosts> {
  return topology === 'Sentinel' ? startSentinelHosts(network) : startClusterHosts(network);
}

/** One master with two replicas, and three sentinels. */
async function startSentinelHosts(network: Network): Promise<RedisHosts> {
  const nodes: RedisMachine[] = [];
  for (const name of ['redis-1', 'redis-2', 'redis-3']) {
    const host = await network.addHost(name);
    const node = await startRedis({ host, port: 6_379, appendOnly: true, args: SETTINGS });
    nodes.push({ host, ...node });
  }
  const [first, ...others] = nodes;
  if (!first) throw new Error('no server was started');
  for (const node of others) {
    await ask(node, 'REPLICAOF', first.address, String(first.port));
    await ask(node, 'CONFIG', 'REWRITE');
  }
  const sentinels: (Machine & TestSentinel)[] = [];
  for (let n = 1; n <= SENTINELS; n++) {
    const host = await network.addHost(`sentinel-${n}`);
    const timing = { downAfterMs: DOWN_AFTER_MS, failoverTimeoutMs: FAILOVER_TIMEOUT_MS };
    sentinels.push({ host, ...(await startSentinel(first, { host, quorum: 2, ...timing })) });
  }
  const says = (command: Parameters<TestSentinel['says']>[0]) =>
    Promise.all(sentinels.map((sentinel) => sentinel.says(command).catch(() => '')));
  const masters = () => thatLead(nodes);

  /** Says what is missing until Redis is whole; null if nothing is. */
  async function lack(): Promise<string | null> {
    const [master, second] = await masters();
    if (!master || second) return 'not one of the servers is the only master';
    const named = await says('GET-MASTER-ADDR-BY-NAME');
    if (named.some((answer) => !answer.startsWith(`${master.address},`))) return 'the sentinels name another master';
    const quorums = await says('CKQUORUM');
    if (quorums.some((answer) => !answer.startsWith(`OK ${SENTINELS} usable`))) return `the sentinels say ${quorums}`;
    const replicas = await says('REPLICAS');
    const isKnown = (answer: string) => answer.match(/flags,slave,/g)?.length === others.length;
    if (!replicas.every(isKnown)) return 'a sentinel misses a replica';
    return lackOfReplicas(master, others.length);
  }
  const redis: RedisHosts = {
    url: urlOf(sentinels),
    servers: nodes,
    sentinels,
    masters,
    async failOver(turn) {
      const sentinel = sentinels[turn % sentinels.length];
      const named = () => sentinel?.says('GET-MASTER-ADDR-BY-NAME');
      const before = await named();
      await eventually(
        // Refused while another failover is under way, or right after a replica came back.
        async () => sentinel?.says('FAILOVER').catch(() => undefined),
        async () => 'a sentinel refuses to fail over',
        FAILOVER_TIMEOUT_MS,
      );
      return comesTrue(async () => (await named()) !== before);
    },
    untilWhole: () => untilNothingLacks(lack),
    async stop() {
      await Promise.all(sentinels.map((sentinel) => sentinel.stop()));
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
  await redis.untilWhole();
  return redis;
}

/** Three masters with a replica each. */
async function startClusterHosts(network: Network): Promise<RedisHosts> {
  const hosts: Host[] = [];
  for (let n = 1; n <= 6; n++) hosts.push(await network.addHost(`redis-${n}`));
  const cluster = await startRedisCluster({ replicas: 'one each', hosts });
  const servers = [...cluster.nodes, ...cluster.replicas].flatMap((node, i) => {
    const host = hosts[i];
    return host ? [{ host, ...node }] : [];
  });
  const masters = () => thatLead(servers);

  async function lack(): Promise<string | null> {
    const infos = await Promise.all(servers.map((node) => ask(node, 'CLUSTER', 'INFO')));
    if (infos.some((info) => !info.includes('cluster_state:ok'))) return 'a node says that the Cluster fails';
    const views = await Promise.all(servers.map((node) => ask(node, 'CLUSTER', 'NODES')));
    if (views.some((view) => /fail|handshake|noaddr| disconnected/.test(view))) return 'a node misses another';
    if (new Set(views.map(ranges)).size > 1) return 'the nodes disagree about who the masters are';
    const leaders = await masters();
    if (leaders.length !== servers.length / 2) return 'a master has no replica';
    const lacks = await Promise.all(leaders.map((master) => lackOfReplicas(master, 1)));
    return lacks.find((each) => each !== null) ?? null;
  }
  const redis: RedisHosts = {
    url: cluster.url,
    servers,
    sentinels: [],
    masters,
    async failOver(turn) {
      const leaders = new Set((await masters()).map(({ host }) => host.name));
      const replicas = servers.filter(({ host }) => !leaders.has(host.name));
      const replica = replicas[turn % replicas.length];
      if (!replica) throw new Error('the Cluster has no replica');
      await ask(replica, 'CLUSTER', 'FAILOVER');
      return comesTrue(async () => (await ask(replica, 'ROLE')).startsWith('master'));
    },
    untilWhole: () => untilNothingLacks(lack),
    stop: cluster.stop,
  };
  await redis.untilWhole();
  return redis;
}

/** Which node has which slots, as one node sees it. */
function ranges(view: string): string {
  const lines = view.split('\n').filter((line) => line.includes(' connected ') && line.includes('master'));
  return lines
    .map((line) => line.split(' '))
    .map(([id, , , , , , , , ...slots]) => [id, ...slots].join(' '))
    .sort()
    .join('; ');
}

/** A killed one answers nobody, which is no answer that it is a master. */
async function thatLead(nodes: readonly RedisMachine[]): Promise<RedisMachine[]> {
  const roles = await Promise.all(nodes.map((node) => ask(node, 'ROLE').catch(() => '')));
  return nodes.filter((_, i) => roles[i]?.startsWith('master'));
}

async function lackOfReplicas(master: RedisMachine, wanted: number): Promise<string | null> {
  const info = await ask(master, 'INFO', 'replication');
  const online = info.match(/^slave\d+:.*state=online.*lag=[01]\r?$/gm)?.length ?? 0;
  return online === wanted ? null : `${master.host.name} has ${online} of ${wanted} replicas`;
}

/** Asks a server over its socket, which no cut concerns. */
export function ask(node: Pick<TestRedis, 'socketPath'>, command: string, ...args: string[]): Promise<string> {
  return onNode(node, async (client) => {
    const silence = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`${command} was not answered`)), ANSWER_MS).unref();
    });
    return String(await Promise.race([client.call(command, ...args), silence]));
  });
}

const ANSWER_MS = 2_000;

/** Whether this comes true before a failover is given up. */
async function comesTrue(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + FAILOVER_TIMEOUT_MS; performance.now() < until; await pause(LOOK_EVERY_MS))
    if (await isSo().catch(() => false)) return true;
  return false;
}

async function untilNothingLacks(lack: () => Promise<string | null>): Promise<void> {
  const look = () => lack().catch((error) => String(error));
  await eventually(
    async () => ((await look()) === null ? true : undefined),
    async () => `Redis is not whole: ${await look()}`,
    WHOLE_WITHIN_MS,
  );
}
