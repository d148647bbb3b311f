import { expect, it } from 'vitest';
import { countsLine } from './counts-line.ts';
import { startFaultWorld } from './fault-world.ts';
import { scenarioAt, startAll } from './run-trials.ts';
import { startWatchedRedis } from './sentinel.ts';
import { reportsOf, settle } from './settle.ts';

it.concurrent.each(['asked', 'killed'] as const)(
  'a failover behind Sentinel loses nothing that a replica had (%s)',
  async (why) => {
    const redis = await startWatchedRedis();
    const world = await startFaultWorld({ crewChannels: 3, env: { REDIS_URL: redis.url, REDIS_MIN_REPLICAS: '1' } });
    try {
      await startAll(world);
      const scenarios = world.crewChannels.map((_, i) => scenarioAt(world, i, { rejections: 2 }));
      let failover: Promise<void> | null = null;
      const findings = await settle(world, scenarios, async () => {
        if (scenarios.some(({ hasDecided }) => hasDecided)) failover ??= redis.failOver(why);
      });
      await failover;
      expect((await reportsOf(world, scenarios, findings)).join('')).toBe('');
      console.info(`failover, ${why}: ${scenarios.length} scenarios, ${countsLine(findings)}`);
      expect(failover).not.toBeNull();
      // A decision may be stored although Slack was told that it wasn't, so there can be fewer decisions than rounds.
      const untold = findings.filter(({ decisions, delivered }) => decisions === 0 || delivered < decisions);
      expect(untold).toEqual([]);
    } finally {
      await world.stop();
      await redis.stop();
    }
  },
);
