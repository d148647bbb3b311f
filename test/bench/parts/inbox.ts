import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, goalOf } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import { arrivalsMs } from '../harness/arrivals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import type { Card } from '../harness/cards.ts';
import { approvingClick } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { judgingMs } from '../harness/judging.ts';
import { storeOpenRuns } from '../harness/open-runs.ts';
import { opening, publishedMs } from '../harness/openings.ts';
import { residentMb } from '../harness/processor-time.ts';
import { openLoop } from '../harness/requests.ts';
import { percentile } from '../statistics.ts';

interface Amounts {
  open: number;
  people: number;
  openings: number;
  clicks: number;
}

const AMOUNTS: Amounts = { open: 10_000, people: 500, openings: 1_000, clicks: 200 };
const PER_SECOND = { openings: 50, clicks: 10 };
const CREWS = 40;
const CHANNELS = 20;
const QUIET_MS = 4_000;

/** Crews of four kinds: the usual policy, a group, two people of those in the channel, and a task with rules of its own. */
const KINDS = [
  {},
  { approvers: ['@deciders', 'U0NOBODY01'] },
  { approvers: ['channel', 'S0DECIDERS'], quorum: 2, self_approval: false },
  { approvers: ['workspace'], tasks: [{ match: 'publish*', approvers: ['@deciders'], quorum: 2 }] },
];
const NAMES = Array.from({ length: CREWS }, (_, i) => `crew-${i}`);
const POLICIES = Object.fromEntries(NAMES.map((name, i) => [name, { ...KINDS[i % KINDS.length] }]));

/** The first 98 are in the group of the stub. */
const peopleOf = (count: number) => Array.from({ length: count }, (_, i) => `U0COLLEAGUE${i}`);

/** People who open their lists while thousands of requests wait and others click. */
export function inbox(setup: Setup): Promise<Figure[]> {
  return withBot(setup, (world) => measure(world, AMOUNTS), { policies: POLICIES });
}

/** What a few openings ask of Slack and Redis, of which there are budgets. */
export function inboxCounts(setup: Setup): Promise<Figure[]> {
  const few = { open: 500, people: 50, openings: 100, clicks: 0 };
  return withBot(setup, (world) => counts(world, few), { policies: POLICIES });
}

async function measure(world: BotWorld, amounts: Amounts): Promise<Figure[]> {
  const { bot, stubs, redis } = world;
  const cards = await openApprovals(bot, stubs, 2 * amounts.clicks);
  await stubs.untilQuiet(QUIET_MS);
  const [before, during] = [cards.slice(0, amounts.clicks), cards.slice(amounts.clicks)];
  const alone = await clickAll(world, before);
  await fill(world, amounts);
  const judging = await judgingMs({ redisUrl: redis.url, policies: POLICIES, people: peopleOf(amounts.people) });
  const rssBefore = residentMb(bot.pid);
  const first = await openAll(world, ['U0COLLEAGUE0']);
  const rssAfter = residentMb(bot.pid);
  await stubs.tell('forget');
  const [opened, clicked] = await Promise.all([openAll(world, visitors(amounts)), clickAll(world, during)]);
  const publications = (await stubs.published()).length;
  const rssEnd = residentMb(bot.pid);
  const p99 = percentile(opened, 99);
  const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit, better: 'less' });
  return [
    { ...figure('judging all for one person', judging, 'ms'), goal: goalOf(judging, { atMost: 50 }) },
    figure('first opening', first[0] ?? Number.NaN, 'ms'),
    figure('opening, p50', percentile(opened, 50), 'ms'),
    { ...figure('opening, p99', p99, 'ms'), goal: goalOf(p99, { atMost: 1_000 }) },
    figure('openings without a publication', amounts.openings - opened.length, 'openings'),
    {
      ...figure('click to crew meanwhile, p99', clicked.p99, 'ms'),
      ratio: { value: clicked.p99 / alone.p99, to: ALONE },
    },
    figure('clicks that failed', alone.failed + clicked.failed, 'clicks'),
    figure('memory for it', rssAfter - rssBefore, 'MB'),
    { ...figure('memory of the process', rssEnd, 'MB'), note: `${publications} publications` },
  ];
}

const ALONE = 'before, without openings';

async function counts(world: BotWorld, amounts: Amounts): Promise<Figure[]> {
  const { stubs, meter } = world;
  await fill(world, amounts);
  await openAll(world, peopleOf(amounts.people));
  await stubs.tell('forget');
  const before = await meter.counts();
  await openAll(world, visitors(amounts));
  const scripts = (await meter.counts()).scripts - before.scripts;
  const { calls } = await stubs.counts();
  const asked = Object.values(calls).reduce((sum, each) => sum + each, 0);
  const figure = (name: string, value: number, unit: string): Figure => {
    return { name, value: value / amounts.openings, unit, better: 'less' };
  };
  return [figure('Slack calls an opening', asked, 'calls'), figure('scripts an opening', scripts, 'scripts')];
}

async function fill({ redis }: BotWorld, { open, people }: Amounts): Promise<void> {
  const channels = Array.from({ length: CHANNELS }, (_, i) => `C0BENCH${String(i).padStart(3, '0')}`);
  await storeOpenRuns(redis.url, { count: open, crews: NAMES, channels, people: peopleOf(people) });
}

/** One after the other, all of them once, and then again. */
function visitors({ people, openings }: Amounts): string[] {
  const ids = peopleOf(people);
  return Array.from({ length: openings }, (_, i) => ids[i % people] ?? '');
}

/** What came of clicks, in milliseconds until the crew was told. */
interface Clicks {
  p99: number;
  failed: number;
}

const DECIDED_WITHIN_MS = 20_000;
const PUBLISHED_WITHIN_MS = 10_000;

async function openAll({ bot, stubs }: BotWorld, people: readonly string[]): Promise<number[]> {
  const sent = await openLoop(bot.port, people.map(opening), PER_SECOND.openings);
  const deadline = performance.now() + PUBLISHED_WITHIN_MS;
  for (;;) {
    const took = await publishedMs(people, sent, stubs);
    if (took.length === people.length || performance.now() > deadline) return took;
    await pause(100);
  }
}

async function clickAll({ bot, stubs }: BotWorld, cards: readonly Card[]): Promise<Clicks> {
  const sent = await openLoop(bot.port, cards.map(approvingClick), PER_SECOND.clicks);
  await stubs.until('every decision', ({ resumed }) => resumed >= cards.length, DECIDED_WITHIN_MS).catch(() => {});
  const arrivals = await arrivalsMs(cards, sent, stubs);
  return { p99: percentile(arrivals, 99), failed: cards.length - arrivals.length };
}
