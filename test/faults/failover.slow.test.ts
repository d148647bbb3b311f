import { expect, it } from 'vitest';
import { startFaultWorld } from './fault-world.ts';
import { figuresOf } from './figures.ts';
import { errandAt, startAll } from './run-errands.ts';
import { startWatchedRedis } from './sentinel.ts';
import { historyOf, settle } from './settle.ts';

it('a failover behind Sentinel loses nothing that a replica had', async () => {
  const redis = await startWatchedRedis();
  const world = await startFaultWorld({ places: 4, env: { REDIS_URL: redis.url, REDIS_MIN_REPLICAS: '1' } });
  try {
    await startAll(world);
    const errands = world.places.map((_, i) => errandAt(world, i, { rejections: 2 }));
    let failover: Promise<void> | null = null;
    const judgements = await settle(world, errands, async () => {
      if (errands.some(({ acknowledged }) => acknowledged.length > 0)) failover ??= redis.failOver();
    });
    await failover;
    const violations = judgements.flatMap((each) => each.violations);
    expect(violations.join('\n') && `${violations.join('\n')}\n${await historyOf(world, errandAt(world, 0))}`).toBe('');
    console.info(`failover: ${errands.length} errands, ${figuresOf(judgements)}`);
    expect(failover).not.toBeNull();
    // Fewer decisions than rounds where one was kept although Slack was told that it wasn't.
    const untold = judgements.filter(({ decisions, delivered }) => decisions === 0 || delivered < decisions);
    expect(untold).toEqual([]);
  } finally {
    await world.stop();
    await redis.stop();
  }
});
