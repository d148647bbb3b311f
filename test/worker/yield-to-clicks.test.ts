import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PendingClicks } from '../../src/worker/yield-to-clicks.ts';

/** How many of `calls` pass within so many turns of the event loop. */
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

it('work waits while people do, and goes on when they have their answers', async () => {
  const pendingClicks = new PendingClicks();
  const answers = [pendingClicks.admit(), pendingClicks.admit(), pendingClicks.admit()];
  const passed = await passedOf(pendingClicks, 1, { turns: 50 });
  expect(passed()).toBe(0);
  for (const answer of answers) answer();
  await expect.poll(passed).toBe(1);
});

it('a single person who waits for something slow stops nothing', async () => {
  const pendingClicks = new PendingClicks();
  pendingClicks.admit();
  await expect.poll(await passedOf(pendingClicks, 1, { turns: 0 })).toBe(1);
});

it('a rush that lasts does not stop the work', async () => {
  const pendingClicks = new PendingClicks();
  pendingClicks.admit();
  pendingClicks.admit();
  const passed = await passedOf(pendingClicks, 100, { turns: 0 });
  await expect.poll(passed, { timeout: 10_000 }).toBe(100);
});

it('no two begin in the same turn of the event loop, since each turn lets in one new connection', async () => {
  const passed = await passedOf(new PendingClicks(), 100, { turns: 20 });
  expect(passed()).toBeGreaterThan(0);
  expect(passed()).toBeLessThanOrEqual(20);
});
