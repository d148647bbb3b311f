import { expect, it } from 'vitest';
import type { Step } from '../../src/core/execution/events.ts';
import { createActivityLog, MOST_STEPS } from '../../src/redis/activity.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { redisForTests } from './store-under-test.ts';

const { redis } = redisForTests();
const log = () => createActivityLog(redis(), { retentionDays: 30 });

function step(at: number): Step {
  return { at, agent: 'Researcher', thought: 'Let me \ud83d look', tool: null, toolInput: null, result: null };
}

it('returns the latest steps, newest first', async () => {
  for (const at of [1, 2, 3]) await log().add('r1', step(at));
  expect(await log().latest('r1', 2)).toEqual([step(3), step(2)]);
  expect(await log().latest('r1', 0)).toEqual([]);
  expect(await log().latest('r2', 2)).toEqual([]);
});

it('keeps no more steps than anyone reads', async () => {
  await Promise.all(Array.from({ length: MOST_STEPS + 50 }, (_, i) => log().add('r1', step(i))));
  const steps = await log().latest('r1', 1000);
  expect(steps.map(({ at }) => at)).toEqual(Array.from({ length: MOST_STEPS }, (_, i) => MOST_STEPS + 49 - i));
});

it('keeps a step once that is told again, also after others', async () => {
  for (const at of [1, 2, 1, 3, 2]) await log().add('r1', step(at));
  expect(await log().latest('r1', 10)).toEqual([step(3), step(2), step(1)]);
});

it("leaves out what it can't read", async () => {
  await log().add('r1', step(1));
  await redis().lpush(recordKeys('r1').activity, '{"at":"noon"}', 'not JSON');
  expect(await log().latest('r1', 10)).toEqual([step(1)]);
});

it('expires some time after the last step if there is no record', async () => {
  await log().add('r1', step(1));
  expect(await redis().pttl(recordKeys('r1').activity)).toBeGreaterThan(0);
});
