import { expect, it } from 'vitest';
import { createChannelMoves } from '../../src/redis/channel-moves.ts';
import { redisForTests } from './store-under-test.ts';

const { redis } = redisForTests();

it('finds the id that a channel has now, however often Slack has replaced it', async () => {
  const moves = createChannelMoves(redis());
  await moves.add('G1', 'C1');
  await moves.add('C1', 'C2');
  expect(await Promise.all(['G1', 'C1', 'C2', 'C9'].map((id) => moves.latest(id)))).toEqual(['C2', 'C2', 'C2', 'C9']);
});

it('ends even where ids lead back to each other', async () => {
  const moves = createChannelMoves(redis());
  await moves.add('C3', 'C4');
  await moves.add('C4', 'C3');
  expect(['C3', 'C4']).toContain(await moves.latest('C3'));
});
