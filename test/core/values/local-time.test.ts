import { describe, expect, it } from 'vitest';
import { dateOf, dayOf, instantOf, localDay } from '../../../src/core/values/working-hours.ts';

const at = (text: string) => Date.parse(text);
const day = (date: string) => dayOf(date) ?? Number.NaN;

describe('an instant of a day', () => {
  it.each([
    ['2026-11-23', 540, 'Europe/Berlin', '2026-11-23T08:00Z'],
    ['2026-11-23', 0, 'Pacific/Kiritimati', '2026-11-22T10:00Z'],
    ['2026-11-23', 1_439, 'Pacific/Pago_Pago', '2026-11-24T10:59Z'],
    ['2026-11-23', 0, 'Asia/Kathmandu', '2026-11-22T18:15Z'],
    // The clocks skip 02:30, and show it twice in autumn.
    ['2026-03-29', 150, 'Europe/Berlin', '2026-03-29T01:00Z'],
    ['2026-03-29', 180, 'Europe/Berlin', '2026-03-29T01:00Z'],
    ['2026-10-25', 150, 'Europe/Berlin', '2026-10-25T00:30Z'],
    ['2026-10-25', 180, 'Europe/Berlin', '2026-10-25T02:00Z'],
    // Midnight itself is skipped here.
    ['2026-09-06', 0, 'America/Santiago', '2026-09-06T04:00Z'],
  ])('of %s at minute %d in %s', (date, minutes, timeZone, expected) => {
    expect(new Date(instantOf(day(date), minutes, timeZone))).toEqual(new Date(expected));
  });
});

it('knows the date that it is somewhere', () => {
  const now = at('2026-11-23T23:30Z');
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => dateOf(localDay(now, zone)))).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-23',
  ]);
});

it.each(['', '2026-02-30', '2026-13-01', 'tomorrow', '2026-1-1'])('takes nothing else for a date: %s', (text) => {
  expect(dayOf(text)).toBeNull();
});
