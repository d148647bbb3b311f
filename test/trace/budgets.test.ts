import { expect, it } from 'vitest';
import { type Budgets, exceededBudgets, loweredBudgets } from './budgets.ts';
import type { Trace } from './measure.ts';

const BUDGETS: Budgets = {
  webhook: {
    stages: [
      { name: 'webhook → 200', files: 1, functions: 2 },
      { name: '→ card posted', files: 2, functions: 4 },
    ],
    entered: { 'src/a.ts': [1, 1], 'src/b.ts': [0, 1] },
  },
};

/** @param functions the stage and the file of each */
function traced(...functions: [stage: number, path: string][]): Map<string, Trace> {
  return new Map([['webhook', functions.map(([stage, path], i) => ({ path, stage, line: i + 1, name: `f${i}` }))]]);
}

it('a scenario may enter as many files and functions as its budget says', () => {
  const trace = traced([0, 'src/a.ts'], [0, 'src/a.ts'], [1, 'src/b.ts'], [1, 'src/b.ts']);
  expect(exceededBudgets(BUDGETS, trace)).toEqual([]);
});

it('a stage over its budget is named with its new files, and with those whose functions have become more', () => {
  const trace = traced([0, 'src/a.ts'], [1, 'src/b.ts'], [1, 'src/b.ts'], [1, 'src/c.ts'], [1, 'src/b.ts']);
  expect(exceededBudgets(BUDGETS, trace)).toEqual([
    [
      'webhook, → card posted: 3 files (budget 2), 5 functions (budget 4).',
      '  new: src/c.ts, 1 functions',
      '  more: src/b.ts, 1 functions before, now 3',
    ].join('\n'),
  ]);
});

it('a scenario that was not measured keeps to no budget', () => {
  expect(exceededBudgets(BUDGETS, new Map())).toEqual([
    'webhook, webhook → 200: not measured.',
    'webhook, → card posted: not measured.',
  ]);
});

it('a new table lowers budgets, raises none, and says what was entered', () => {
  const generous: Budgets = {
    webhook: {
      stages: [
        { name: 'webhook → 200', files: 100, functions: 1 },
        { name: '→ card posted', files: 1, functions: 200 },
      ],
      entered: {},
    },
  };
  const trace = traced([0, 'src/a.ts'], [0, 'src/a.ts'], [1, 'src/a.ts'], [1, 'src/b.ts']);
  expect(loweredBudgets(generous, trace)).toEqual({
    webhook: {
      stages: [
        { name: 'webhook → 200', files: 2, functions: 1 },
        { name: '→ card posted', files: 1, functions: 14 },
      ],
      entered: { 'src/a.ts': [2, 3], 'src/b.ts': [0, 1] },
    },
  });
});
