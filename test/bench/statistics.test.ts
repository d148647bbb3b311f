import { expect, it } from 'vitest';
import { median, percentile } from './statistics.ts';

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
  [[], Number.NaN],
])('the median of %j is %d', (numbers, expected) => {
  expect(median(numbers)).toBe(expected);
});

it.each([
  [50, 50],
  [99, 99],
  [100, 100],
  [0, 1],
])('the %dth percentile of the numbers from 1 to 100 is %d', (percent, expected) => {
  const numbers = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(numbers, percent)).toBe(expected);
});

it('a percentile of few numbers is one of them', () => {
  expect(percentile([5, 1], 99)).toBe(5);
  expect(percentile([], 99)).toBeNaN();
});
