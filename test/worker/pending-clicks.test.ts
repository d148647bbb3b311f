import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PendingClicks } from '../../src/worker/pending-clicks.ts';

/** Counts how many of `calls` have been let through, starting after the given turns of the event loop. */
async function passedOf(
  pendingClicks: PendingClicks,
  calls: number,
  { turns }: { turns: number },
): Promise<() => number> {
  let passed = 0;
  for (let i = 0; i < calls; i++) void pendingClicks.yieldToClicks().then(() => (passed += 1));
  for (let i = 0; i < turns; i++) await nextTurn();
  return () => passed;
}

it('work waits while clicks are pending, and goes on when they are answered', async () => {
  const pendingClicks = new PendingClicks();
  const answers = [pendingClicks.begin(), pendingClicks.begin(), pendingClicks.begin()];
  const passed = await passedOf(pendingClicks, 1, { turns: 50 });
  expect(passed()).toBe(0);
  for (const answer of answers) answer();
  await expect.poll(passed).toBe(1);
});

it('a single click that waits for something slow stops nothing', async () => {
  const pendingClicks = new PendingClicks();
  pendingClicks.begin();
  await expect.poll(await passedOf(pendingClicks, 1, { turns: 0 })).toBe(1);
});

it('a lasting rush does not stop the work', async () => {
  const pendingClicks = new PendingClicks();
  pendingClicks.begin();
  pendingClicks.begin();
  const passed = await passedOf(pendingClicks, 100, { turns: 0 });
  await expect.poll(passed, { timeout: 10_000 }).toBe(100);
});

it('no two start in the same turn of the event loop, since each turn accepts one new connection', async () => {
  const passed = await passedOf(new PendingClicks(), 100, { turns: 20 });
  expect(passed()).toBeGreaterThan(0);
  expect(passed()).toBeLessThanOrEqual(20);
});
