import { expect, it } from 'vitest';
import { createRateLimits } from './rate-limits.ts';

it('a channel takes five messages at once, then one a second', () => {
  const limits = createRateLimits();
  const post = (channel: string, nowMs: number) => limits.refuse('chat.postMessage', channel, nowMs);
  expect([0, 0, 0, 0, 0, 0].map((at) => post('C1', at))).toEqual([null, null, null, null, null, 1]);
  expect(post('C2', 0)).toBeNull();
  expect([post('C1', 999), post('C1', 1_000), post('C1', 1_001)]).toEqual([1, null, 1]);
});

it('a workspace takes fifty updates a minute', () => {
  const limits = createRateLimits();
  const answers = Array.from({ length: 51 }, (_, i) => limits.refuse('chat.update', `C${i}`, 0));
  expect(answers.filter((answer) => answer === null)).toHaveLength(50);
  expect(answers.at(-1)).toBe(2);
});

it('other methods have no limit', () => {
  const limits = createRateLimits();
  expect(Array.from({ length: 100 }, () => limits.refuse('users.info', '', 0)).every((answer) => answer === null)).toBe(
    true,
  );
});
