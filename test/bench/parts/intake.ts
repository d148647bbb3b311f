import { type Figure, goalOf } from '../figures.ts';
import { type Asked, furtherRequests, newRequests } from '../harness/approvals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import type { Setup } from '../harness/contenders.ts';
import { closedLoop } from '../harness/requests.ts';
import { median } from '../statistics.ts';

const LANES = 64;
const WARM_UP = 200;
const BURST = 1_000;
/** What the bot took a second, with thread and card each, before it was made faster; the goal is four times that. */
const EARLIER = 293;

interface Burst {
  answeredPerSecond: number;
  shownPerSecond: number;
  refused: number;
}

/** Bursts of requests for human input: how fast they are answered, and how fast all of them have their cards. */
export async function intake(setup: Setup): Promise<Figure[]> {
  const rounds: { elsewhere: Burst; further: Burst }[] = [];
  for (let round = 0; round < setup.rounds; round++) {
    await setup.machine.look();
    rounds.push(await withBot(setup, measure));
  }
  await setup.machine.look();
  const [elsewhere, further] = [rounds.map((each) => each.elsewhere), rounds.map((each) => each.further)];
  const shown = median(elsewhere.map(({ shownPerSecond }) => shownPerSecond));
  const refused = [...elsewhere, ...further].reduce((sum, each) => sum + each.refused, 0);
  const rate = (name: string, value: number): Figure => ({ name, value, unit: 'webhooks/s', better: 'more' });
  const answered = (bursts: Burst[]) => median(bursts.map(({ answeredPerSecond }) => answeredPerSecond));
  return [
    rate('new runs, answered', answered(elsewhere)),
    { ...rate('new runs, with thread and card', shown), goal: goalOf(shown, { atLeast: 4 * EARLIER }) },
    rate('known runs, answered', answered(further)),
    rate('known runs, with card', median(further.map(({ shownPerSecond }) => shownPerSecond))),
    ...(refused > 0 ? [{ name: 'refused', value: refused, unit: 'webhooks', better: 'less' as const }] : []),
  ];
}

async function measure(world: BotWorld): Promise<{ elsewhere: Burst; further: Burst }> {
  await send(world, newRequests(world.bot, WARM_UP));
  const requests = newRequests(world.bot, BURST);
  const elsewhere = await send(world, requests);
  return { elsewhere, further: await send(world, furtherRequests(world.bot, requests)) };
}

/** One burst, from quiet until every request that was taken has its card. */
async function send({ bot, stubs }: BotWorld, requests: readonly Asked[]): Promise<Burst> {
  await stubs.untilQuiet(1_000);
  await stubs.tell('forget');
  const posts = requests.map(({ post }) => post);
  const began = performance.now();
  const sent = await closedLoop(bot.port, posts, LANES);
  const answeredS = (performance.now() - began) / 1_000;
  const taken = sent.filter(({ status }) => status === 200).length;
  await stubs.until('every card', ({ cards }) => cards >= taken);
  const shownS = (performance.now() - began) / 1_000;
  return { answeredPerSecond: taken / answeredS, shownPerSecond: taken / shownS, refused: sent.length - taken };
}
