import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { startLoadBalancer } from '../faults/load-balancer.ts';
import { type BotProcess, startBotProcess } from '../support/bot-process.ts';
import { asksForInput } from '../support/human-input.ts';
import { startWorld } from '../support/world.ts';
import { deployment } from './kubernetes-manifest.ts';

const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
const [{ lifecycle }] = containers;
const PRE_STOP_MS = lifecycle.preStop.sleep.seconds * 1_000;
/** How long it takes in a slow cluster until no proxy sends anything to a pod that is being deleted. */
const REMOVED_MS = 5_000;

/** Does something again and again until it is told to stop. Resolves to what failed, and how often it was done. */
function stream(work: () => Promise<unknown>) {
  let isOver = false;
  const run = async () => {
    const failed: string[] = [];
    let times = 0;
    while (!isOver) {
      times += 1;
      await work().catch((error) => failed.push(String(error)));
      await pause(20);
    }
    return { failed, times };
  };
  const running = run();
  return () => {
    isOver = true;
    return running;
  };
}

it('While a rollout replaces each pod, no webhook and no click is refused or lost', async () => {
  const world = await startWorld({ fixtures: 2 });
  const endpoints: { port: number }[] = [];
  const service = await startLoadBalancer(endpoints, { balance: 'in-turn-only' });
  const address = `http://127.0.0.1:${service.port}`;
  const bots: BotProcess[] = [];
  const start = async () => {
    const port = await freePort();
    const bot = await startBotProcess({ ...world.env(port), PUBLIC_URL: address }, 'unlimited-bot');
    bots.push(bot);
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    endpoints.push({ port });
    return { port, bot };
  };
  /** Ends a pod in the way of the kubelet, while the proxies hear of it a little later. */
  const remove = async ({ port, bot }: { port: number; bot: BotProcess }) => {
    const stopped = pause(PRE_STOP_MS).then(async () => {
      const toldAt = performance.now();
      return { code: await bot.stop(), seconds: (performance.now() - toldAt + PRE_STOP_MS) / 1000 };
    });
    await pause(REMOVED_MS);
    endpoints.splice(
      endpoints.findIndex((each) => each.port === port),
      1,
    );
    return stopped;
  };
  try {
    const old = [await start(), await start()];
    world.slack.installAt(`${address}/slack/events`);
    const [asking, clicked] = [await world.fixture(), await world.fixture()];
    await asking.start();
    await asking.card();
    const notice = { task_id: 'asked-again', task_output: 'The same text each time.' };
    const streams = [stream(() => asksForInput(world.crews, asking.crew, notice)), stream(() => clicked.types())];

    const ends = [];
    for (const pod of old) {
      await start();
      ends.push(await remove(pod));
    }
    const [webhooks, clicks] = await Promise.all(streams.map((stop) => stop()));
    expect([webhooks?.failed, clicks?.failed]).toEqual([[], []]);
    for (const { code, seconds } of ends) {
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(terminationGracePeriodSeconds);
    }
    await clicked.asked('kickoff', clicks?.times ?? 0);
    const outcomes = (await clicked.webhooks('human-input')).map(({ outcome }) => outcome);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(new Set(['{"status":200}']));
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()));
    await world.stop();
    await service.close();
  }
});
