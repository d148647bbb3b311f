import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isOutage } from '../core/ports.ts';
import type { ObservedCall } from '../crew/call.ts';
import type { ObservedSlackCall } from '../slack/api/clients.ts';
import { REFUSAL_REASONS } from '../slack/receivers/http-receiver.ts';
import type { ObservedRequest, RequestKind, RequestOutcome } from '../slack/receivers/request.ts';
import { END_REASONS } from '../slack/receivers/socket-connection.ts';
import { createEventMeters } from './meters.ts';
import {
  type CountStored,
  createCrewGauges,
  createSinkGauges,
  createStoreGauges,
  type FindOpen,
  type ReadSinkLag,
} from './store-gauges.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The places of our own faults, which are logged as errors. */
const FAULT_PLACES = ['worker', 'http', 'slack', 'subscriber'] as const;

interface LedgerState {
  /** True while this process doesn't seal the ledger, because what Redis has isn't what was sealed, or can't be read. */
  isStopped: boolean;
  /** Number of entries that could not be sealed. */
  setAside: number;
}

interface WorkerLoad {
  /** Executions in progress. */
  executions: number;
  /** Messages that wait for their turn under Slack's rate limits. */
  waitingForTurn: number;
  /** The limit of concurrent calls to Slack, or to one crew. */
  concurrency: number;
  /** Calls in progress. */
  activeCount: number;
  /** Due actions that wait for a call to end. */
  pendingCount: number;
}

interface MetricsSources {
  version: string;
  /** Names of the configured crews. */
  crews: readonly string[];
  counts: CountStored;
  openRequests: FindOpen;
  workerLoad: () => WorkerLoad;
  /** Returns true if Slack accepts the bot token, as far as this process knows. */
  tokenWorks: () => boolean;
  sinkLag: ReadSinkLag;
}

/** Creates the bot's metrics. The parts that they measure get them as observers. */
export function createMetrics({
  version,
  crews,
  counts,
  openRequests,
  workerLoad,
  tokenWorks,
  sinkLag,
}: MetricsSources) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addBuildInfo(registry, version);
  const countStored = createStoreGauges(registry, counts);
  const countOpen = createCrewGauges(registry, crews, openRequests);
  const readLag = createSinkGauges(registry, sinkLag);
  addWorkerGauges(registry, workerLoad);
  const registers = [registry];
  new Gauge({
    name: 'signoff_slack_token_works',
    help: 'Whether Slack takes the bot token (1), as far as this process knows.',
    registers,
    collect() {
      this.set(tokenWorks() ? 1 : 0);
    },
  });
  const faults = createCounter(registry, 'where', FAULT_PLACES, {
    name: 'signoff_faults_total',
    help: 'Our own faults, each logged as an error.',
  });
  const socketEnds = createCounter(registry, 'reason', END_REASONS, {
    name: 'signoff_socket_disconnects_total',
    help: 'Socket Mode connections that ended by themselves, or never began, by the reason that Slack gave; lost and no_hello are ours.',
  });
  const slackRefused = createCounter(registry, 'reason', REFUSAL_REASONS, {
    name: 'signoff_slack_refused_total',
    help: 'Requests to the addresses for Slack that were refused in HTTP mode: unsigned, signed with another secret, or signed by Slack at a time that differs by more than five minutes from our clock.',
  });
  const refusedElsewhere = createCounter(registry, 'crew', crews, {
    name: 'signoff_elsewhere_refused_total',
    help: 'Requests of executions started elsewhere that were refused, as their crew is set to.',
  });
  const lostWrites = new Counter({
    name: 'signoff_lost_writes_total',
    help: 'Changes that this process had acknowledged and that Redis no longer has, as after a failover or with a restored backup.',
    registers,
  });
  const ledgerStopped = new Gauge({
    name: 'signoff_ledger_stopped',
    help: 'Whether this process refuses to seal the ledger, since what Redis has of it is not what was sealed (1 or 0).',
    registers,
  });
  const ledgerSetAside = new Gauge({
    name: 'signoff_ledger_set_aside',
    help: 'Entries of the ledger that could not be sealed, as this process knows. Over all processes.',
    registers,
  });
  return {
    ...createCallMeters(registry),
    ...createEventMeters(registry, crews),
    /** Counts a fault, unless Redis was away. */
    fault(where: (typeof FAULT_PLACES)[number], error: unknown): void {
      if (!isOutage(error)) faults(where);
    },
    socketEnd: socketEnds,
    slackRefused,
    refusedElsewhere,
    lostWrites: (count: number) => lostWrites.inc(count),
    ledger({ isStopped, setAside }: LedgerState): void {
      ledgerStopped.set(isStopped ? 1 : 0);
      ledgerSetAside.set(setAside);
    },
    /** Returns the metrics in Prometheus' text format. Never rejects: what can't be counted at the moment is missing. */
    async text(): Promise<string> {
      await Promise.all([countStored(), countOpen(), readLag()]);
      return registry.metrics();
    },
  };
}

/** Creates a counter by one label, which starts at zero for each of these values. */
function createCounter<Value extends string>(
  registry: Registry,
  label: string,
  values: readonly Value[],
  about: { name: string; help: string },
): (value: Value) => void {
  const counter = new Counter({ ...about, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value) => counter.inc({ [label]: value });
}

/** Adds the usual build info: always 1, so that it can be joined to other metrics. */
function addBuildInfo(registry: Registry, version: string): void {
  const help = 'The version of Signoff that this process runs.';
  new Gauge({ name: 'signoff_build_info', help, labelNames: ['version'], registers: [registry] }).set({ version }, 1);
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
  add('signoff_worker_executions', 'Executions in progress.', ({ executions }) => executions);
  add(
    'signoff_worker_slots',
    'The limit of concurrent calls to Slack, or to one crew.',
    ({ concurrency }) => concurrency,
  );
  add('signoff_worker_slots_in_use', 'Calls in progress.', ({ activeCount }) => activeCount);
  add('signoff_worker_waiting', 'Due actions that wait for a slot.', ({ pendingCount }) => pendingCount);
  add(
    'signoff_worker_waiting_for_turn',
    "Messages that wait for their turn under Slack's rate limits.",
    ({ waitingForTurn }) => waitingForTurn,
  );
}

/** Slack shows people an error after three seconds. */
const ACK_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Requests from Slack, and calls to Slack and the crews. */
function createCallMeters(registry: Registry) {
  const registers = [registry];
  const ack = new Histogram({
    name: 'signoff_slack_ack_seconds',
    help: 'From the arrival of a request from Slack to our answer; Slack waits at most 3 seconds.',
    labelNames: ['kind'],
    buckets: ACK_SECONDS,
    registers,
  });
  const requests = new Counter({
    name: 'signoff_slack_requests_total',
    help: 'Requests from Slack by kind and how they were answered.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  startAtZero(requests);
  const slack = pair(registry, { who: 'slack', what: 'Slack', labels: ['method', 'outcome'] });
  const crews = pair(registry, { who: 'crew', what: 'crew services', labels: ['crew', 'method', 'outcome'] });
  return {
    slackRequest({ kind, outcome, durationMs }: ObservedRequest): void {
      ack.observe({ kind }, durationMs / 1000);
      requests.inc({ kind, outcome });
    },
    slackCall: ({ method, outcome, durationMs }: ObservedSlackCall) => slack({ method, outcome }, durationMs),
    crewCall: ({ crew, method, outcome, durationMs }: ObservedCall) => crews({ crew, method, outcome }, durationMs),
  };
}

/** Prometheus doesn't see the first increase of a counter that didn't exist before, so no alert would fire. */
function startAtZero(requests: Counter<'kind' | 'outcome'>): void {
  for (const kind of ['command', 'block_actions', 'view_submission'] satisfies RequestKind[])
    for (const outcome of ['failed', 'late'] satisfies RequestOutcome[]) requests.inc({ kind, outcome }, 0);
}

/** Counts calls by their outcome, but times them by method alone, which keeps the histogram small. */
function pair<Label extends string>(
  registry: Registry,
  { who, what, labels }: { who: string; what: string; labels: (Label | 'method')[] },
): (values: Record<Label | 'method', string>, durationMs: number) => void {
  const calls = new Counter({
    name: `signoff_${who}_calls_total`,
    help: `Calls to ${what} by method and outcome.`,
    labelNames: labels,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: `signoff_${who}_call_seconds`,
    help: `How long ${what} took to answer.`,
    labelNames: ['method'],
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  return (values, durationMs) => {
    calls.inc(values);
    seconds.observe({ method: values.method }, durationMs / 1000);
  };
}
