import { expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { onNode, startRedisCluster } from '../support/redis-cluster.ts';
import { scrape } from '../support/scrape.ts';
import { DRAFT, startWorld } from '../support/world.ts';

interface RedisOfBot {
  url: string;
  fail(): Promise<unknown>;
  recover(): Promise<unknown>;
  stop(): Promise<void>;
  /** How many connections fail: each may be told once. */
  connections: number;
}

const oneServer = async (fail: (redis: TestRedis) => unknown, recover: (redis: TestRedis) => unknown) => {
  const redis = await startRedis({ appendOnly: true });
  return {
    url: redis.url,
    fail: async () => fail(redis),
    recover: async () => recover(redis),
    stop: redis.stop,
    connections: 1,
  };
};

const neededReplicas = (count: number) => (redis: TestRedis) =>
  onNode(redis, (client) => client.config('SET', 'min-replicas-to-write', count));

const OUTAGES: Record<string, () => Promise<RedisOfBot>> = {
  'Redis is down': () =>
    oneServer(
      ({ kill }) => kill(),
      ({ restart }) => restart(),
    ),
  'Redis hangs': () =>
    oneServer(
      ({ pause }) => pause(),
      ({ resume }) => resume(),
    ),
  'Redis refuses to write': () => oneServer(neededReplicas(1), neededReplicas(0)),
  'a Cluster hangs': async () => {
    const cluster = await startRedisCluster();
    const { nodes } = cluster;
    return {
      ...cluster,
      fail: async () => nodes.map(({ pause }) => pause()),
      recover: async () => nodes.map(({ resume }) => resume()),
      // Each node, and the client of all of them.
      connections: nodes.length + 1,
    };
  },
};

interface Line {
  level: number;
  msg: string;
}

const WARNING = 40;
const ERROR = 50;

const PATIENCE_MS = 20_000;

/** How many requests from Slack failed. */
const failuresIn = (samples: Map<string, number>) =>
  [...samples].reduce((sum, [name, count]) => (FAILED.test(name) ? sum + count : sum), 0);

const FAILED = /^signoff_slack_requests_total\{.*outcome="failed"/;

const faultsOf = (samples: Map<string, number>) =>
  [...samples].filter(([name]) => name.startsWith('signoff_faults_total'));

it.each(Object.entries(OUTAGES))(
  'While %s, the log warns once for each connection, no fault is counted, and a line says when it is over',
  async (_, begin) => {
    const redis = await begin();
    const world = await startWorld({ fixtures: 2, env: { REDIS_URL: redis.url } });
    try {
      const port = await freePort();
      const bot = await world.startBotProcess({ port });
      const linesOf = (): Line[] =>
        bot
          .printed()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
      const [first, second] = [await world.fixture(), await world.fixture()];
      const gate = 'opens-in-the-outage';
      await world.crews.sandbox.shutGate(gate);
      await second.setTasks([{ name: 'research', output: 'Read.', hold: gate }, ...DRAFT]);
      await first.start();
      await second.start();
      const card = await first.linkedCard();
      const before = await scrape(port);

      await redis.fail();
      await world.crews.sandbox.openGate(gate);
      const isFelt = async () => {
        await Promise.allSettled([
          first.jon.click('Approve', { in: card }),
          first.types(),
          second.types('status'),
          first.jon.openHome(),
        ]);
        return failuresIn(await scrape(port)) >= 5;
      };
      await expect.poll(isFelt, { timeout: PATIENCE_MS }).toBe(true);
      await redis.recover();
      await expect.poll(() => bot.printed(), { timeout: PATIENCE_MS }).toContain('"Redis works again"');
      // The crew has repeated what was not taken.
      await second.card();

      const lines = linesOf();
      expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
      const warnings = lines.filter(({ level }) => level === WARNING);
      expect(warnings.length).toBeGreaterThan(0);
      expect(warnings.length).toBeLessThanOrEqual(redis.connections);
      expect(JSON.stringify(warnings[0])).toContain('Redis');
      expect(lines.filter(({ msg }) => msg === 'Redis works again')).toHaveLength(1);
      expect(faultsOf(await scrape(port))).toEqual(faultsOf(before));
    } finally {
      await world.stop();
      await redis.stop();
    }
  },
);
