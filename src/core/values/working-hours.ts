// Working hours, in which the clocks of requests run, and the calendar of time zones.

import { DAY_MS, MINUTE_MS, type Millis } from './time.ts';

export interface WorkingHours {
  /** The hours as the crews file writes them: `Mon-Fri 09:00-17:00 Europe/Berlin`. */
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

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Reads days (`Mon-Fri`, `Mon,Wed,Fri`), hours (`09:00-17:00`) and a time zone (`Europe/Berlin`); null for anything else. */
export function parseWorkingHours(text: string): WorkingHours | null {
  const [days, hours, timeZone, ...more] = text.trim().split(/\s+/);
  if (days === undefined || hours === undefined || timeZone === undefined || more.length > 0) return null;
  const numbers = days.toLowerCase().split(',').map(daysIn);
  const [, from, to] = /^(\d{1,2}:\d{2})-(\d{1,2}:\d{2})$/.exec(hours)?.map(minutesOf) ?? [];
  if (!numbers.every((each) => each !== null) || from == null || to == null || from >= to) return null;
  if (!isTimeZone(timeZone)) return null;
  return { text: text.trim(), days: [...new Set(numbers.flat())].sort(), from, to, timeZone };
}

/** Reads a day or a range of days, which may go over the weekend, such as `Fri-Mon`. */
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

/** Returns the instant at which this much time within the hours has passed. Without hours, all time counts. */
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

/** Returns whether an instant is within the hours, and an instant until which that doesn't change. */
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

/** Returns 1 for Monday to 7 for Sunday; the day 0 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Number of cached offsets: the platform takes a hundred times as long. */
const MOST_REMEMBERED = 2_000;

/** A time span in which a zone's offset from UTC is the same. */
interface OffsetSpan {
  offsetMs: Millis;
  /** The offset may change here. */
  until: Millis;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();
const OFFSETS = new Map<string, Millis>();

export function isTimeZone(name: string): boolean {
  if (!/^[a-z_]+(\/[a-z0-9_+-]+)*$/i.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset at an instant, and its end: the next midnight in UTC, or a change of the clocks before. */
export function offsetSpanAt(at: Millis, timeZone: string): OffsetSpan {
  const midnight = Math.floor(at / DAY_MS) * DAY_MS;
  const nextMidnight = midnight + DAY_MS;
  const [before, after] = [rememberedOffset(midnight, timeZone), rememberedOffset(nextMidnight, timeZone)];
  if (before === after) return { offsetMs: before, until: nextMidnight };
  const change = changeBetween(midnight, nextMidnight, timeZone);
  return at < change ? { offsetMs: before, until: change } : { offsetMs: after, until: nextMidnight };
}

/** Returns the first instant with the offset of the end. No zone changes its clocks twice a day. */
function changeBetween(start: Millis, end: Millis, timeZone: string): Millis {
  const after = rememberedOffset(end, timeZone);
  let [low, high] = [start, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, timeZone) === after) high = middle;
    else low = middle;
  }
  return high;
}

function rememberedOffset(midnight: Millis, timeZone: string): Millis {
  const key = `${timeZone} ${midnight}`;
  const cached = OFFSETS.get(key);
  if (cached !== undefined) return cached;
  if (OFFSETS.size >= MOST_REMEMBERED) OFFSETS.clear();
  const offset = offsetAt(midnight, timeZone);
  OFFSETS.set(key, offset);
  return offset;
}

/** Reads the offset from a name such as `GMT+05:30`, `GMT-03:00` or `GMT`. */
function offsetAt(at: Millis, timeZone: string): Millis {
  const name = formatOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, mark, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name ?? '') ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return mark === '-' ? -ms : ms;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = FORMATS.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  FORMATS.set(timeZone, format);
  return format;
}

/** No zone is further ahead of UTC. */
const MOST_AHEAD_MS = 15 * 60 * MINUTE_MS;

/** Returns the hour in a time zone, from 0 to 23. */
export function hourOf(at: Millis, timeZone: string): number {
  const local = at + offsetSpanAt(at, timeZone).offsetMs;
  return Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / (60 * MINUTE_MS));
}

/** Returns the date of an instant in a time zone, in days since 1970. */
export function localDay(at: Millis, timeZone: string): number {
  return Math.floor((at + offsetSpanAt(at, timeZone).offsetMs) / DAY_MS);
}

/** Returns when the clocks of a time zone first show this many minutes after the midnight of a day, or have skipped them. */
export function instantOf(day: number, minutes: number, timeZone: string): Millis {
  const local = day * DAY_MS + minutes * MINUTE_MS;
  for (let at = local - MOST_AHEAD_MS; ; ) {
    const { offsetMs, until } = offsetSpanAt(at, timeZone);
    const instant = Math.max(at, local - offsetMs);
    if (instant < until) return instant;
    at = until;
  }
}

/** Returns the day of a date such as `2026-12-01`, in days since 1970; null if there is no such date. */
export function dayOf(date: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) || dateOf(at / DAY_MS) !== date ? null : at / DAY_MS;
}

/** Returns a day as a date such as `2026-12-01`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
