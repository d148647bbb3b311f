import { expect, it } from 'vitest';
import { slackCalls } from './slack-calls.ts';

it('five runs in one channel keep to the rates of Slack, and no card waits for what only reports', async () => {
  const { posts, updates, refused, slowestCardMs } = await slackCalls({ executions: 5 });
  // Of each run the root, two tasks, two cards and the end. On a busy machine a crew may answer late, which adds updates.
  expect(posts).toBe(30);
  expect(updates).toBeLessThanOrEqual(40);
  expect(refused).toBe(0);
  // Behind what only reports, it would wait longer still; the bench says how long it takes on a quiet machine.
  expect(slowestCardMs).toBeLessThan(12_000);
});
