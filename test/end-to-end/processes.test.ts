import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let fixtures: Fixture[];
let first: BotProcess;

beforeAll(async () => {
  world = await startWorld({ slackMode: 'socket', fixtures: 6 });
  fixtures = await Promise.all(Array.from({ length: 6 }, () => world.fixture()));
  first = await world.startBotProcess({ port: await freePort() });
  await world.startBotProcess({ port: await freePort() });
});
afterAll(() => world.stop());

it('two bots share the work, and one goes on alone when the other is asked to end', async () => {
  const firstHalf = fixtures.slice(0, 3);
  const secondHalf = fixtures.slice(3);
  await Promise.all(firstHalf.map(playMainJob));
  await first.stop();
  await Promise.all(secondHalf.map(playMainJob));
});

async function playMainJob({ start, card, reject, approve, maria, run }: Fixture): Promise<void> {
  const root = await start();
  await reject(await card(), 'Mention oolong');
  await approve(await card('Round 2'));
  await maria.seesInThread(root, 'Finished.');
  const { reviews } = await run('is completed', ({ status }) => status === 'completed');
  expect(reviews.map(({ approved }) => approved)).toEqual([false, true]);
}
