import { expect, it } from 'vitest';
import { differences, ratioToEarlier } from './compare.ts';
import type { Figure } from './figures.ts';
import type { Report } from './report.ts';
import { tableOf } from './table.ts';

const figure = (value: number): Figure => ({ name: 'one by one, p50', value, unit: 'ms', better: 'less' });

const report = (value: number): Report => ({
  ...{ at: '2026-01-01T00:00:00.000Z', node: 'v20.0.0', cores: 2, pinned: true, durable: false, rounds: 3 },
  ...{ warnings: [], failures: [] },
  parts: { acks: { seconds: 1, figures: [figure(value)] } },
});

it('tells how a figure relates to that of an earlier run', () => {
  expect(ratioToEarlier(report(4), 'acks', figure(1))).toBe(0.25);
  expect(tableOf('acks', [figure(1)], report(4))).toEqual([expect.stringContaining('0.25 × earlier')]);
});

it.each([
  ['no earlier run', null, 'acks'],
  ['a part that the earlier run left out', report(4), 'path'],
  ['an earlier value of nothing', report(0), 'acks'],
])('compares with nothing where there is %s', (_, earlier, part) => {
  expect(ratioToEarlier(earlier, part, figure(1))).toBeNull();
});

it('says what makes two runs hard to compare', () => {
  expect(differences(report(1), report(1))).toEqual([]);
  const other = { ...report(1), cores: 8, durable: true, warnings: ['The load was high.'] };
  expect(differences(other, report(1))).toHaveLength(3);
});
