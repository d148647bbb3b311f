import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { metricsOf, scrape } from '../support/scrape.ts';
import { startWorld, TEST_VERSION, type World } from '../support/world.ts';

interface Readiness {
  status: number;
  body: unknown;
}

async function readiness(port: number): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

function answerOf(parts: Record<string, boolean>, reasons?: Record<string, string>): Readiness {
  const isReady = Object.values(parts).every((works) => works);
  const body = { status: isReady ? 'ready' : 'not ready', version: TEST_VERSION, parts, ...(reasons && { reasons }) };
  return { status: isReady ? 200 : 503, body };
}

/** Waits until a bot reports exactly these parts as working or not, with exactly these reasons. */
async function untilReported(
  port: number,
  parts: Record<string, boolean>,
  reasons?: Record<string, string>,
): Promise<void> {
  const wanted = answerOf(parts, reasons);
  await eventually(
    async () => (JSON.stringify(await readiness(port)) === JSON.stringify(wanted) ? true : undefined),
    async () => `not ${JSON.stringify(wanted)} but ${JSON.stringify(await readiness(port))}`,
  );
}

const READY = { serving: true, redis: true, worker: true, slack: true };

let world: World;
let port: number;

/** The tests of a group share a bot, which each of them leaves ready. */
function startsBot(slackMode: 'http' | 'socket'): void {
  beforeAll(async () => {
    world = await startWorld({ slackMode });
    ({ port } = await world.startBot());
    await untilReported(port, READY);
  });
  afterAll(() => world.stop());
}

describe('A bot in Socket Mode', () => {
  startsBot('socket');

  const lostConnections = async () => (await scrape(port)).get('signoff_socket_disconnects_total{reason="lost"}') ?? 0;

  it('stays ready while Slack replaces its connection', async () => {
    const statuses: number[] = [];
    const look = async () => statuses.push((await readiness(port)).status);
    world.slack.sockets.warn();
    await expect.poll(async () => [await look(), world.slack.sockets.connections()]).toEqual([expect.any(Number), 2]);
    await look();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await metricsOf(port)).not.toMatch(/signoff_socket_disconnects_total\{reason="\w+"\} [1-9]/);
  });

  it('is not ready without a connection, but alive', async () => {
    world.slack.faults.add({
      method: 'apps.connections.open',
      effect: { kind: 'error', error: 'internal_error' },
      times: 1_000,
    });
    world.slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    world.slack.faults.clear();
    await untilReported(port, READY);
  });

  it('is not ready while Socket Mode is turned off, says so, and recovers once it is turned on', async () => {
    const losses = await lostConnections();
    world.slack.faults.add({
      method: 'apps.connections.open',
      effect: { kind: 'error', error: 'not_allowed' },
      times: 1_000,
    });
    world.slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false }, { slack: 'link_disabled' });
    expect(await metricsOf(port)).toMatch(/signoff_socket_disconnects_total\{reason="link_disabled"\} [1-9]/);
    expect(await lostConnections()).toBe(losses + 1);
    world.slack.faults.clear();
    await untilReported(port, READY);
  });

  it('is not ready while its app token is refused, says why, and recovers once it works', async () => {
    const effect = { kind: 'error', error: 'invalid_auth' } as const;
    world.slack.faults.add({ method: 'apps.connections.open', effect, times: 1_000 });
    world.slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false }, { slack: 'app_token: invalid_auth' });
    world.slack.faults.clear();
    await untilReported(port, READY);
  });
});

describe('A bot that Slack reaches over HTTP', () => {
  startsBot('http');

  it.each(['token_revoked', 'account_inactive'] as const)(
    'is not ready while its token is refused (%s), and says so',
    async (error) => {
      await untilReported(port, READY);
      world.slack.admin.setBotToken(error);
      await untilReported(port, { ...READY, slack: false }, { slack: error });
      expect(await metricsOf(port)).toContain('signoff_slack_token_works 0\n');
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      world.slack.admin.setBotToken('valid');
      await untilReported(port, READY);
      expect(await metricsOf(port)).toContain('signoff_slack_token_works 1\n');
    },
  );

  it('is not ready while Redis is down, from the first answer on, and recovers by itself', async () => {
    await world.redis.kill();
    const reasons = { redis: 'there is no connection' };
    expect(await readiness(port)).toEqual(answerOf({ ...READY, redis: false }, reasons));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await world.redis.restart();
    await untilReported(port, READY);
  });

  it('is not ready from the first answer on while Redis is paused, for all who ask at once', async () => {
    await untilReported(port, READY);
    world.redis.pause();
    const answers = await Promise.all([readiness(port), readiness(port), readiness(port)]);
    world.redis.resume();
    expect(answers).toEqual(Array(3).fill(answerOf({ ...READY, redis: false }, { redis: "it doesn't answer" })));
    await untilReported(port, READY);
  });
});
