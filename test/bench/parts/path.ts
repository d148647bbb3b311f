import { setTimeout as pause } from 'node:timers/promises';
import { compared, type Figure } from '../figures.ts';
import { arrivalsMs } from '../harness/arrivals.ts';
import type { Card } from '../harness/cards.ts';
import { approvingClick } from '../harness/clicks.ts';
import { type Contender, type Server, type Setup, withServer } from '../harness/contenders.ts';
import { processorMs } from '../harness/processor-time.ts';
import { openLoop } from '../harness/requests.ts';
import { interleaved } from '../harness/rounds.ts';
import type { Stubs } from '../harness/stubs.ts';
import { median, percentile } from '../statistics.ts';

/** Only those that do the whole work. */
const WORKING: readonly Contender[] = ['signoff', 'bare-bolt', 'lean-bolt'];
const WARM_UP = 300;
const RATES = [100, 200] as const;
const SECONDS = 5;
/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;
const UPDATED_WITHIN_MS = 30_000;

interface Path {
  rate: number;
  /** From each click to its arrival at the crew. */
  arrivalsMs: number[];
  /** Of the server's processor, a click, until the crew is told and the card updated. */
  processorMs: number;
  failed: number;
  lateMs: number;
}

/** The way of a click to the crew, at a steady rate that doesn't wait for answers, and what it costs the server. */
export async function path(setup: Setup): Promise<Figure[]> {
  const rounds = await interleaved(setup, WORKING, (contender) => measure(contender, setup));
  const of = (contender: Contender, pick: (results: Path[]) => number) => median(rounds[contender].map(pick));
  const compare = (name: string, to: Contender, atMost: number, pick: (results: Path[]) => number) =>
    WORKING.map((contender): Figure => {
      const figure = { name: `${name}, ${contender}`, value: of(contender, pick), unit: 'ms', better: 'less' as const };
      return compared(figure, { name: to, value: of(to, pick) }, contender === 'signoff' ? { atMost } : undefined);
    });
  const arrival = (rate: number, percent: number) =>
    compare(`click to crew at ${rate}/s, p${percent}`, 'lean-bolt', 2, (results) =>
      percentile(results.find((each) => each.rate === rate)?.arrivalsMs ?? [], percent),
    );
  const processor = compare('processor time a click', 'bare-bolt', 1, (results) =>
    median(results.map((each) => each.processorMs)),
  );
  return [
    ...RATES.flatMap((rate) => [...arrival(rate, 50), ...arrival(rate, 99)]),
    ...processor,
    ...troubles(WORKING.flatMap((contender) => rounds[contender].flat().map((each) => ({ contender, ...each })))),
  ];
}

/** What makes the other figures doubtful; usually nothing. */
function troubles(results: readonly (Path & { contender: Contender })[]): Figure[] {
  const failed = results.filter((each) => each.failed > 0);
  const late = results.filter(({ lateMs }) => lateMs > 20);
  return [
    ...failed.map(({ contender, rate, failed: value }) => ({
      ...{
        name: `not acknowledged, delivered or shown at ${rate}/s, ${contender}`,
        value,
        unit: 'clicks',
        better: 'less' as const,
      },
    })),
    ...late.map(({ contender, rate, lateMs }) => ({
      ...{ name: `the driver was late at ${rate}/s, ${contender}`, value: lateMs, unit: 'ms', better: 'less' as const },
    })),
  ];
}

function measure(contender: Contender, setup: Setup): Promise<Path[]> {
  return withServer(contender, { setup, work: 'all' }, async (server) => {
    const { stubs, port, cards } = server;
    const first = await cards(WARM_UP);
    await stubs.untilQuiet(QUIET_MS);
    await openLoop(port, first.map(approvingClick), RATES[0]);
    const results: Path[] = [];
    for (const rate of RATES) {
      const made = await cards(rate * SECONDS);
      await stubs.untilQuiet(QUIET_MS);
      results.push(await clickAt(rate, made, server));
    }
    return results;
  });
}

async function clickAt(rate: number, cards: readonly Card[], { port, pid, stubs }: Server): Promise<Path> {
  await stubs.tell('forget');
  const posts = cards.map(approvingClick);
  const before = processorMs(pid) ?? Number.NaN;
  const sent = await openLoop(port, posts, rate);
  await stubs.until('every decision', ({ resumed }) => resumed >= cards.length).catch(() => {});
  const unchanged = await untilUpdated(cards, stubs);
  const after = processorMs(pid) ?? Number.NaN;
  await stubs.untilQuiet(QUIET_MS);
  const arrivals = await arrivalsMs(cards, sent, stubs);
  return {
    rate,
    arrivalsMs: arrivals,
    processorMs: (after - before) / cards.length,
    failed: Math.max(unchanged, cards.length - arrivals.length, sent.filter(({ status }) => status !== 200).length),
    lateMs: percentile(
      sent.map(({ lateMs }) => lateMs),
      99,
    ),
  };
}

/** Waits for the update of every card; resolves to how many had none in time. */
async function untilUpdated(cards: readonly Card[], stubs: Stubs): Promise<number> {
  const deadline = performance.now() + UPDATED_WITHIN_MS;
  for (;;) {
    const updated = new Set((await stubs.updated()).map(({ ts }) => ts));
    const unchanged = cards.filter(({ ts }) => !updated.has(ts)).length;
    if (unchanged === 0 || performance.now() > deadline) return unchanged;
    await pause(50);
  }
}
