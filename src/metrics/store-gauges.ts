import { Gauge, type Registry } from 'prom-client';
import type { StoreCounts } from '../redis/counts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The ages that open approvals are counted by: each label holds those from its age up to the next one's. */
const AGES = [
  { label: 'under 15m', fromMs: 0 },
  { label: '15m to 1h', fromMs: 15 * MINUTE_MS },
  { label: '1h to 4h', fromMs: HOUR_MS },
  { label: '4h to 1d', fromMs: 4 * HOUR_MS },
  { label: '1d to 7d', fromMs: DAY_MS },
  { label: 'over 7d', fromMs: 7 * DAY_MS },
];

/** Those who ask within this time get the same count, so that asking often is no load. */
const FRESH_MS = 1_000;

export type CountStored = (agesMs: number[]) => Promise<StoreCounts>;

/**
 * What is in the store, over all processes, counted when somebody looks. While the store can't be read these gauges have
 * no values, since old ones would be wrong, and `signoff_store_up` is 0.
 */
export function createStoreGauges(registry: Registry, take: CountStored): () => Promise<void> {
  const gauges = createGauges(registry);
  let takenAt = Number.NEGATIVE_INFINITY;
  let current: Promise<void> = Promise.resolve();
  return () => {
    if (performance.now() - takenAt < FRESH_MS) return current;
    takenAt = performance.now();
    current = take(AGES.map(({ fromMs }) => fromMs)).then(
      (counts) => show(gauges, counts),
      () => showNothing(gauges),
    );
    return current;
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const all = ' Over all processes.';
  return {
    up: gauge('signoff_store_up', 'Whether Redis could be read just now (1 or 0).'),
    runs: gauge('signoff_executions', `Executions that go on, by status.${all}`, 'status'),
    open: gauge('signoff_open_approvals', `Requests that wait for a decision, by age.${all}`, 'age'),
    oldest: gauge('signoff_oldest_open_approval_seconds', `The age of the oldest request that waits.${all}`),
    undelivered: gauge(
      'signoff_undelivered_decisions',
      `Decisions that the crew refused, or may not have, and that a person can send again.${all}`,
      'reason',
    ),
    overdue: gauge('signoff_overdue_executions', `Executions that owe something and wait for a worker.${all}`),
    lag: gauge('signoff_due_lag_seconds', `How long the one of them that waits longest has been due.${all}`),
  };
}

function show({ up, runs, open, oldest, undelivered, overdue, lag }: Gauges, counts: StoreCounts): void {
  up.set(1);
  for (const [status, count] of Object.entries(counts.runs)) runs.set({ status }, count);
  for (const [reason, count] of Object.entries(counts.undelivered)) undelivered.set({ reason }, count);
  AGES.forEach(({ label: age }, i) => {
    open.set({ age }, (counts.pendingOver[i] ?? 0) - (counts.pendingOver[i + 1] ?? 0));
  });
  oldest.set(counts.oldestPendingMs / 1000);
  overdue.set(counts.overdue);
  lag.set(counts.dueLagMs / 1000);
}

function showNothing({ up, runs, open, undelivered, oldest, overdue, lag }: Gauges): void {
  up.set(0);
  for (const gauge of [runs, open, undelivered]) gauge.reset();
  // A reset of these would show 0.
  for (const gauge of [oldest, overdue, lag]) gauge.remove();
}
