import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type CallMeters, createCallMeters } from './call-meters.ts';
import { createEventMeters } from './event-meters.ts';
import type { ObserveChange } from './observe-store.ts';
import { type CountStored, createStoreGauges } from './store-gauges.ts';

/** What the bot counts of itself; the parts that it counts are given these as their observers. */
export interface Metrics extends CallMeters {
  change: ObserveChange;
  fault(where: FaultPlace): void;
  /** In the text format of Prometheus. Never rejects: what can't be counted just now is left out. */
  text(): Promise<string>;
}

/** Where something happened that is ours to mend, and stands in the log as an error. */
export type FaultPlace = (typeof FAULT_PLACES)[number];

const FAULT_PLACES = ['worker', 'http', 'slack'] as const;

/** How much a worker has in hand. */
export interface WorkerLoad {
  executions: number;
  waitingForTurn: number;
  slots: number;
  slotsInUse: number;
  waitingForSlot: number;
}

export interface MetricsSources {
  counts: CountStored;
  workerLoad: () => WorkerLoad;
}

export function createMetrics({ counts, workerLoad }: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const countStored = createStoreGauges(registry, counts);
  addWorkerGauges(registry, workerLoad);
  const faults = new Counter({
    name: 'signoff_faults_total',
    help: 'What went wrong here and is told in the log as an error.',
    labelNames: ['where'],
    registers: [registry],
  });
  for (const where of FAULT_PLACES) faults.inc({ where }, 0);
  return {
    ...createCallMeters(registry),
    change: createEventMeters(registry),
    fault: (where) => faults.inc({ where }),
    async text() {
      await countStored();
      return registry.metrics();
    },
  };
}

function addWorkerGauges(registry: Registry, load: () => WorkerLoad): void {
  const add = (name: string, help: string, value: (load: WorkerLoad) => number) =>
    new Gauge({
      name,
      help: `${help} In this process.`,
      registers: [registry],
      collect() {
        this.set(value(load()));
      },
    });
  add('signoff_worker_executions', 'Executions in hand.', ({ executions }) => executions);
  add(
    'signoff_worker_slots',
    'How many calls to Slack, or to one crew, may be under way at once.',
    ({ slots }) => slots,
  );
  add('signoff_worker_slots_in_use', 'Calls under way.', ({ slotsInUse }) => slotsInUse);
  add('signoff_worker_waiting', 'What is due and waits for a slot.', ({ waitingForSlot }) => waitingForSlot);
  add(
    'signoff_worker_waiting_for_turn',
    'Messages that wait for their turn under the rate limits of Slack.',
    ({ waitingForTurn }) => waitingForTurn,
  );
}
