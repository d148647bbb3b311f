import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  await world.startBot();
});
afterAll(() => world.stop());

it('a crew that never answers delays no other crew', async () => {
  const [hanging, other] = [await world.fixture(), await world.fixture()];
  await hanging.addFault({ route: 'kickoff', times: 40, respond: 'silence' });
  const typed = Array.from({ length: 40 }, (_, i) => hanging.types(`topic=tea-${i}`));
  // The limit of concurrent calls; the others wait up to the 30 s that a kickoff may take.
  await hanging.asked('kickoff', 16);
  await other.start();
  await other.approve(await other.card());
  await other.run('completed', ({ status }) => status === 'completed');
  expect(await hanging.requests('kickoff')).toHaveLength(16);
  await Promise.all(typed);
});
