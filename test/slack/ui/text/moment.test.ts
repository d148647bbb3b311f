import { describe, expect, it } from 'vitest';
import { duration, roughly, slackDate, withDate } from '../../../../src/slack/ui/text/moment.ts';
import { sayIn } from '../../../support/say.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('times', () => {
  it('are in each reader’s time zone', () => {
    expect(slackDate(Date.UTC(2026, 0, 2, 3, 4), sayIn('en'))).toBe(
      '<!date^1767323040^{date_short_pretty} at {time}|2026-01-02 03:04 UTC>',
    );
    expect(slackDate(Date.UTC(2026, 0, 2, 3, 4), sayIn('en'), 'since ')).toBe(
      '<!date^1767323040^since {date_short_pretty} at {time}|since 2026-01-02 03:04 UTC>',
    );
  });

  it('have no capital within a sentence: the words before a date belong to its text', () => {
    const until = (at: string) => ` (open until ${at}).`;
    expect(withDate(Date.UTC(2026, 0, 2, 3, 4), sayIn('en'), until)).toBe(
      ' <!date^1767323040^(open until {date_short_pretty} at {time}|(open until 2026-01-02 03:04 UTC>).',
    );
  });

  it.each([
    [0, 'under a second'],
    [-5, 'under a second'],
    [45 * SECOND, '45 s'],
    [200 * SECOND, '3 min 20 s'],
    [5 * MINUTE, '5 min'],
    [2 * HOUR + 5 * MINUTE + SECOND, '2 h 5 min'],
    [DAY, '1 day'],
    [3 * DAY + 4 * HOUR, '3 days 4 h'],
    [59_999, '1 min'],
  ])('a run of %d ms took %s', (ms, words) => {
    expect(duration(ms, sayIn('en'))).toBe(words);
  });

  it.each([
    [SECOND, 'a few seconds'],
    [25 * SECOND, 'about 25 s'],
    [200 * SECOND, 'about 3 min'],
    [50 * HOUR, 'about 2 days'],
  ])('a run that goes on for %d ms does so for %s', (ms, words) => {
    expect(roughly(ms, sayIn('en'))).toBe(words);
  });
});
