import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { Fixture } from '../support/fixture.ts';
import { settlesWithin } from '../support/settles-within.ts';
import { startWorld, type World } from '../support/world.ts';

/** The exit code of a bot that needed less than the ten seconds that an operator's tools wait before they kill. */
const STOPPED_IN_TIME = 0;
/** Leaves three of them in hand. */
const STOPPED_WITHIN_MS = 7_000;

interface Readiness {
  status: number;
  parts: Record<string, boolean>;
}

async function readiness(port: number): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  const { parts } = (await answer.json()) as Pick<Readiness, 'parts'>;
  return { status: answer.status, parts };
}

async function untilNotReady(port: number): Promise<Readiness> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const seen = await readiness(port);
    if (seen.status !== 200 || performance.now() > deadline) return seen;
  }
}

describe.each(['http', 'socket'] as const)('a bot that is told to stop, with Slack over %s', (slackMode) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ fixtures: 2, slackMode });
  });
  afterAll(() => world.stop());

  it('finishes its call to the crew, reports that it is not ready, and stores what still arrives', async () => {
    const bot = await startStoppable(world);
    const [first, second] = [await world.fixture(), await world.fixture()];
    await Promise.all([first.start(), second.start()]);
    const [card, other] = await Promise.all([first.card(), second.card()]);
    const seen: Readiness[] = [];
    await first.addFault({
      route: 'resume',
      apply: true,
      meanwhile: async () => {
        bot.startStopping();
        seen.push(await untilNotReady(bot.port));
        await second.jon.click('Approve', { in: other });
      },
      delayMs: 500,
    });
    await first.jon.click('Approve', { in: card });
    await first.asked('resume', 1);
    await first.run('is resumed', ({ reviews }) => reviews.length === 1);
    expect(await bot.ended()).toBe(STOPPED_IN_TIME);

    expect(seen).toEqual([
      { status: 503, parts: expect.objectContaining({ serving: false, redis: true, worker: true, slack: true }) },
    ]);
    expect(bot.printed()).toContain('"answer":"accepted"');
    expect(await second.requests('resume')).toEqual([]);

    await world.startBot({ port: bot.port });
    await second.asked('resume', 1);
    await Promise.all([
      first.jon.seesChanged(card, 'Sent to the crew.'),
      second.jon.seesChanged(other, 'Sent to the crew.'),
    ]);
    expect(await first.requests('resume')).toHaveLength(1);
    expect(await second.requests('resume')).toHaveLength(1);
  });
});

it('a crew that never answers does not block the shutdown, and gets the decision once', async () => {
  const world = await startWorld({ fixtures: 1 });
  try {
    const bot = await startStoppable(world);
    const fixture = await world.fixture();
    const { start, card, jon, addFault, asked } = fixture;
    await addFault({ route: 'resume', apply: true, respond: 'silence' });
    await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    await asked('resume', 1);
    bot.startStopping();
    expect(await settlesWithin(STOPPED_WITHIN_MS, bot.ended())).toBe(true);
    expect(await bot.ended()).toBe(STOPPED_IN_TIME);
    await expectSentOnceAfterStart(world, bot.port, { fixture, request });
  } finally {
    await world.stop();
  }
});

it('a Redis that hangs does not block the shutdown, and what was decided before reaches the crew once', async () => {
  const world = await startWorld({ fixtures: 1 });
  try {
    const bot = await startStoppable(world);
    const fixture = await world.fixture();
    const { start, card, jon, addFault, asked } = fixture;
    await start();
    const request = await card();
    await addFault({ route: 'resume', apply: true, meanwhile: async () => world.redis.pause(), respond: 'silence' });
    await jon.click('Approve', { in: request });
    await asked('resume', 1);
    bot.startStopping();
    const isInTime = await settlesWithin(STOPPED_WITHIN_MS, bot.ended());
    world.redis.resume();
    expect(isInTime).toBe(true);
    expect(await bot.ended()).toBe(STOPPED_IN_TIME);
    await expectSentOnceAfterStart(world, bot.port, { fixture, request });
  } finally {
    await world.stop();
  }
});

/** The next bot finds that the crew has the decision, and doesn't send it again. */
async function expectSentOnceAfterStart(
  world: World,
  port: number,
  { fixture: { jon, run, requests }, request }: { fixture: Fixture; request: Message },
): Promise<void> {
  await world.startBot({ port });
  await run('goes on', ({ reviews }) => reviews.length === 1);
  await jon.seesChanged(request, 'Sent to the crew.');
  expect(await requests('resume')).toHaveLength(1);
}

/** A bot in its own process, whose shutdown can be started in one place and awaited in another. */
async function startStoppable(world: World) {
  const port = await freePort();
  const bot = await world.startBotProcess({ port });
  let stopping: Promise<number | null> = Promise.resolve(null);
  return {
    port,
    printed: bot.printed,
    startStopping() {
      stopping = bot.stop();
    },
    /** Resolves to its exit code. */
    ended: () => stopping,
  };
}
