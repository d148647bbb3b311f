import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PendingRequests } from '../../src/worker/pending-requests.ts';

/** Counts how many of `calls` have been let through, starting after the given turns of the event loop. */
async function passedOf(
  pendingRequests: PendingRequests,
  calls: number,
  { turns }: { turns: number },
): Promise<() => number> {
  let passed = 0;
  for (let i = 0; i < calls; i++) void pendingRequests.yieldToRequests('normal').then(() => (passed += 1));
  for (let i = 0; i < turns; i++) await nextTurn();
  return () => passed;
}

it('work waits while clicks are pending, and goes on when they are answered', async () => {
  const pendingRequests = new PendingRequests();
  const answers = [pendingRequests.begin(), pendingRequests.begin(), pendingRequests.begin()];
  const passed = await passedOf(pendingRequests, 1, { turns: 50 });
  expect(passed()).toBe(0);
  for (const answer of answers) answer();
  await expect.poll(passed).toBe(1);
});

it('a single click that waits for something slow stops nothing', async () => {
  const pendingRequests = new PendingRequests();
  pendingRequests.begin();
  await expect.poll(await passedOf(pendingRequests, 1, { turns: 0 })).toBe(1);
});

it('in a rush, decisions go on to the crew sooner than the rest goes on', async () => {
  const pendingRequests = new PendingRequests();
  for (let i = 0; i < 2; i++) pendingRequests.begin();
  const passed: string[] = [];
  for (const urgency of Array.from({ length: 20 }, () => ['normal', 'urgent'] as const).flat())
    void pendingRequests.yieldToRequests(urgency).then(() => passed.push(urgency));
  await expect.poll(() => passed.length, { timeout: 10_000 }).toBe(40);
  expect(passed.lastIndexOf('urgent')).toBeLessThan(passed.lastIndexOf('normal'));
  expect(passed.filter((_, i) => i < 20).filter((urgency) => urgency === 'urgent').length).toBeGreaterThan(10);
});

it('a lasting rush does not stop the work', async () => {
  const pendingRequests = new PendingRequests();
  pendingRequests.begin();
  pendingRequests.begin();
  const passed = await passedOf(pendingRequests, 100, { turns: 0 });
  await expect.poll(passed, { timeout: 10_000 }).toBe(100);
});

it('no two start in the same turn of the event loop, since each turn accepts one new connection', async () => {
  const passed = await passedOf(new PendingRequests(), 100, { turns: 20 });
  expect(passed()).toBeGreaterThan(0);
  expect(passed()).toBeLessThanOrEqual(20);
});
