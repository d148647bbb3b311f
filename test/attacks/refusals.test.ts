import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

const TIMES = 100;

let world: PolicyWorld;
let redis: Redis;

beforeAll(async () => {
  world = await startPolicyWorld({
    // A single crew would come from the environment, which says nothing of starters.
    crews: { guarded: { approvers: ['UJON00002'] }, other: {} },
    more: { guarded: { starters: ['UMARIA001'] } },
  });
  redis = new Redis(world.redis.url);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

/** How many entries the ledger has in all. */
async function entries(): Promise<number> {
  const chains = await redis.keys('signoff:{*}:ledger:*');
  return (await Promise.all(chains.map((chain) => redis.llen(chain)))).reduce((sum, each) => sum + each, 0);
}

/** How often something was announced, which each change of a run is, and a chain was read. */
async function cost(): Promise<{ announced: number; read: number }> {
  const stats = await redis.info('commandstats');
  const calls = (command: string) => Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  return { announced: calls('publish'), read: calls('lrange') };
}

/** An entry and its count for each minute that has begun. */
const most = (startedAt: number) => 2 * Math.ceil((Date.now() - startedAt) / 60_000);

it('A hundred refused starts of one person don’t fill the history of a crew', async () => {
  const jon = world.slack.as('jon');
  const startedAt = Date.now();
  const before = await entries();
  for (let i = 0; i < TIMES; i++) await jon.command(CHANNEL, `/kickoff guarded topic=${i}`);
  await privateAnswerTo(jon, CHANNEL, 'You aren’t allowed to start *guarded*');
  expect((await entries()) - before).toBeGreaterThan(0);
  expect((await entries()) - before).toBeLessThanOrEqual(most(startedAt));
});

it('A hundred refused clicks of one person neither rewrite the run nor fill its history', async () => {
  const { card } = await world.run('guarded');
  const priya = world.slack.as('priya');
  const click = async () => {
    await priya.click('Approve', { in: card });
    await privateAnswerTo(priya, CHANNEL, 'You can’t approve this');
    await priya.closeModal();
  };
  const [startedAt, before] = [Date.now(), await entries()];
  await click();
  const first = await cost();
  for (let i = 1; i < TIMES; i++) await click();
  expect((await entries()) - before).toBeGreaterThan(0);
  expect((await entries()) - before).toBeLessThanOrEqual(most(startedAt));
  const last = await cost();
  expect(last.announced - first.announced).toBeLessThan(TIMES / 2);
  expect(last.read - first.read).toBeLessThan(TIMES / 2);
});
