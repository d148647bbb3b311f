import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecidedRequest, decisionsADay, quantile, summarize } from '../../src/core/history.ts';
import { decidedRequest } from '../support/decided-requests.ts';

const inMinutes = (...minutes: number[]) =>
  minutes.map((each) => decidedRequest({ askedAt: 0, decidedAt: each * 60_000 }));
const by = (...people: string[]) => decidedRequest({ by: people });
const inRounds = (...rounds: number[]) => rounds.map((each) => decidedRequest({ rounds: each }));
const rejected = (change: Partial<DecidedRequest> = {}) => decidedRequest({ outcome: 'reject', ...change });

describe('a summary', () => {
  it('of nothing has no times and no rounds', () => {
    expect(summarize([])).toEqual({
      ...{
        approved: 0,
        changesRequested: 0,
        declined: 0,
        expired: 0,
        timeToDecision: null,
        approvals: null,
        deciders: [],
      },
    });
  });

  it('counts what nobody decided in time as expired, whatever the crew was told', () => {
    const summary = summarize([
      decidedRequest(),
      rejected(),
      rejected({ by: [], decidedAt: 9e9 }),
      decidedRequest({ outcome: 'closed', by: [], decidedAt: 9e9 }),
    ]);
    expect(summary).toMatchObject({ approved: 1, changesRequested: 1, expired: 2 });
    expect(summary.timeToDecision?.p90Ms).toBeLessThan(9e9);
  });

  it('tells times that really occurred', () => {
    expect(summarize(inMinutes(5)).timeToDecision).toEqual({ medianMs: 300_000, p90Ms: 300_000 });
    expect(summarize(inMinutes(10, 1, 3, 2)).timeToDecision).toEqual({ medianMs: 120_000, p90Ms: 600_000 });
    const ten = summarize(inMinutes(1, 2, 3, 4, 5, 6, 7, 8, 9, 100));
    expect(ten.timeToDecision).toEqual({ medianMs: 300_000, p90Ms: 540_000 });
  });

  it('tells the rounds of approvals only', () => {
    expect(summarize([...inRounds(1, 1, 4), rejected({ rounds: 9 })]).approvals).toEqual({ rounds: 2, atFirst: 2 });
    expect(summarize([rejected()]).approvals).toBeNull();
  });

  it('names the three who took part in most decisions, each voter of a quorum among them', () => {
    const requests = [by('U1', 'U2'), by('U2'), by('U3', 'U2'), by('U3'), by('U4'), by()];
    expect(summarize(requests).deciders).toEqual([
      { id: 'U2', decisions: 3 },
      { id: 'U3', decisions: 2 },
      { id: 'U1', decisions: 1 },
    ]);
  });
});

it('a quantile is the smallest value that enough of them do not exceed', () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), share, (values, of) => {
      const found = quantile(values, of) ?? Number.NaN;
      const upTo = (most: number) => values.filter((value) => value <= most).length;
      expect(upTo(found)).toBeGreaterThanOrEqual(of * values.length);
      expect(upTo(found - 1)).toBeLessThan(of * values.length);
    }),
  );
});

describe('the decisions a day', () => {
  const now = Date.parse('2026-10-26T23:30:00Z');
  const at = (time: string, change: Partial<DecidedRequest> = {}) =>
    decidedRequest({ decidedAt: Date.parse(time), ...change });

  it('are those of dates in the time zone, today last', () => {
    const requests = [
      at('2026-10-26T23:00:00Z'),
      at('2026-10-26T22:59:59Z'),
      at('2026-10-25T23:00:00Z'),
      // The clocks are an hour ahead until the night before.
      at('2026-10-24T21:59:59Z'),
      at('2026-10-24T22:00:00Z'),
      at('2026-10-22T10:00:00Z'),
    ];
    const days = decisionsADay(requests, { now, days: 4, timeZone: 'Europe/Berlin' });
    expect(days.map(({ date, decisions }) => [new Date(date).toISOString().slice(0, 10), decisions])).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 1],
      ['2026-10-26', 2],
      ['2026-10-27', 1],
    ]);
  });

  it('leave out what time decided', () => {
    const expired = at('2026-10-26T12:00:00Z', { outcome: 'closed', by: [] });
    expect(decisionsADay([expired], { now, days: 1, timeZone: 'UTC' })[0]?.decisions).toBe(0);
  });
});
