import { expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { metricsOf } from '../support/scrape.ts';
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

async function inWorld(
  options: Parameters<typeof startWorld>[0],
  play: (world: World) => Promise<void>,
): Promise<void> {
  const world = await startWorld(options);
  try {
    await play(world);
  } finally {
    await world.stop();
  }
}

const READY = { serving: true, redis: true, worker: true, slack: true };

it('a bot without a Socket Mode connection is not ready, but alive', () =>
  inWorld({ slackMode: 'socket' }, async ({ slack, startBot }) => {
    const { port } = await startBot();
    await untilReported(port, READY);
    slack.faults.add({
      method: 'apps.connections.open',
      effect: { kind: 'error', error: 'internal_error' },
      times: 1_000,
    });
    slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    slack.faults.clear();
    await untilReported(port, READY);
  }));

it('a bot whose Socket Mode connection Slack replaces stays ready', () =>
  inWorld({ slackMode: 'socket' }, async ({ slack, startBot }) => {
    const { port } = await startBot();
    const statuses: number[] = [];
    const look = async () => statuses.push((await readiness(port)).status);
    slack.sockets.warn();
    await expect.poll(async () => [await look(), slack.sockets.connections()]).toEqual([expect.any(Number), 2]);
    await look();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await metricsOf(port)).not.toMatch(/signoff_socket_disconnects_total\{reason="\w+"\} [1-9]/);
  }));

it('a bot whose Socket Mode is turned off says so, and recovers once it is turned on', () =>
  inWorld({ slackMode: 'socket' }, async ({ slack, startBot }) => {
    const { port } = await startBot();
    slack.faults.add({
      method: 'apps.connections.open',
      effect: { kind: 'error', error: 'not_allowed' },
      times: 1_000,
    });
    slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false }, { slack: 'link_disabled' });
    const metrics = await metricsOf(port);
    expect(metrics).toMatch(/signoff_socket_disconnects_total\{reason="link_disabled"\} [1-9]/);
    expect(metrics).toContain('signoff_socket_disconnects_total{reason="lost"} 1\n');
    slack.faults.clear();
    await untilReported(port, READY);
  }));

it('a bot whose app token is refused says why, and recovers once it works', () =>
  inWorld({ slackMode: 'socket' }, async ({ slack, startBot }) => {
    const { port } = await startBot();
    const effect = { kind: 'error', error: 'invalid_auth' } as const;
    slack.faults.add({ method: 'apps.connections.open', effect, times: 1_000 });
    slack.sockets.cut();
    await untilReported(port, { ...READY, slack: false }, { slack: 'app_token: invalid_auth' });
    slack.faults.clear();
    await untilReported(port, READY);
  }));

it.each(['token_revoked', 'account_inactive'] as const)(
  'a bot whose token is refused (%s) says so until it works again',
  (error) =>
    inWorld({}, async ({ slack, startBot }) => {
      const { port } = await startBot();
      await untilReported(port, READY);
      slack.admin.setBotToken(error);
      await untilReported(port, { ...READY, slack: false }, { slack: error });
      expect(await metricsOf(port)).toContain('signoff_slack_token_works 0\n');
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      slack.admin.setBotToken('valid');
      await untilReported(port, READY);
      expect(await metricsOf(port)).toContain('signoff_slack_token_works 1\n');
    }),
);

it('a bot is not ready while Redis is down, from the first answer on, and recovers by itself', () =>
  inWorld({}, async ({ redis, startBot }) => {
    const { port } = await startBot();
    await untilReported(port, READY);
    await redis.kill();
    const reasons = { redis: 'there is no connection' };
    expect(await readiness(port)).toEqual(answerOf({ ...READY, redis: false }, reasons));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await redis.restart();
    await untilReported(port, READY);
  }));

it('a bot is not ready from the first answer on while Redis is paused, for all who ask at once', () =>
  inWorld({}, async ({ redis, startBot }) => {
    const { port } = await startBot();
    await untilReported(port, READY);
    redis.pause();
    const answers = await Promise.all([readiness(port), readiness(port), readiness(port)]);
    redis.resume();
    expect(answers).toEqual(Array(3).fill(answerOf({ ...READY, redis: false }, { redis: "it doesn't answer" })));
    await untilReported(port, READY);
  }));
