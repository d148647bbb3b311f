import { describe, expect, it } from 'vitest';
import { digestSlot } from '../../../src/core/inbox/digest.ts';
import { type PersonSettings, USUAL_SETTINGS } from '../../../src/core/inbox/person-settings.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(`2026-${text}Z`);
const daily = (time: number, change: Partial<PersonSettings> = {}): PersonSettings => ({
  ...USUAL_SETTINGS,
  tell: { kind: 'daily', at: time, since: 0 },
  ...change,
});
const hourly = (change: Partial<PersonSettings> = {}): PersonSettings => ({
  ...USUAL_SETTINGS,
  tell: { kind: 'hourly', since: 0 },
  ...change,
});
const due = (settings: PersonSettings, now: string, timeZone = BERLIN) => {
  const slot = digestSlot(settings, at(now), timeZone);
  return slot && new Date(slot.at).toISOString().slice(5, 16);
};
const keyOf = (settings: PersonSettings, now: string, timeZone = BERLIN) =>
  digestSlot(settings, at(now), timeZone)?.key;

describe('an hourly digest', () => {
  it('is due on the hour', () => {
    expect(due(hourly(), '11-23T08:00')).toBe('11-23T08:00');
    expect(due(hourly(), '11-23T08:59')).toBe('11-23T08:00');
  });

  it('is due when the clocks of its zone are on the hour', () => {
    expect(due(hourly(), '11-23T08:20', 'Asia/Kathmandu')).toBe('11-23T08:15');
    expect(due(hourly(), '11-23T08:14', 'Asia/Kathmandu')).toBe('11-23T07:15');
  });

  it('is due in both of the hours that the clocks show twice', () => {
    expect(keyOf(hourly(), '10-25T00:30')).not.toBe(keyOf(hourly(), '10-25T01:30'));
  });
});

describe('a daily digest', () => {
  it('is due at its time, until twelve hours later', () => {
    expect(due(daily(540), '11-23T08:00')).toBe('11-23T08:00');
    expect(due(daily(540), '11-23T20:00')).toBe('11-23T08:00');
    expect(due(daily(540), '11-23T20:01')).toBeNull();
    expect(due(daily(540), '11-23T07:59')).toBeNull();
  });

  it('follows the clocks when they change', () => {
    expect(due(daily(540), '03-28T12:00')).toBe('03-28T08:00');
    expect(due(daily(540), '03-29T12:00')).toBe('03-29T07:00');
    expect(due(daily(150), '03-29T12:00')).toBe('03-29T01:00');
  });

  it('is due once a day around midnight', () => {
    expect(keyOf(daily(0), '11-22T22:59')).toBeUndefined();
    expect(keyOf(daily(0), '11-22T23:00')).toBe('2026-11-23 0');
    expect(keyOf(daily(1_439), '11-22T22:59')).toBe('2026-11-22 1439');
    expect(keyOf(daily(1_439), '11-22T23:30')).toBe('2026-11-22 1439');
  });

  it('comes once on each date, however the zone changes', () => {
    expect(keyOf(daily(540), '11-23T14:30', BERLIN)).toBe('2026-11-23 540');
    expect(keyOf(daily(540), '11-23T14:30', 'America/New_York')).toBe('2026-11-23 540');
    expect(keyOf(daily(540), '11-24T00:30', 'Asia/Tokyo')).toBe('2026-11-24 540');
  });
});

describe('a digest', () => {
  it('comes first after it was turned on', () => {
    const since = at('11-23T08:00');
    const on = { ...USUAL_SETTINGS, tell: { kind: 'hourly', since } } as const;
    expect(due(on, '11-23T08:59')).toBeNull();
    expect(due(on, '11-23T09:00')).toBe('11-23T09:00');
  });

  it('waits for the end of quiet hours, over midnight, too', () => {
    const quiet = { from: 22 * 60, to: 7 * 60 };
    expect(due(hourly({ quiet }), '11-23T01:30')).toBeNull();
    expect(due(hourly({ quiet }), '11-23T06:00')).toBe('11-23T06:00');
    expect(due(daily(23 * 60, { quiet }), '11-22T23:00')).toBeNull();
    expect(due(daily(23 * 60, { quiet }), '11-23T06:30')).toBe('11-23T06:00');
    expect(keyOf(daily(23 * 60, { quiet }), '11-23T06:30')).toBe('2026-11-22 1380');
  });

  it('is left out during an absence, and not sent later', () => {
    const away = { since: at('11-22T12:00'), until: at('11-23T08:30'), standIn: null };
    expect(due(hourly({ away }), '11-23T08:10')).toBeNull();
    expect(due(hourly({ away }), '11-23T08:40')).toBeNull();
    expect(due(hourly({ away }), '11-23T09:00')).toBe('11-23T09:00');
  });

  it('is nothing for those who are told at once or not at all', () => {
    expect(due(USUAL_SETTINGS, '11-23T08:00')).toBeNull();
    expect(due({ ...USUAL_SETTINGS, tell: { kind: 'at-once' } }, '11-23T08:00')).toBeNull();
  });
});
