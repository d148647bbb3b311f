import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { arrivalsMs } from './arrivals.ts';
import type { Card } from './cards.ts';
import { approvingClick } from './clicks.ts';
import type { Server } from './contenders.ts';
import { processorMs } from './processor-time.ts';
import { openLoop } from './requests.ts';
import type { Stubs } from './stubs.ts';

/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;
const UPDATED_WITHIN_MS = 30_000;

/** What came of clicks at a steady rate. */
export interface SteadyClicks {
  rate: number;
  /** From each click to its arrival at the crew. */
  arrivalsMs: number[];
  /** Of the server's processor, a click, until the crew is told and the card updated. */
  processorMs: number;
  failed: number;
  lateMs: number;
}

/** One click a card, at a rate that doesn't wait for answers, until the crew is told of all of them and no card is out of date. */
export async function clickAt(
  rate: number,
  cards: readonly Card[],
  { port, pid, stubs }: Pick<Server, 'port' | 'pid' | 'stubs'>,
): Promise<SteadyClicks> {
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
