// The page of a report about some made-up runs.
import type { LedgerEvent } from '../../../src/core/ledger/entry.ts';
import { cutLine } from '../../../src/slack/ui/text/escape.ts';
import { createDays } from '../../../src/tools/report/days.ts';
import { reportPage } from '../../../src/tools/report/page.ts';
import { createSummary } from '../../../src/tools/report/summary.ts';
import { asked, decided, NOW } from '../../ledger/ledger-under-test.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

export const HOSTILE = '<img src=x onerror=alert(1)>';

const RUNS: LedgerEvent[][] = [
  [asked({ crew: 'payments' }, NOW), decided({}, NOW + HOUR / 2)],
  [asked({ crew: 'payments' }, NOW), decided({ verdict: 'decline' }, NOW + DAY + HOUR)],
  [asked({ crew: HOSTILE }, NOW), decided({}, NOW + HOUR / 4)],
  [asked({ crew: 'مراجعة' }, NOW)],
  [
    asked({ crew: 'payments-'.repeat(8), task: { id: 'x', name: `</td>${HOSTILE}<script>alert(1)</script>` } }, NOW),
    { kind: 'expired', at: NOW + DAY, facts: { approval: '1', policy: 'ab', outcome: 'close' } },
  ],
];

export function pageOf(runs: readonly LedgerEvent[][] = RUNS): string {
  const period = { since: NOW - 9 * DAY, until: NOW + 5 * DAY };
  const summary = createSummary(period);
  const days = createDays(period, { crew: null, slaMs: DAY });
  for (const [i, run] of runs.entries()) {
    summary.add(run);
    days.add(`run${i}abcdefghijklmnopqrstu`, run);
  }
  const rows = summary.rows({ crew: null, slaMs: DAY, nameOf: (id) => id });
  const figures = { unit: days.unit, days: days.days(), expired: days.expired() };
  return reportPage(
    { period: ' since 2026-11-09 and before 2026-11-23', crew: null, slaMs: DAY, rows, now: NOW, ...figures },
    cutLine,
  );
}
