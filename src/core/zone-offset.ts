import type { Millis } from './time.ts';

const DAY_MS = 86_400_000;

/** Days of which the offsets are remembered: asking the platform takes a hundred times as long. */
const MOST_REMEMBERED = 2_000;

/** A stretch of time in which the clocks of a zone are the same time ahead of UTC. */
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

/** The offset of an instant, and how long it lasts at least: until the next midnight in UTC, or a change of the clocks. */
export function offsetSpanAt(at: Millis, timeZone: string): OffsetSpan {
  const midnight = Math.floor(at / DAY_MS) * DAY_MS;
  const nextMidnight = midnight + DAY_MS;
  const [before, after] = [rememberedOffset(midnight, timeZone), rememberedOffset(nextMidnight, timeZone)];
  if (before === after) return { offsetMs: before, until: nextMidnight };
  const change = changeBetween(midnight, nextMidnight, timeZone);
  return at < change ? { offsetMs: before, until: change } : { offsetMs: after, until: nextMidnight };
}

/** The first instant with the offset of the end. No zone changes its clocks twice a day. */
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
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  if (OFFSETS.size >= MOST_REMEMBERED) OFFSETS.clear();
  const offset = offsetAt(midnight, timeZone);
  OFFSETS.set(key, offset);
  return offset;
}

/** From a name such as `GMT+05:30`, `GMT-03:00` or `GMT`. */
function offsetAt(at: Millis, timeZone: string): Millis {
  const name = formatOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, mark, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name ?? '') ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return mark === '-' ? -ms : ms;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  FORMATS.set(timeZone, format);
  return format;
}
