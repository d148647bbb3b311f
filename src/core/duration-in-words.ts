import type { Millis } from './time.ts';

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
