import { expect, it } from 'vitest';
import { recordKeys, SHARDS, shardOf } from '../../src/redis/keys.ts';

it('has sixty-four shards, spread evenly', () => {
  const counts = new Map(SHARDS.map((shard) => [shard, 0]));
  for (let i = 0; i < 64_000; i++) counts.set(shardOf(`ref ${i}`), (counts.get(shardOf(`ref ${i}`)) ?? 0) + 1);
  expect(counts.size).toBe(64);
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
  expect(Math.max(...counts.values())).toBeLessThan(1_200);
});

it('never moves stored executions: every version uses the same keys', () => {
  expect(recordKeys('ref1')).toEqual({
    record: 'signoff:{30}:execution:ref1',
    due: 'signoff:{30}:due',
    activity: 'signoff:{30}:activity:ref1',
  });
});
