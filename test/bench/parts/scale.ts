import { startRedis } from '../../support/redis.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import type { Figure } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import { type Bot, startBot } from '../harness/bot.ts';
import { approvingClick } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { closedLoop } from '../harness/requests.ts';
import { type Stubs, startStubs } from '../harness/stubs.ts';
import { median } from '../statistics.ts';

const BOTS = [1, 2, 4] as const;
const STORES = ['one Redis', 'a Cluster of three'] as const;
const LANES = 64;
const WARM_UP = 200;
const DECISIONS = 500;
const QUIET_MS = 1_000;

interface Configuration {
  bots: number;
  store: (typeof STORES)[number];
}

/** Decisions a second, from the first click until the crew has been told of all of them. */
export async function scale(setup: Setup): Promise<Figure[]> {
  const all = STORES.flatMap((store) => BOTS.map((bots) => ({ store, bots })));
  const results = all.map((configuration) => ({ configuration, perSecond: [] as number[] }));
  for (let round = 0; round < setup.rounds; round++) {
    await setup.machine.look();
    for (const { configuration, perSecond } of results) perSecond.push(await measure(configuration, setup));
  }
  await setup.machine.look();
  const one = median(results[0]?.perSecond ?? []);
  return results.map(({ configuration: { bots, store }, perSecond }) => ({
    name: `${bots} ${bots === 1 ? 'bot' : 'bots'} on ${store}`,
    value: median(perSecond),
    unit: 'decisions/s',
    better: 'more',
    ratio: { value: median(perSecond) / one, to: `1 bot on ${STORES[0]}` },
    note: `${Math.min(bots, setup.cores.count)} of ${setup.cores.count} cores`,
  }));
}

async function measure({ bots: count, store }: Configuration, setup: Setup): Promise<number> {
  const redis = await startStore(store, setup);
  const stubs = await startStubs(setup.cores.others);
  try {
    const start = (i: number) => startBot({ stubs, redisUrl: redis.url, core: coreOf(i, setup) });
    const bots = await Promise.all(Array.from({ length: count }, (_, i) => start(i)));
    await decide(bots, stubs, WARM_UP);
    return await decide(bots, stubs, DECISIONS).finally(() => Promise.all(bots.map((bot) => bot.kill())));
  } finally {
    await stubs.stop();
    await redis.stop();
  }
}

function startStore(store: Configuration['store'], { durable }: Setup) {
  if (store === 'one Redis') return startRedis({ appendOnly: durable });
  return startRedisCluster(durable ? {} : { settings: ['--appendonly', 'no'] });
}

/** One core after the other, from the first again where there are fewer cores than bots. */
function coreOf(bot: number, { cores }: Setup): string | null {
  return cores.server === null ? null : String(bot % cores.count);
}

/** Each bot gets the same share of the clicks. */
async function decide(bots: readonly Bot[], stubs: Stubs, count: number): Promise<number> {
  const [first] = bots;
  if (first === undefined) throw new Error('there is no bot');
  const cards = await openApprovals(first, stubs, count);
  await stubs.untilQuiet(QUIET_MS);
  const posts = cards.map(approvingClick);
  const began = performance.now();
  const shares = bots.map(({ port }, bot) =>
    closedLoop(
      port,
      posts.filter((_, i) => i % bots.length === bot),
      LANES / bots.length,
    ),
  );
  const sent = (await Promise.all(shares)).flat();
  const taken = sent.filter(({ status }) => status === 200).length;
  if (taken < count) throw new Error(`${count - taken} clicks were not acknowledged`);
  await stubs.until('every decision', ({ resumed }) => resumed >= count);
  return (count / (performance.now() - began)) * 1_000;
}
