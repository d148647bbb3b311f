/** An instant in milliseconds since 1970, always by the clock of Redis, on which all processes agree. */
export type Millis = number;

/** Exponential backoff in milliseconds after `tries` failures: `firstMs`, doubled each time, at most `mostMs`. */
export function backoffMs(tries: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30));
}
