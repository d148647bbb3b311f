import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { Stage } from '../support/stage.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let stages: Stage[];
let first: BotProcess;

beforeAll(async () => {
  world = await startWorld({ slackMode: 'socket', stages: 6 });
  stages = await Promise.all(Array.from({ length: 6 }, () => world.stage()));
  first = await world.startBotProcess({ port: await freePort() });
  await world.startBotProcess({ port: await freePort() });
});
afterAll(() => world.stop());

it('two bots share the work, and one goes on alone when the other is asked to end', async () => {
  const firstHalf = stages.slice(0, 3);
  const secondHalf = stages.slice(3);
  await Promise.all(firstHalf.map(playMainJob));
  await first.stop();
  await Promise.all(secondHalf.map(playMainJob));
});

async function playMainJob({ start, card, reject, approve, maria, run }: Stage): Promise<void> {
  const root = await start();
  await reject(await card(), 'Mention oolong');
  await approve(await card('Round 2'));
  await maria.seesInThread(root, 'is done, after');
  const { reviews } = await run('is completed', ({ status }) => status === 'completed');
  expect(reviews.map(({ approved }) => approved)).toEqual([false, true]);
}
