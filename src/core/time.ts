/** An instant in milliseconds since 1970, always from Redis' clock, so that processes with different clocks agree. */
export type Millis = number;

/** A doubling delay in milliseconds for the given number of failed tries: `firstMs`, twice that, … never over `mostMs`. */
export function backoffMs(tries: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30));
}
