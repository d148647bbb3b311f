/** The same choices for the same seed. */
export interface SeededRandom {
  /** At least 0, less than 1. */
  next(): number;
  /** An integer, both limits included. */
  between(least: number, most: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, and even enough for choosing faults. */
export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    oneOf(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('there is nothing to choose from');
      return item;
    },
  };
}
