/**
 * How much work one comparison may do beside what grows only with the texts, so that it never holds up the clicks of others.
 * It counts steps, not time: a comparison has the same result, and the same pages, whenever it is made.
 */
export interface Budget {
  /** Characters to read word by word. A million take about 150 ms. */
  characters: number;
  /** Words to look up, to tell how alike two lines are. A million take about 50 ms. */
  lookUps: number;
  /** Steps between the words of changed lines. A million take about 60 ms. */
  steps: number;
}

export function comparisonBudget(): Budget {
  return { characters: 400_000, lookUps: 400_000, steps: 400_000 };
}

/** Whether there was enough left; what has been asked for is spent even if not. */
export function spend(budget: Budget, what: keyof Budget, amount: number): boolean {
  budget[what] -= amount;
  return budget[what] >= 0;
}
