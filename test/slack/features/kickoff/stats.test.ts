import { afterEach, describe, expect, it } from 'vitest';
import { summarize } from '../../../../src/core/history.ts';
import { checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { type Stats, statsMessage, statsWithChart } from '../../../../src/slack/features/kickoff/stats.ts';
import { barsInText } from '../../../../src/slack/ui/chart.ts';
import { decidedRequest } from '../../../support/decided-requests.ts';
import { NOW, name, say, speak } from '../../ui/models.ts';
import { said } from '../../ui/said.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = Array.from({ length: 14 }, (_, i) => ({
  date: Date.UTC(2026, 10, 10 + i),
  decisions: i === 9 ? 7 : i % 2,
}));

const requests = [
  ...Array.from({ length: 3 }, () => decidedRequest({ by: ['Maria'] })),
  decidedRequest({ by: ['Maria', 'Jon'], rounds: 3, decidedAt: decidedRequest().askedAt + 2 * HOUR_MS }),
  decidedRequest({ by: ['Jon'], outcome: 'reject' }),
  decidedRequest({ by: [], outcome: 'closed' }),
];

function stats(change: Partial<Stats> = {}): Stats {
  return {
    crew: 'research',
    open: [{ crew: 'research', askedAt: NOW - 3 * HOUR_MS }],
    periods: [7, 30].map((days) => ({ days, ...summarize(requests) })),
    days: DAYS,
    timeZone: 'Europe/Berlin',
    ...change,
  };
}

const wording = () => ({ now: NOW, name, say });
const words = (change?: Partial<Stats>) => said(statsMessage(stats(change), wording()));

afterEach(() => speak('en'));

describe('the figures', () => {
  it('are those of 7 and 30 days', () => {
    const [, figures] = statsMessage(stats(), wording()).blocks;
    expect(figures).toMatchObject({
      type: 'section',
      fields: [{ text: expect.any(String) }, { text: expect.any(String) }],
    });
    const text = words();
    expect(text).toContain('*Decisions of research*');
    expect(text).toContain('1 request has been waiting for a decision for 3 h.');
    for (const line of [
      '*Last 7 days*',
      'Decided: 5 (4 approved, 1 rejected)',
      'Expired without a decision: 1',
      'Time to decision: median 1 min, 90th percentile 2 h',
      'Rounds per approval: 1.5',
      'Approved in the first round: 75% (3 of 4)',
      'Most decisions: Maria 4 and Jon 2',
    ])
      expect(text).toContain(line);
  });

  it('say where most requests wait, if they are those of all crews', () => {
    const open = ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g'].map((crew) => ({ crew, askedAt: NOW - DAY_MS }));
    const text = words({ crew: null, open });
    expect(text).toContain('*Decisions of all crews*');
    expect(text).toContain('8 requests are waiting for a decision, the oldest for 1 day.');
    expect(text).toContain('b 2, a 1, c 1, d 1, e 1 and 2 more');
  });

  it('say what will be here while there is nothing', () => {
    const none = [7, 30].map((days) => ({ days, ...summarize([]) }));
    const days = DAYS.map(({ date }) => ({ date, decisions: 0 }));
    const text = words({ periods: none, days, open: [] });
    expect(text).toContain('Nothing is waiting for a decision.');
    expect(text).toContain('Nothing was decided in the last 30 days. Once it is, you see here');
    expect(text).not.toContain('Last 7 days');
    expect(statsWithChart(stats({ days }), wording())).toBeNull();
  });

  it('say that nobody decided in time, where only time did', () => {
    const periods = [{ days: 7, ...summarize([decidedRequest({ by: [], outcome: 'closed' })]) }];
    expect(words({ periods })).toContain('Decided: none\nExpired without a decision: 1');
  });

  it('are written as the language writes them', () => {
    speak('de');
    const text = words();
    expect(text).toContain('Runden je Freigabe: 1,5');
    expect(text).toContain('In der ersten Runde freigegeben: 75\u00a0% (3 von 4)');
  });
});

describe('the chart', () => {
  it('is a block that Slack takes, with the same in words', () => {
    const message = statsWithChart(stats(), wording());
    const chart = message?.blocks.find(({ type }) => type === 'data_visualization');
    expect(chart).toMatchObject({
      title: 'Decisions a day',
      chart: {
        type: 'bar',
        series: [{ name: 'Decisions', data: expect.arrayContaining([{ label: 'Thu 19 Nov', value: 7 }]) }],
      },
    });
    expect(checkMessage(JSON.parse(JSON.stringify(message?.blocks)))).toEqual([]);
    expect(JSON.stringify(message?.blocks)).toContain(
      '13 decisions in the last 14 days, most of them on Thu 19 Nov: 7.',
    );
  });

  it('is bars in text where there is none, numbers first', () => {
    const text = words();
    expect(text).toContain('13 decisions in the last 14 days, most of them on Thu 19 Nov: 7.');
    expect(text).toContain('Wed 18 Nov  0\nThu 19 Nov  7  ████████████████████\nFri 20 Nov  0\nSat 21 Nov  1  ███\n');
  });

  it('keeps numbers and bars in line', () => {
    const bars = [
      { label: 'one', value: 100 },
      { label: 'three', value: 1 },
      { label: 'four', value: 0 },
    ];
    expect(barsInText(bars)).toBe(`one    100  ${'█'.repeat(20)}\nthree    1  █\nfour     0`);
  });
});
