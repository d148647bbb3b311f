import { expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/eventually.ts';
import { startWorld, type World } from '../support/world.ts';

const PATIENCE_MS = 15_000;

interface Readiness {
  status: number;
  body: unknown;
}

async function readiness(port: number): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

/** Waits until a bot says that it is ready, or which parts of it don't work. */
async function untilSaid(port: number, parts: Record<string, boolean>): Promise<void> {
  const isReady = Object.values(parts).every((works) => works);
  const wanted = { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not ready', parts } };
  await eventually(
    async () => (JSON.stringify(await readiness(port)) === JSON.stringify(wanted) ? true : undefined),
    async () => `not ${JSON.stringify(wanted)} but ${JSON.stringify(await readiness(port))}`,
    PATIENCE_MS,
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

it('a bot is not ready while it has no connection to Slack in Socket Mode, and alive all the same', () =>
  inWorld({ slackMode: 'socket' }, async ({ slack, startBot }) => {
    const { port } = await startBot();
    await untilSaid(port, READY);
    slack.faults.add({
      method: 'apps.connections.open',
      effect: { kind: 'error', error: 'internal_error' },
      times: 1_000,
    });
    slack.sockets.cut();
    await untilSaid(port, { ...READY, slack: false });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    slack.faults.clear();
    await untilSaid(port, READY);
  }));

it('a bot is not ready while Redis is away, and is ready again by itself', () =>
  inWorld({}, async ({ redis, startBot }) => {
    const { port } = await startBot();
    await untilSaid(port, READY);
    await redis.kill();
    await untilSaid(port, { ...READY, redis: false });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await redis.restart();
    await untilSaid(port, READY);
  }));
