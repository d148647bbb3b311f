import { spread } from './text.ts';

/** An instant in milliseconds since 1970, always by the clock of Redis, on which all processes agree. */
export type Millis = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the exponential backoff after `tries` failures: `firstMs`, doubled each time, at most `mostMs`. */
export function backoffMs(tries: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30));
}

const JITTER = 0.2;

/** Makes a time a little longer or shorter, so that things that began at once go on at different times. Depends on the seed alone. */
export function jittered(ms: number, seed: string): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * spread(seed)));
}

const UNITS: readonly (readonly [name: string, ms: Millis])[] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1_000],
];

/** Returns a duration in one unit: `3 days`, `36 hours`, `1 minute`. */
export function durationInWords(ms: Millis): string {
  const [name, unit] = UNITS.find(([, each]) => ms % each === 0) ?? ['second', 1_000];
  const amount = ms / unit;
  return `${amount} ${name}${amount === 1 ? '' : 's'}`;
}

const UNIT_MS: Record<string, Millis> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const MOST_DAYS = 365;

export const DURATION = /^(\d{1,9}) ?([smhd])$/;

/** Reads a duration such as `30m`, `4h` or `3d`. A day has 24 hours. Undefined for anything else, or more than a year. */
export function parseDuration(written: string): Millis | undefined {
  const [, amount, unit = ''] = DURATION.exec(written) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  return ms <= MOST_DAYS * DAY_MS ? ms : undefined;
}
