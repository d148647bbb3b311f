import { createMetrics } from '../../../src/metrics/metrics.ts';

export interface KnownMetric {
  kind: string;
  /** The values of each of its labels. */
  labels: Map<string, Set<string>>;
}

/** What /metrics prints, by the names that expressions use. */
export async function knownMetrics(): Promise<Map<string, KnownMetric>> {
  const known = new Map<string, KnownMetric>();
  for (const line of (await textOfBusyBot()).split('\n')) {
    const [, declared = '', kind = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    for (const name of kind === 'histogram' ? SERIES.map((end) => `${declared}${end}`) : [declared])
      if (name !== '') known.set(name, { kind, labels: new Map(name.endsWith('_bucket') ? [['le', new Set()]] : []) });
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) add(known.get(name), label, value);
  }
  return known;
}

const SERIES = ['_bucket', '_sum', '_count'];

function add(metric: KnownMetric | undefined, label: string, value: string): void {
  metric?.labels.set(label, new Set([...(metric.labels.get(label) ?? []), value]));
}

/** It has met what only counts once it happens. */
async function textOfBusyBot(): Promise<string> {
  const metrics = createMetrics({
    version: '1.2.3',
    crews: ['research'],
    openRequests: async () => [],
    workerLoad: () => ({ executions: 0, waitingForTurn: 0, concurrency: 16, activeCount: 0, pendingCount: 0 }),
    tokenWorks: () => true,
    sinkLag: async () => ({ unsent: 0, lagMs: 0, missed: 0 }),
    counts: async (ages) => ({
      runs: { starting: 0, running: 0, waiting: 0, 'not-confirmed': 0, missed: 0 },
      pendingOver: ages.map(() => 0),
      oldestPendingMs: 0,
      undelivered: { refused: 0, 'not-confirmed': 0 },
      overdue: 0,
      dueLagMs: 0,
    }),
  });
  metrics.slackRequest({ kind: 'block_actions', outcome: 'acknowledged', durationMs: 1 });
  for (const outcome of ['ok', 'content-refused', 'server-error', 'no-answer'] as const)
    metrics.slackCall({ method: 'chat.update', outcome, durationMs: 1 });
  for (const outcome of ['accepted', 'unreachable', 'busy', 'error'])
    metrics.crewCall({ crew: 'research', method: 'resume', outcome, durationMs: 1 });
  return metrics.text();
}
