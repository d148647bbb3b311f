import { z } from 'zod';
import type { Millis } from '../core/time.ts';

const UNITS_MS: Record<string, Millis> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST_MS = 365 * 86_400_000;

/** A time that something takes, which may be nothing: `0s`. */
export const DELAY = duration(parseDuration, 'must be a time from 0s to 365d, such as 10s, 30m, 4h or 3d');

/** The time after which something happens; null for `never`, which turns off for one task what the crew has. */
export const TIMER = duration(
  (written) => (written === 'never' ? null : parseDuration(written) || undefined),
  'must be a time from 1s to 365d, such as 30m, 4h or 3d, or never',
);

/** @param parse returns undefined for what breaks the rule */
function duration<Value>(parse: (written: string) => Value | undefined, rule: string) {
  return z.string(rule).transform((written, context): Value => {
    const value = parse(written);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: rule, input: written });
    return z.NEVER;
  });
}

/** In real time: a day has 24 hours. */
function parseDuration(written: string): Millis | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}) ?([smhd])$/.exec(written) ?? [];
  const ms = Number(amount) * (UNITS_MS[unit] ?? Number.NaN);
  return ms <= MOST_MS ? ms : undefined;
}
