import type { Millis } from './time.ts';
import { isTimeZone, offsetSpanAt } from './zone-offset.ts';

/** The hours of a week in which people work, in their time zone. */
export interface WorkingHours {
  /** As the crews file writes them: `Mon-Fri 09:00-17:00 Europe/Berlin`. */
  text: string;
  /** 1 for Monday to 7 for Sunday. */
  days: readonly number[];
  /** Minutes after midnight. */
  from: number;
  /** Minutes after midnight, later than `from`, at most 1,440. */
  to: number;
  /** An IANA time zone. */
  timeZone: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Null if it isn't days (`Mon-Fri`, `Mon,Wed,Fri`), hours (`09:00-17:00`) and a time zone (`Europe/Berlin`). */
export function parseWorkingHours(text: string): WorkingHours | null {
  const [days, hours, timeZone, ...more] = text.trim().split(/\s+/);
  if (days === undefined || hours === undefined || timeZone === undefined || more.length > 0) return null;
  const numbers = days.toLowerCase().split(',').map(daysIn);
  const [, from, to] = /^(\d{1,2}:\d{2})-(\d{1,2}:\d{2})$/.exec(hours)?.map(minutesOf) ?? [];
  if (!numbers.every((each) => each !== null) || from == null || to == null || from >= to) return null;
  if (!isTimeZone(timeZone)) return null;
  return { text: text.trim(), days: [...new Set(numbers.flat())].sort(), from, to, timeZone };
}

/** `Fri-Mon` goes over the weekend. */
function daysIn(text: string): number[] | null {
  const [first = -1, last = first, ...more] = text.split('-').map((name) => DAYS.indexOf(name));
  if (first < 0 || last < 0 || more.length > 0) return null;
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, i) => ((first + i) % 7) + 1);
}

function minutesOf(text: string): number | null {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= 1_440 ? total : null;
}

/** The instant at which this much time within the hours has passed. Without hours, all time counts. */
export function afterWorkingTime(start: Millis, durationMs: Millis, hours: WorkingHours | null): Millis {
  if (hours === null) return start + durationMs;
  let at = start;
  let leftMs = durationMs;
  while (leftMs > 0) {
    const { isWithin, until } = stretchAt(at, hours);
    if (isWithin && leftMs <= until - at) return at + leftMs;
    if (isWithin) leftMs -= until - at;
    at = until;
  }
  return at;
}

/** Whether an instant is within the hours, and until when at least that doesn't change. */
function stretchAt(at: Millis, { days, from, to, timeZone }: WorkingHours): { isWithin: boolean; until: Millis } {
  const { offsetMs, until } = offsetSpanAt(at, timeZone);
  const local = at + offsetMs;
  const sinceMidnight = ((local % DAY_MS) + DAY_MS) % DAY_MS;
  const isWorkday = days.includes(weekdayOf(Math.floor(local / DAY_MS)));
  const limits = [...(isWorkday ? [from * MINUTE_MS, to * MINUTE_MS] : []), DAY_MS];
  const next = limits.find((limit) => limit > sinceMidnight) ?? DAY_MS;
  const isWithin = isWorkday && sinceMidnight >= from * MINUTE_MS && sinceMidnight < to * MINUTE_MS;
  return { isWithin, until: Math.min(until, at + next - sinceMidnight) };
}

/** 1 for Monday to 7 for Sunday; the day 0 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
