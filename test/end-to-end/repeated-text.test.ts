import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  // Only in this dialect nothing but the text tells a repeated notice from a new round.
  world = await startWorld({ dialect: 'spec', fixtures: 1 });
  await world.startBot();
});
afterAll(() => world.stop());

describe('a new round', () => {
  it('with the same text as before says that it may be a repeated notice, and asks to make sure', async () => {
    const { start, jon, card, reject, run } = await world.fixture([
      { name: 'draft', agent: 'Writer', humanInput: true, output: 'Always the same.' },
    ]);
    await start();
    await reject(await card(), 'Different, please');
    const second = await card('Round 2');
    expect(visibleText(second)).toContain('same text as in round 1');
    expect(visibleText(second).split('\n').slice(0, 6).join()).toContain('Same text as round 1');
    await expect(jon.click('Approve', { in: second })).rejects.toThrow();
    await jon.click('Approve', { in: second, confirm: 'Approve anyway' });
    const { reviews } = await run('is completed', ({ status }) => status === 'completed');
    expect(reviews.map(({ approved }) => approved)).toEqual([false, true]);
  });
});
