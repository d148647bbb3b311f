import { expect, it } from 'vitest';
import { exceededBudgets, readBudgets } from './budgets.ts';
import { measure } from './measure.ts';

it('one click and one webhook enter no more files and functions than test/trace/budgets.json allows', async () => {
  const budgets = readBudgets();
  const exceeded = exceededBudgets(budgets, await measure(Object.keys(budgets)));
  expect(exceeded.join('\n\n'), 'Leave work out of the path, or change the budget and say why.').toBe('');
});
