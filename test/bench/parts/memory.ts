import { type Figure, goalOf } from '../figures.ts';
import { makeApprovals, newRequests, openApprovals } from '../harness/approvals.ts';
import { arrivalsMs } from '../harness/arrivals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClick, kickoffCommand } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { BESIDE_LEDGER, LEDGER } from '../harness/redis-counts.ts';
import { closedLoop } from '../harness/requests.ts';
import { median, percentile } from '../statistics.ts';

const USUAL = 10_000;
const LARGE = 100_000;
/** At a time, so that the requests themselves need little memory. */
const CHUNK = 5_000;
/** Half of the approvals are alone in their execution; this many of the other half share one. */
const SHARED = 5;
const DECISIONS = 100;
const STATUS_LISTS = 10;
const QUIET_MS = 4_000;

/** What many pending approvals of 4 KB cost, all of them in one channel. */
export function memory(setup: Setup): Promise<Figure[]> {
  return withBot(setup, async (world) => {
    const empty = await world.meter.bytes(BESIDE_LEDGER);
    const few = await measure(world, { empty, pending: USUAL, existing: 0 });
    return setup.large ? [...few, ...(await measure(world, { empty, pending: LARGE, existing: USUAL }))] : few;
  });
}

async function measure(
  { bot, stubs, meter }: BotWorld,
  { empty, pending, existing }: { empty: number; pending: number; existing: number },
): Promise<Figure[]> {
  const began = performance.now();
  for (let made = existing; made < pending; made += CHUNK) {
    await makeApprovals(bot, stubs, newRequests(bot, CHUNK / 2));
    await makeApprovals(bot, stubs, newRequests(bot, CHUNK / 2, SHARED));
  }
  const perSecond = ((pending - existing) / (performance.now() - began)) * 1_000;
  await stubs.untilQuiet(QUIET_MS);
  const bytes = ((await meter.bytes(BESIDE_LEDGER)) - empty) / pending;
  const ledger = (await meter.bytes(LEDGER)) / pending;
  const keys = await meter.keys();
  const decisionsMs = await decide({ bot, stubs });
  const lists = Array.from({ length: STATUS_LISTS }, (_, i) => kickoffCommand('status', i));
  const listed = await closedLoop(bot.port, lists, 1);
  const refused = listed.filter(({ status }) => status !== 200).length;
  const figure = (name: string, value: number, unit: string): Figure => ({
    ...{ name: `${pending.toLocaleString('en-US')} pending, ${name}`, value, unit, better: 'less' },
  });
  return [
    { ...figure('each', bytes, 'bytes'), goal: goalOf(bytes, { atMost: 2_200 }), note: MIX },
    figure('each, in the ledger', ledger, 'bytes'),
    figure('keys', keys, 'keys'),
    { ...figure('made', perSecond, 'approvals/s'), better: 'more' },
    figure('click to crew, p50', percentile(decisionsMs, 50), 'ms'),
    figure('click to crew, p99', percentile(decisionsMs, 99), 'ms'),
    figure('status list', median(listed.map(({ tookMs }) => tookMs)), 'ms'),
    ...(refused > 0 ? [figure('status lists refused', refused, 'commands')] : []),
  ];
}

const MIX = `half of them alone in their execution, half ${SHARED} to one`;

/** One click after the other. */
async function decide({ bot, stubs }: Pick<BotWorld, 'bot' | 'stubs'>): Promise<number[]> {
  const cards = await openApprovals(bot, stubs, DECISIONS);
  await stubs.untilQuiet(QUIET_MS);
  const sent = await closedLoop(bot.port, cards.map(approvingClick), 1);
  await stubs.until('every decision', ({ resumed }) => resumed >= DECISIONS);
  return arrivalsMs(cards, sent, stubs);
}
