/** An instant in milliseconds since 1970, always by the clock of Redis, on which all processes agree. */
export type Millis = number;

/** Exponential backoff in milliseconds after `tries` failures: `firstMs`, doubled each time, at most `mostMs`. */
export function backoffMs(tries: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30));
}

const UNITS: readonly (readonly [name: string, ms: Millis])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** A time as an operator sets it, in one unit: `3 days`, `36 hours`, `1 minute`. */
export function durationInWords(ms: Millis): string {
  const [name, unit] = UNITS.find(([, each]) => ms % each === 0) ?? ['second', 1_000];
  const amount = ms / unit;
  return `${amount} ${name}${amount === 1 ? '' : 's'}`;
}
