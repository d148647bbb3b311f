import { expect, it } from 'vitest';
import { richText } from '../../src/slack/ui/rich-text.ts';
import { cpuMs } from '../support/cpu-ms.ts';

/** As much of a text as a modal shows at once. */
const PAGE_LENGTH = 8_000;

/** The least of several attempts: what a busy machine adds is left out. */
function leastMs(markdown: string): number {
  return Math.min(...Array.from({ length: 5 }, () => cpuMs(() => richText(markdown))));
}

it('a page of nothing but marks of emphasis takes the time of many pages', () => {
  const ofLength = (length: number) => '**a_'.repeat(length / 4);
  const quarter = leastMs(ofLength(PAGE_LENGTH / 4));
  // In proportion, it would be four times as much.
  expect(leastMs(ofLength(PAGE_LENGTH)) / Math.max(quarter, 1)).toBeLessThan(10);
});
