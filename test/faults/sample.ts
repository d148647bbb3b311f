/** `FAULTS=all npm test -- test/faults` */
export const TRIES_ALL = process.env.FAULTS === 'all';

/** The part of the trials that `npm test` has time for. */
export function everyNth<Item>(every: 2 | 4 | 8 | 32, items: readonly Item[], from: number): Item[] {
  if (TRIES_ALL) return [...items];
  return items.filter((_, i) => i % every === from);
}

/** Enough for all of them on a slow machine. */
export const TRIALS_TIMEOUT_MS = 900_000;
