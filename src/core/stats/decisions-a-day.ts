import type { DecidedRequest } from '../history/decided-request.ts';
import type { Millis } from '../time.ts';
import { offsetSpanAt } from '../working-hours.ts';
import { isByPeople } from './summarize.ts';

const DAY_MS = 86_400_000;

export interface DecisionDay {
  /** Midnight of that date in UTC: what names the date, not when the day began. */
  date: Millis;
  decisions: number;
}

/** The decisions that people made on each of the last days by the clocks of a time zone, oldest first, today last. */
export function decisionsADay(
  requests: readonly DecidedRequest[],
  { now, days, timeZone }: { now: Millis; days: number; timeZone: string },
): DecisionDay[] {
  const counts = new Map<number, number>();
  for (const request of requests.filter(isByPeople)) {
    const day = dayOf(request.decidedAt, timeZone);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const first = dayOf(now, timeZone) - days + 1;
  return Array.from({ length: days }, (_, i) => ({
    date: (first + i) * DAY_MS,
    decisions: counts.get(first + i) ?? 0,
  }));
}

/** The number of the date since 1970. */
function dayOf(at: Millis, timeZone: string): number {
  return Math.floor((at + offsetSpanAt(at, timeZone).offsetMs) / DAY_MS);
}
