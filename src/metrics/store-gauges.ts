import { Gauge, type Registry } from 'prom-client';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/values/time.ts';
import type { StoreCounts } from '../redis/counts.ts';
import type { SinkLag } from '../redis/ledger/sink.ts';

/** The age ranges of open requests: each label counts those from its age up to the next one's. */
const AGES = [
  { label: 'under 15m', fromMs: 0 },
  { label: '15m to 1h', fromMs: 15 * MINUTE_MS },
  { label: '1h to 4h', fromMs: HOUR_MS },
  { label: '4h to 1d', fromMs: 4 * HOUR_MS },
  { label: '1d to 7d', fromMs: DAY_MS },
  { label: 'over 7d', fromMs: 7 * DAY_MS },
];

/** Scrapes within this time share one count, so frequent scrapes cost nothing. */
const FRESH_MS = 1_000;

export type CountStored = (agesMs: number[]) => Promise<StoreCounts>;

/**
 * Counts the store's contents on each scrape. While the store can't be read, these gauges have no values, because old ones would
 * be wrong, and `signoff_store_up` is 0.
 */
export function createStoreGauges(registry: Registry, countStored: CountStored): () => Promise<void> {
  const gauges = createGauges(registry);
  let countedAt = Number.NEGATIVE_INFINITY;
  let current: Promise<void> = Promise.resolve();
  return () => {
    if (performance.now() - countedAt < FRESH_MS) return current;
    countedAt = performance.now();
    current = countStored(AGES.map(({ fromMs }) => fromMs)).then(
      (counts) => set(gauges, counts),
      () => clear(gauges),
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
    up: gauge('signoff_store_up', 'Whether Redis can be read (1 or 0).'),
    runs: gauge('signoff_executions', `Running executions, by status.${all}`, 'status'),
    open: gauge('signoff_open_approvals', `Approvals that wait for a decision, by age.${all}`, 'age'),
    oldest: gauge('signoff_oldest_open_approval_seconds', `The age of the oldest open approval.${all}`),
    undelivered: gauge(
      'signoff_undelivered_decisions',
      `Decisions that the crew refused, or may not have, and that a person can send again.${all}`,
      'reason',
    ),
    overdue: gauge('signoff_overdue_executions', `Executions that are due and wait for a worker.${all}`),
    lag: gauge('signoff_due_lag_seconds', `How long the longest overdue execution has been due.${all}`),
  };
}

function set({ up, runs, open, oldest, undelivered, overdue, lag }: Gauges, counts: StoreCounts): void {
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

function clear({ up, runs, open, undelivered, oldest, overdue, lag }: Gauges): void {
  up.set(0);
  for (const gauge of [runs, open, undelivered]) gauge.reset();
  // A reset would set these to 0.
  for (const gauge of [oldest, overdue, lag]) gauge.remove();
}

/** The requests that wait for a decision, over all processes. */
export type FindOpen = () => Promise<readonly { crew: string }[]>;

/** Counts the waiting requests of each crew on each scrape. While the store can't be read, the gauge has no values. */
export function createCrewGauges(
  registry: Registry,
  crews: readonly string[],
  findOpen: FindOpen,
): () => Promise<void> {
  const open = new Gauge({
    name: 'signoff_crew_open_approvals',
    help: 'Approvals that wait for a decision, by crew. Over all processes.',
    labelNames: ['crew'],
    registers: [registry],
  });
  return async () => {
    try {
      const requests = await findOpen();
      // A crew that is no longer configured may have requests, too.
      open.reset();
      for (const crew of crews) open.set({ crew }, 0);
      for (const { crew } of requests) open.inc({ crew });
    } catch {
      open.reset();
    }
  };
}

/** The backlog of AUDIT_SINK over all processes; null without a sink. */
export type ReadSinkLag = () => Promise<SinkLag | null>;

/** Reads the backlog on each scrape. Without a sink, and while the store can't be read, the gauges have no values. */
export function createSinkGauges(registry: Registry, read: ReadSinkLag): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `signoff_audit_sink_${name}`, help: `${help} Over all processes.`, registers: [registry] });
  const unsent = gauge('unsent', 'Sealed entries of the ledger that AUDIT_SINK has not taken yet.');
  const seconds = gauge('lag_seconds', 'The age of the oldest of these entries.');
  const missed = gauge('missed', 'Entries of the ledger that were gone before AUDIT_SINK took them.');
  return async () => {
    const lag = await read().catch(() => null);
    if (lag === null) {
      for (const each of [unsent, seconds, missed]) each.remove();
      return;
    }
    unsent.set(lag.unsent);
    seconds.set(lag.lagMs / 1000);
    missed.set(lag.missed);
  };
}
