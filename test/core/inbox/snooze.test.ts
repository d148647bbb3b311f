import { expect, it } from 'vitest';
import {
  laterToday,
  type Snooze,
  tomorrowMorning,
  withoutSnoozes,
  withSnooze,
} from '../../../src/core/inbox/snooze.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const at = (text: string) => Date.parse(text);
const snooze = (approvalId: string, until: number): Snooze => ({ ref: 'r1', approvalId, until });

it('puts off for three hours, but not beyond the day where the person is', () => {
  const evening = at('2026-11-18T20:59+01:00');
  expect(laterToday(evening, 'Europe/Berlin')).toBe(at('2026-11-18T23:59+01:00'));
  const late = at('2026-11-18T21:30+01:00');
  expect(laterToday(late, 'Europe/Berlin')).toBe(at('2026-11-19T00:00+01:00'));
  expect(laterToday(late, 'America/New_York')).toBe(at('2026-11-19T00:30+01:00'));
});

it.each([
  ['in the evening', '2026-11-18T23:59+01:00', '2026-11-19T09:00+01:00'],
  ['after midnight', '2026-11-19T00:01+01:00', '2026-11-20T09:00+01:00'],
  ['when the clocks are put forward', '2026-03-28T12:00+01:00', '2026-03-29T09:00+02:00'],
])('puts off until nine tomorrow by the clocks where the person is: %s', (_, now, morning) => {
  expect(tomorrowMorning(at(now), 'Europe/Berlin')).toBe(at(morning));
});

it('keeps one time for each request, and forgets what has been over for a day', () => {
  const stored = [snooze('1', 10), snooze('2', 20)];
  expect(withSnooze(stored, snooze('1', 30), 10 + DAY_MS)).toEqual([snooze('2', 20), snooze('1', 30)]);
  expect(withSnooze(stored, snooze('3', DAY_MS * 2), 11 + DAY_MS)).toEqual([snooze('2', 20), snooze('3', DAY_MS * 2)]);
  expect(withoutSnoozes(stored, [{ ref: 'r1', approvalId: '1' }])).toEqual([snooze('2', 20)]);
  const many = Array.from({ length: 150 }).reduce<Snooze[]>(
    (all, _, i) => withSnooze(all, snooze(String(i), 9), 0),
    [],
  );
  expect([many.length, many.at(-1)?.approvalId]).toEqual([100, '149']);
});
