import { expect, it } from 'vitest';
import { oneChannel } from './one-channel.ts';

it('many executions in one channel keep to the rates of Slack, and each thread shows the end', async () => {
  const { showTheEnd, refused, posts } = await oneChannel({ executions: 6 });
  expect(showTheEnd).toBe(6);
  expect(refused / posts).toBeLessThan(0.05);
});
