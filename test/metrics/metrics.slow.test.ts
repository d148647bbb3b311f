import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { metricsOf, scrape } from '../support/scrape.ts';
import { startWorld, TEST_VERSION, type World } from '../support/world.ts';

const EXPOSITION_LINE = /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{.*\})? [0-9.e+-]+)$/;

/** Scrapes until a sample has a value; the store is counted at most once a second. */
async function untilSample(port: number, name: string, value: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  let seen: number | undefined;
  while (performance.now() < deadline) {
    seen = (await scrape(port)).get(name);
    if (seen === value) return;
    await pause(50);
  }
  expect(`${name} ${seen}`).toBe(`${name} ${value}`);
}

it('start the counters for alerts at zero', async () => {
  const workerLoad = () => ({ executions: 0, waitingForTurn: 0, concurrency: 16, activeCount: 0, pendingCount: 0 });
  const text = await createMetrics({
    version: '1.2.3',
    crews: ['research'],
    openRequests: () => Promise.reject(new Error('no Redis')),
    counts: () => Promise.reject(new Error('no Redis')),
    workerLoad,
    tokenWorks: () => true,
    sinkLag: async () => null,
  }).text();
  for (const counter of [
    'signoff_decisions_undelivered_total{reason="not-confirmed"}',
    'signoff_decisions_undelivered_total{reason="refused"}',
    'signoff_retries_total{what="resume"}',
    'signoff_approvals_expired_total{crew="research"}',
    'signoff_execution_changes_total{status="lost"}',
    'signoff_faults_total{where="worker"}',
    'signoff_socket_disconnects_total{reason="link_disabled"}',
  ])
    expect(text).toContain(`${counter} 0\n`);
});

describe('the metrics of a bot', () => {
  let world: World;
  let port: number;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 3 });
    ({ port } = await world.startBot());
  });
  afterAll(() => world.stop());

  it('show what is waiting, and how a decision went', async () => {
    const fixture = await world.fixture();
    await fixture.start();
    const card = await fixture.card();
    await untilSample(port, 'signoff_open_approvals{age="under 15m"}', 1);
    await untilSample(port, 'signoff_executions{status="waiting"}', 1);
    await untilSample(port, `signoff_crew_open_approvals{crew="${fixture.crew}"}`, 1);
    await fixture.approve(card);
    await fixture.run('is done', ({ status }) => status === 'completed');
    await untilSample(port, 'signoff_open_approvals{age="under 15m"}', 0);
    await untilSample(port, 'signoff_execution_changes_total{status="completed"}', 1);

    const samples = await scrape(port);
    const { crew } = fixture;
    expect(Object.fromEntries(samples)).toMatchObject({
      [`signoff_build_info{version="${TEST_VERSION}"}`]: 1,
      signoff_store_up: 1,
      signoff_approvals_total: 1,
      signoff_webhook_to_card_seconds_count: 1,
      'signoff_decisions_total{verdict="approve"}': 1,
      'signoff_decision_to_resume_seconds_count{proof="accepted"}': 1,
      'signoff_slack_requests_total{kind="command",outcome="acknowledged"}': 1,
      'signoff_slack_requests_total{kind="block_actions",outcome="acknowledged"}': 1,
      'signoff_slack_ack_seconds_count{kind="block_actions"}': 1,
      [`signoff_crew_calls_total{crew="${crew}",method="kickoff",outcome="accepted"}`]: 1,
      [`signoff_crew_calls_total{crew="${crew}",method="resume",outcome="accepted"}`]: 1,
      'signoff_slack_calls_total{method="auth.test",outcome="ok"}': 1,
      'signoff_undelivered_decisions{reason="not-confirmed"}': 0,
      'signoff_faults_total{where="worker"}': 0,
      signoff_worker_slots: 16,
      [`signoff_crew_open_approvals{crew="${crew}"}`]: 0,
      [`signoff_request_to_decision_seconds_count{crew="${crew}",verdict="approve"}`]: 1,
      [`signoff_approval_rounds_sum{crew="${crew}"}`]: 1,
    });
    expect(samples.get('signoff_slack_calls_total{method="chat.postMessage",outcome="ok"}')).toBeGreaterThanOrEqual(3);
    expect(samples.get('signoff_webhook_to_card_seconds_sum')).toBeLessThan(10);
  });

  it('show retries, and decisions that the crew refused', async () => {
    const fixture = await world.fixture();
    await fixture.addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '1' } } });
    await fixture.addFault({ route: 'resume', skip: 1, respond: { status: 401 } });
    await fixture.start();
    await fixture.jon.click('Approve', { in: await fixture.card() });
    await untilSample(port, 'signoff_undelivered_decisions{reason="refused"}', 1);
    const samples = await scrape(port);
    expect(Object.fromEntries(samples)).toMatchObject({
      'signoff_retries_total{what="resume"}': 1,
      'signoff_decisions_undelivered_total{reason="refused"}': 1,
      [`signoff_crew_calls_total{crew="${fixture.crew}",method="resume",outcome="busy"}`]: 1,
    });
  });

  it('show calls to Slack that failed', async () => {
    const fixture = await world.fixture();
    world.slack.faults.add({
      method: 'chat.postMessage',
      where: { channel: fixture.channelId },
      effect: { kind: 'status', status: 500 },
    });
    await fixture.start();
    await untilSample(port, 'signoff_slack_calls_total{method="chat.postMessage",outcome="server-error"}', 1);
    await untilSample(port, 'signoff_retries_total{what="message"}', 1);
    world.slack.faults.add({ method: 'chat.update', effect: { kind: 'error', error: 'msg_blocks_too_long' } });
    await fixture.approve(await fixture.card());
    await untilSample(port, 'signoff_slack_calls_total{method="chat.update",outcome="content-refused"}', 1);
  });

  it('are in the text format of Prometheus, with a unit in the name of each histogram', async () => {
    const text = await metricsOf(port);
    const ours = text.split('\n').filter((line) => line.includes('signoff_'));
    expect(ours.filter((line) => !EXPOSITION_LINE.test(line))).toEqual([]);
    const histograms = ours.filter((line) => line.startsWith('# TYPE') && line.endsWith(' histogram'));
    expect(histograms).toHaveLength(7);
    for (const line of histograms) expect(line).toMatch(/_(?:seconds|rounds) histogram$/);
  });

  it('name no execution, person or channel', async () => {
    const text = await metricsOf(port);
    const labels = new Set([...text.matchAll(/signoff_\w+\{([^}]*)\}/g)].flatMap(([, all = '']) => labelNames(all)));
    expect([...labels].sort()).toEqual(
      [
        'age',
        'crew',
        'kind',
        'le',
        'method',
        'outcome',
        'proof',
        'reason',
        'status',
        'verdict',
        'version',
        'what',
        'where',
      ].sort(),
    );
  });
});

function labelNames(labels: string): string[] {
  return [...labels.matchAll(/(\w+)="/g)].map(([, name = '']) => name);
}

describe('while Redis is down', () => {
  it('there are metrics of the process, but none of the store', async () => {
    const world = await startWorld();
    try {
      const { port } = await world.startBot({ log: pino({ level: 'silent' }) });
      await untilSample(port, 'signoff_store_up', 1);
      await world.redis.kill();
      await untilSample(port, 'signoff_store_up', 0);
      const samples = await scrape(port);
      expect(samples.get('signoff_due_lag_seconds')).toBeUndefined();
      expect(samples.get('signoff_open_approvals{age="under 15m"}')).toBeUndefined();
      expect(samples.get('signoff_worker_slots')).toBe(16);
      await world.redis.restart();
      await untilSample(port, 'signoff_store_up', 1);
      expect((await scrape(port)).get('signoff_due_lag_seconds')).toBe(0);
    } finally {
      await world.stop();
    }
  });
});
