import { expect, it } from 'vitest';
import { exceededBudgets, readBudgets } from './budgets.ts';

const BUDGET = { part: 'redis', figure: 'scripts a decision', most: 8, unit: 'scripts' };

const measured = (value: number) => ({
  redis: { seconds: 1, figures: [{ name: 'scripts a decision', value, unit: 'scripts', better: 'less' as const }] },
});

it('a count may be as high as its budget', () => {
  expect(exceededBudgets([BUDGET], measured(8))).toEqual([]);
});

it('names a count that is over its budget', () => {
  expect(exceededBudgets([BUDGET], measured(9.04))).toEqual([
    'redis, scripts a decision: 9 scripts, but the budget is 8.',
  ]);
});

it('a count that was not measured keeps to no budget', () => {
  expect(exceededBudgets([BUDGET], {})).toEqual(['redis, scripts a decision: not measured.']);
});

it('no time has a budget', () => {
  expect(readBudgets().filter(({ unit }) => /^m?s$|^(acks|decisions|webhooks)\/s$/.test(unit))).toEqual([]);
});
