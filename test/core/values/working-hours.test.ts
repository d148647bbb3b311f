import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterWorkingTime, parseWorkingHours, type WorkingHours } from '../../../src/core/values/working-hours.ts';
import { runs } from '../../support/sample.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function hoursOf(text: string): WorkingHours {
  const hours = parseWorkingHours(text);
  if (hours === null) throw new Error(`not working hours: ${text}`);
  return hours;
}

describe('working hours', () => {
  it.each([
    ['Mon-Fri 09:00-17:00 Europe/Berlin', [1, 2, 3, 4, 5], 540, 1020, 'Europe/Berlin'],
    ['Mon,Wed,Fri 8:30-12:00 UTC', [1, 3, 5], 510, 720, 'UTC'],
    ['Sat-Sun 00:00-24:00 America/Argentina/Buenos_Aires', [6, 7], 0, 1440, 'America/Argentina/Buenos_Aires'],
    ['fri-mon,wed 09:00-10:00 Asia/Kolkata', [1, 3, 5, 6, 7], 540, 600, 'Asia/Kolkata'],
    ['Sun 09:00-10:00 Asia/Tokyo', [7], 540, 600, 'Asia/Tokyo'],
  ])('can be %s', (text, days, from, to, timeZone) => {
    expect(parseWorkingHours(text)).toEqual({ text, days, from, to, timeZone });
  });

  it.each([
    '',
    'Mon-Fri',
    'Mon-Fri 09:00-17:00',
    '09:00-17:00 Europe/Berlin',
    'Mon-Fri 09:00-17:00 Europe/Berlin now',
    'Mon-Fri 17:00-09:00 Europe/Berlin',
    'Mon-Fri 09:00-09:00 Europe/Berlin',
    'Mon-Fri 9-17 Europe/Berlin',
    'Mon-Fri 09:00-24:01 Europe/Berlin',
    'Mon-Fri 09:60-17:00 Europe/Berlin',
    'Monday-Friday 09:00-17:00 Europe/Berlin',
    'Mon-Wed-Fri 09:00-17:00 Europe/Berlin',
    'Mon, 09:00-17:00 Europe/Berlin',
    'Mon-Fri 09:00-17:00 Europe/Atlantis',
    'Mon-Fri 09:00-17:00 +01:00',
  ])('can’t be "%s"', (text) => {
    expect(parseWorkingHours(text)).toBeNull();
  });
});

describe('time within working hours', () => {
  const OFFICE = 'Mon-Fri 09:00-17:00 Europe/Berlin';

  it.each([
    ['goes by at once within them', '2026-11-18T10:00+01:00', 2 * HOUR, OFFICE, '2026-11-18T12:00+01:00'],
    ['waits for the morning', '2026-11-18T06:00+01:00', 2 * HOUR, OFFICE, '2026-11-18T11:00+01:00'],
    ['goes on the next day', '2026-11-18T16:00+01:00', 2 * HOUR, OFFICE, '2026-11-19T10:00+01:00'],
    ['leaves out the weekend', '2026-11-20T16:00+01:00', 2 * HOUR, OFFICE, '2026-11-23T10:00+01:00'],
    ['may end with the day', '2026-11-20T16:00+01:00', HOUR, OFFICE, '2026-11-20T17:00+01:00'],
    ['is over nine working days for three days', '2026-11-18T09:00+01:00', 3 * DAY, OFFICE, '2026-11-30T17:00+01:00'],
    ['keeps to the local clock in spring', '2026-03-27T16:00+01:00', 2 * HOUR, OFFICE, '2026-03-30T10:00+02:00'],
    ['keeps to the local clock in autumn', '2026-10-23T16:00+02:00', 2 * HOUR, OFFICE, '2026-10-26T10:00+01:00'],
    [
      'lacks the hour that the clocks skip',
      '2026-03-29T01:00+01:00',
      2 * HOUR,
      'Sun 01:00-04:00 Europe/Berlin',
      '2026-03-29T04:00+02:00',
    ],
    [
      'has the hour twice that the clocks repeat',
      '2026-10-25T01:00+02:00',
      4 * HOUR,
      'Sun 01:00-04:00 Europe/Berlin',
      '2026-10-25T04:00+01:00',
    ],
  ])('%s', (_, start, durationMs, hours, end) => {
    const at = afterWorkingTime(Date.parse(start), durationMs, hoursOf(hours));
    expect(new Date(at).toISOString()).toBe(new Date(end).toISOString());
  });

  it('is all time without any', () => {
    expect(afterWorkingTime(1_000, 500, null)).toBe(1_500);
  });
});

/** Zones that change their clocks at midnight, by half an hour, in the southern hemisphere, or that have skipped a whole day. */
const CLOCK_CHANGES = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Africa/Cairo', '2026-04-24'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kolkata', '2026-05-01'],
  ['UTC', '2026-05-01'],
] as const;

const anyHours = fc
  .tuple(
    fc.constantFrom(...CLOCK_CHANGES),
    fc.constantFrom('Mon-Sun', 'Mon-Fri', 'Sat-Sun', 'Sun', 'Fri-Sun,Tue'),
    fc.uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 2 }),
  )
  .map(([[timeZone, day], days, quarters]) => {
    const [from = 0, to = 0] = quarters.sort((a, b) => a - b).map((quarter) => quarter * 15);
    return { hours: hoursOf(`${days} ${clock(from)}-${clock(to)} ${timeZone}`), near: Date.parse(`${day}T12:00Z`) };
  });

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((n) => `${n}`.padStart(2, '0')).join(':');

const anyMinutes = (most: number) => fc.integer({ min: 0, max: most }).map((minutes) => minutes * MINUTE);

interface WallTime {
  weekday: number;
  minute: number;
}

/** Asking the platform takes most of the time, and the same minutes are asked for again and again. */
const WALL_TIMES = new Map<string, Map<number, WallTime>>();

function wallTimes(timeZone: string): (at: number) => WallTime {
  const known = WALL_TIMES.get(timeZone) ?? new Map<number, WallTime>();
  WALL_TIMES.set(timeZone, known);
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  return (at) => {
    const seen = known.get(at);
    if (seen) return seen;
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? '') + 1;
    const shown = { weekday, minute: Number(parts.hour) * 60 + Number(parts.minute) };
    known.set(at, shown);
    return shown;
  };
}

/** Counts the minutes that a clock on the wall in that zone shows to be within the hours. */
function minuteByMinute(start: number, durationMs: number, { days, from, to, timeZone }: WorkingHours): number {
  const shownAt = wallTimes(timeZone);
  const isWithin = (at: number) => {
    const { weekday, minute } = shownAt(at);
    return days.includes(weekday) && minute >= from && minute < to;
  };
  let at = start;
  for (let left = durationMs; left > 0; at += MINUTE) if (isWithin(at)) left -= MINUTE;
  return at;
}

describe('any working hours', () => {
  it('are counted as a clock on the wall shows them', () => {
    const start = fc.integer({ min: -3 * 24 * 60, max: 24 * 60 });
    const cases = fc.property(anyHours, start, anyMinutes(600), ({ hours, near }, minutes, durationMs) => {
      const at = near + minutes * MINUTE;
      expect(afterWorkingTime(at, durationMs, hours)).toBe(minuteByMinute(at, durationMs, hours));
    });
    fc.assert(cases, runs({ some: 50, all: 300 }));
  });

  it('never end sooner for a later start or a longer time', () => {
    const anyMs = fc.integer({ min: 0, max: 3 * DAY });
    fc.assert(
      fc.property(anyHours, anyMs, anyMs, anyMs, ({ hours, near }, durationMs, later, longer) => {
        const end = afterWorkingTime(near, durationMs, hours);
        expect(end).toBeGreaterThanOrEqual(near + durationMs);
        expect(afterWorkingTime(near + later, durationMs, hours)).toBeGreaterThanOrEqual(end);
        expect(afterWorkingTime(near, durationMs + longer, hours)).toBeGreaterThanOrEqual(end);
      }),
    );
  });

  it('add up', () => {
    const anyMs = fc.integer({ min: 0, max: 3 * DAY });
    fc.assert(
      fc.property(anyHours, anyMs, anyMs, ({ hours, near }, first, second) => {
        const halfway = afterWorkingTime(near, first, hours);
        expect(afterWorkingTime(halfway, second, hours)).toBe(afterWorkingTime(near, first + second, hours));
      }),
    );
  });
});
