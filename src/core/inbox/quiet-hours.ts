import type { Millis } from '../time.ts';
import { offsetSpanAt } from '../working-hours.ts';

/** In minutes after midnight; over midnight if `to` <= `from`. */
interface QuietHours {
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When the quiet hours end in which an instant lies, by the clocks of a time zone; null if it lies in none. */
export function quietUntil(quiet: QuietHours | null, at: Millis, timeZone: string): Millis | null {
  if (quiet === null) return null;
  const { offsetMs, until } = offsetSpanAt(at, timeZone);
  const sinceFrom = withinDay(at + offsetMs - quiet.from * MINUTE_MS);
  const lengthMs = withinDay((quiet.to - quiet.from) * MINUTE_MS) || DAY_MS;
  if (sinceFrom >= lengthMs) return null;
  const end = at + lengthMs - sinceFrom;
  // The clocks may change before, and may skip the end.
  return end <= until ? end : (quietUntil(quiet, until, timeZone) ?? until);
}

function withinDay(ms: number): number {
  return ((ms % DAY_MS) + DAY_MS) % DAY_MS;
}
