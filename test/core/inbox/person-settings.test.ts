import { describe, expect, it } from 'vitest';
import { quietUntil } from '../../../src/core/inbox/person-settings.ts';

const NIGHT = { from: 22 * 60, to: 7 * 60 };
const NOON = { from: 12 * 60, to: 13 * 60 + 30 };
const EARLY = { from: 0, to: 2 * 60 + 30 };

describe('quiet hours', () => {
  it.each([
    ['end in the morning, over midnight', NIGHT, '2026-11-18T23:00+01:00', '2026-11-19T07:00+01:00'],
    ['end the same morning, after midnight', NIGHT, '2026-11-19T00:00+01:00', '2026-11-19T07:00+01:00'],
    ['begin on the minute', NIGHT, '2026-11-18T22:00+01:00', '2026-11-19T07:00+01:00'],
    ['have not begun a minute before', NIGHT, '2026-11-18T21:59+01:00', null],
    ['are over on the minute', NIGHT, '2026-11-19T07:00+01:00', null],
    ['may lie within one day', NOON, '2026-11-18T12:15+01:00', '2026-11-18T13:30+01:00'],
    ['are over in the afternoon', NOON, '2026-11-18T13:30+01:00', null],
    [
      'are a whole day from a time to the same time',
      { from: 60, to: 60 },
      '2026-11-18T00:30+01:00',
      '2026-11-18T01:00+01:00',
    ],
    ['end an hour sooner when the clocks are put forward', NIGHT, '2026-03-28T23:00+01:00', '2026-03-29T07:00+02:00'],
    ['end an hour later when they are put back', NIGHT, '2026-10-24T23:00+02:00', '2026-10-25T07:00+01:00'],
    ['end where the clocks skip their end', EARLY, '2026-03-29T01:00+01:00', '2026-03-29T03:00+02:00'],
    ['end at the first of two ends', EARLY, '2026-10-25T01:00+02:00', '2026-10-25T02:30+02:00'],
  ])('%s', (_, quiet, at, until) => {
    const end = quietUntil(quiet, Date.parse(at), 'Europe/Berlin');
    expect(end).toBe(until === null ? null : Date.parse(until));
  });

  it('go by the clocks where the person is', () => {
    const at = Date.parse('2026-11-18T23:00+01:00');
    expect(quietUntil(NIGHT, at, 'America/New_York')).toBeNull();
    expect(quietUntil(NIGHT, at, 'Asia/Kolkata')).toBe(Date.parse('2026-11-19T07:00+05:30'));
  });

  it('are none if nobody has set any', () => {
    expect(quietUntil(null, Date.parse('2026-11-18T23:00Z'), 'UTC')).toBeNull();
  });
});
