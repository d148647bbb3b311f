/**
 * What `npm test` has time for: one of so many trials, in turns; `FAULTS=all npm test -- test/faults` tries all of them.
 * Every other kill point still meets every moment: just before an effect is just after the one before it.
 */
export function oneOf<Item>(every: 2 | 4, items: readonly Item[], from: number): Item[] {
  if (process.env.FAULTS === 'all') return [...items];
  return items.filter((_, i) => i % every === from);
}

/** For all of them, on a slow machine. */
export const TRIALS_PATIENCE_MS = 900_000;
