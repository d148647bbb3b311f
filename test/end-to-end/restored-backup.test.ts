import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { backUp, restore } from '../support/backup.ts';
import type { Fixture } from '../support/fixture.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, type World } from '../support/world.ts';

/** As docs/upgrade-and-backup.md says. */
describe.concurrent('a bot that works with a restored backup', () => {
  let world: World;
  let port: number;
  let decidedSince: Fixture;
  let sentSince: Fixture;
  let startedSince: Fixture;
  let unknownCard: Awaited<ReturnType<Fixture['card']>>;
  let resumesBefore: number;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 3 });
    [decidedSince, sentSince, startedSince] = [await world.fixture(), await world.fixture(), await world.fixture()];
    port = await freePort();
    const bot = await world.startBot({ port });
    await decidedSince.start();
    const card = await decidedSince.linkedCard();
    await sentSince.addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '5' } } });
    await sentSince.start();
    const sentCard = await sentSince.linkedCard();
    await sentSince.jon.click('Approve', { in: sentCard });
    // The backup has to be made between two attempts: of one under way, nobody knows what came.
    await sentSince.jon.seesChanged(sentCard, 'The decision is saved');

    const redis = new Redis(world.redis.socketPath);
    const backup = await backUp(redis);
    await sentSince.run('is completed', ({ status }) => status === 'completed');
    await decidedSince.approve(card);
    await decidedSince.run('is completed', ({ status }) => status === 'completed');
    await startedSince.start();
    unknownCard = await startedSince.linkedCard();
    await bot.stop();
    resumesBefore = (await sentSince.requests('resume')).length;
    await restore(redis, backup);
    redis.disconnect();
    await world.startBot({ port });
  }, 60_000);
  afterAll(() => world.stop());

  it('has a request open again that was decided since', async () => {
    expect((await scrape(port)).get('signoff_open_approvals{age="under 15m"}')).toBe(1);
  });

  it('sends a decision that waited to be sent, though the crew has had it', async () => {
    await sentSince.asked('resume', resumesBefore + 1);
    expect((await sentSince.runs()).map(({ reviews }) => reviews.length)).toEqual([1]);
  });

  it('decides nothing about a run that was started since', async () => {
    await startedSince.jon.click('Approve', { in: unknownCard });
    expect(await startedSince.resumes()).toEqual([]);
  });
});
