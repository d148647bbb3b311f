import { describe, expect, it } from 'vitest';
import { shardOf } from '../../src/redis/keys.ts';
import { failOver } from '../support/cluster-changes.ts';
import { masterOf, slotOf, startRedisCluster } from '../support/redis-cluster.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { lostClaimTrials, lostStartTrial, onceDecided, outageTrials, refOf } from './outages.ts';
import { RedisClock } from './redis-clock.ts';
import { startRedisOfBots } from './redis-of-bots.ts';
import { type Outcome, runTrials } from './run-trials.ts';

/** Every decision reached its crew, once, and none of them waited for a lease to end. */
function expectAllSoonDelivered(what: string, outcomes: readonly Outcome[]): void {
  console.info(`${what}: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
  for (const { findings } of outcomes) expect(findings).toMatchObject({ decisions: 2, delivered: 2 });
}

describe.concurrent('a node that is away', () => {
  it.each([
    { kind: 'one server', bots: 1 },
    { kind: 'a Cluster', bots: 2 },
  ] as const)(
    'delays no decision until a lease ends ($kind, bots: $bots)',
    async ({ kind, bots }) => {
      const redisOfBots = await startRedisOfBots(kind);
      try {
        const trials = [...outageTrials(redisOfBots), ...lostClaimTrials(redisOfBots), lostStartTrial(redisOfBots)];
        expectAllSoonDelivered(kind, await runTrials(trials, { redisOfBots, bots }));
      } finally {
        await redisOfBots.stop();
      }
    },
    TRIALS_TIMEOUT_MS,
  );

  it(
    'delays no decision until a lease ends when its replica takes over',
    async () => {
      const cluster = await startRedisCluster({ replicas: 'one each' });
      const redisOfBots = { url: cluster.url, proxies: [], clock: new RedisClock() };
      const trials = (['planned', 'killed'] as const).map((why) =>
        onceDecided(`a replica takes over (${why})`, async (world, scenario) => {
          const index = masterOf(slotOf(shardOf(await refOf(world, scenario))));
          const change = async () => {
            const old = await failOver(cluster, index, why);
            if (why === 'killed') await old.restart();
          };
          return { meanwhile: change() };
        }),
      );
      try {
        expectAllSoonDelivered('failover', await runTrials(trials, { redisOfBots, env: { REDIS_MIN_REPLICAS: '1' } }));
      } finally {
        await cluster.stop();
      }
    },
    TRIALS_TIMEOUT_MS,
  );
});
