/** What `npm test` has time for: one of so many trials, in turns; `FAULTS=all npm test -- test/faults` tries all of them. */
export function everyNth<Item>(every: 2 | 4, items: readonly Item[], from: number): Item[] {
  if (process.env.FAULTS === 'all') return [...items];
  return items.filter((_, i) => i % every === from);
}

/** For all of them, on a slow machine. */
export const TRIALS_TIMEOUT_MS = 900_000;
