import type { Millis } from './time.ts';
import { offsetSpanAt } from './zone-offset.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** More than any zone is ahead of UTC. */
const MOST_AHEAD_MS = 15 * 60 * MINUTE_MS;

/** The date of an instant in a time zone, in days since 1970. */
export function localDay(at: Millis, timeZone: string): number {
  return Math.floor((at + offsetSpanAt(at, timeZone).offsetMs) / DAY_MS);
}

/** When the clocks of a time zone first show this many minutes after the midnight of a day, or have skipped them. */
export function instantOf(day: number, minutes: number, timeZone: string): Millis {
  const local = day * DAY_MS + minutes * MINUTE_MS;
  for (let at = local - MOST_AHEAD_MS; ; ) {
    const { offsetMs, until } = offsetSpanAt(at, timeZone);
    const shown = Math.max(at, local - offsetMs);
    if (shown < until) return shown;
    at = until;
  }
}

/** The day of a date such as `2026-12-01`, in days since 1970; null if there is no such date. */
export function dayOf(date: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) || dateOf(at / DAY_MS) !== date ? null : at / DAY_MS;
}

/** A day as a date such as `2026-12-01`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
