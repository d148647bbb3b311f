import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/core/ledger/entry.ts';
import { cutLine } from '../../../src/slack/ui/text/escape.ts';
import { createDays } from '../../../src/tools/report/days.ts';
import { asked, decided, NOW } from '../../ledger/ledger-under-test.ts';
import { HOSTILE, pageOf } from './report-page.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** The beginning of the day of NOW. */
const TODAY = Math.floor(NOW / DAY) * DAY;

function daysOf(
  runs: readonly LedgerEvent[][],
  { since = TODAY, until = TODAY + 3 * DAY, crew = null as string | null } = {},
) {
  const days = createDays({ since, until }, { crew, slaMs: 4 * HOUR });
  for (const [i, run] of runs.entries()) days.add(`run-${i}`, run);
  return days;
}

const expiredAt = (at: number): LedgerEvent => ({
  kind: 'expired',
  at,
  facts: { approval: '1', policy: 'ab', outcome: 'close' },
});

describe('the days of a report', () => {
  it.each<[fate: string, run: LedgerEvent[]]>([
    ['in-target', [asked({}, TODAY), decided({}, TODAY + 4 * HOUR)]],
    ['later', [asked({}, TODAY), decided({}, TODAY + 4 * HOUR + 1)]],
    ['expired', [asked({}, TODAY), expiredAt(TODAY + DAY)]],
    ['open', [asked({}, TODAY)]],
  ])('count a request as %s', (fate, run) => {
    const [day] = daysOf([run]).days();
    expect(day).toEqual({ from: TODAY, requests: { 'in-target': 0, later: 0, expired: 0, open: 0, [fate]: 1 } });
  });

  it('are all there, also those on which nothing was asked, and no others', () => {
    const at = [TODAY - 1, TODAY, TODAY + 2 * DAY, TODAY + 3 * DAY - 1, TODAY + 3 * DAY];
    const days = daysOf(at.map((each) => [asked({}, each)])).days();
    expect(days.map(({ from, requests }) => [(from - TODAY) / DAY, requests.open])).toEqual([
      [0, 1],
      [1, 0],
      [2, 2],
    ]);
  });

  it('are weeks from Monday on where they are many', () => {
    const days = daysOf([[asked({}, NOW)]], { since: TODAY - 93 * DAY, until: TODAY + DAY });
    expect(days.unit).toBe('week');
    expect(days.days().map(({ from }) => new Date(from).getUTCDay())).toEqual(Array(14).fill(1));
    expect(days.days().at(-1)?.requests.open).toBe(1);
  });

  it('are those of one crew, with what expired, newest first', () => {
    const run = (crew: string, hours: number) => [asked({ crew }, TODAY), expiredAt(TODAY + hours * HOUR)];
    const days = daysOf([run('a', 1), run('b', 2), run('a', 3)], { crew: 'a' });
    expect(days.expired().map(({ ref }) => ref)).toEqual(['run-2', 'run-0']);
  });
});

describe('the page of a report', () => {
  it('has the figures of every plot in a table', () => {
    const page = pageOf();
    for (const heading of [
      'Requests a day',
      'Time to decision by crew',
      'Time to decision by approver group',
      'What expired',
    ])
      expect(page).toContain(`<h2>${heading}</h2>`);
    const row = (name: string) =>
      page
        .split('\n')
        .find((line) => line.includes(`<th scope="row">${name}</th>`))
        ?.replace(/<[^>]+>/g, ' ')
        .trim()
        .split(/ {2,}/);
    expect(row('payments')).toEqual(['payments', '2', '2', '1 (50 %)', '30m', '1d 1h', '0', '1']);
    expect(row('@leads')).toEqual(['@leads', '3', '3', '2 (66 %)', '30m', '1d 1h', '0', '1']);
    expect(row(new Date(TODAY).toISOString().slice(0, 10))?.slice(1)).toEqual(['2', '1', '1', '1']);
    expect(page).toContain('The target is a decision within 1 day, in real time');
  });

  it('shows names as they are, and never as markup', () => {
    const page = pageOf();
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    for (const markup of ['<img', '<b>', '<script', HOSTILE]) expect(page).not.toContain(markup);
  });

  it('says so where nothing was asked, and where nothing expired', () => {
    expect(pageOf([])).toContain('<p>No requests were asked in this time.</p>');
    expect(pageOf([[asked(), decided()]])).toContain(
      '<p>Nothing: everything was decided in time, waits, or became void.</p>',
    );
  });

  it('draws a time of nothing, and one of a year', () => {
    const page = pageOf([
      [asked({}, NOW), decided({}, NOW)],
      [asked({ crew: 'slow' }, NOW), decided({}, NOW + 365 * DAY)],
    ]);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('cuts what can’t be drawn for its number, and says so', () => {
    const many = Array.from({ length: 60 }, (_, i) => [
      ...[asked({ crew: `crew-${i}` }, NOW), decided({}, NOW + HOUR)],
      ...[asked({ crew: `crew-${i}`, approval: '2' }, NOW)],
      { ...expiredAt(NOW + DAY), facts: { approval: '2', policy: 'ab', outcome: 'close' } } as LedgerEvent,
    ]);
    const page = pageOf(many);
    expect(page).toContain('The 25 with the most decisions are drawn.');
    expect(page).toContain('<p>The latest 50 of 60.</p>');
    expect(page).toContain(`<th scope="row">crew-59</th>`);
  });

  it('shows a long name on one line, cut', () => {
    expect(pageOf([[asked({ crew: `a\n${'b'.repeat(500)}` }), decided()]])).toContain(
      cutLine(`a ${'b'.repeat(500)}`, 80),
    );
  });
});
