import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../../../src/slack/ui/comparison/compare-texts.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';

const MEGABYTE = 1_048_576;

/** Lines of words, always the same for the same seed. */
function longText(seed: number, length = MEGABYTE, { eachLine = 12 } = {}): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `w${state >>> 20}`;
  };
  const lines: string[] = [];
  for (let size = 0; size < length; ) {
    const line = Array.from({ length: eachLine }, next).join(' ');
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, length);
}

const reversed = (text: string) => text.split('\n').reverse().join('\n');
const first = longText(1);

const HARD: [string, string, string][] = [
  ['a few changed lines', first, first.replaceAll('w77 ', 'changed ')],
  ['a changed word in each line', first, first.replace(/^\S+/gm, 'changed')],
  ['all of it new', first, longText(2)],
  ['all of it new, between empty lines', first.replaceAll('\n', '\n\n'), longText(2, 500_000).replaceAll('\n', '\n\n')],
  ['its lines backwards', first, reversed(first)],
  ['its words backwards, on one line', first.replaceAll('\n', ' '), first.split(/\s/).reverse().join(' ')],
  ['one line, with a word changed', first.replaceAll('\n', ' '), first.replaceAll('\n', ' ').replace('w77', 'new')],
  ['lines of one word', longText(3, MEGABYTE, { eachLine: 1 }), longText(4, MEGABYTE, { eachLine: 1 })],
  ['no words at all', '- '.repeat(MEGABYTE / 2), '-- '.repeat(MEGABYTE / 3)],
  ['nothing but line ends', '\n'.repeat(MEGABYTE - 1).concat('x'), '\n'.repeat(MEGABYTE - 2).concat('y')],
  ['two that have nothing but short lines in common', 'a\nb\n'.repeat(MEGABYTE / 4), 'b\na\na\n'.repeat(MEGABYTE / 6)],
];

/** Far more than it takes. */
const MOST_MS = 2_000;

describe('two texts of a megabyte', () => {
  it.each(HARD)('are compared, or said to be too large, in a moment: %s', (_, before, after) => {
    const tookMs = cpuMs(() => expect(['compared', 'too-large']).toContain(compareTexts(before, after).kind));
    expect(tookMs).toBeLessThan(MOST_MS);
  });

  it('are shown with what was changed', () => {
    const comparison = compareTexts(first, first.replace('w77 ', 'changed '));
    const lines = comparison.kind === 'compared' ? comparison.lines : [];
    expect(lines.filter(({ kind }) => kind !== 'kept')).toMatchObject([{ kind: 'changed' }]);
  });
});

it('says of two texts of 5 MB that they are too large', () => {
  expect(compareTexts('x'.repeat(5_000_000), 'y'.repeat(5_000_000))).toEqual({ kind: 'too-large' });
});
