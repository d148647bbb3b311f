import { expect, it } from 'vitest';
import type { BotChild } from './bot-child.ts';
import { startFaultWorld } from './fault-world.ts';
import { figuresOf } from './figures.ts';
import { armKill, effectsSoFar, type KillPoint, killPointsIn, nameOf } from './kill-point.ts';
import { errandAt, type Outcome, runSideBySide, startAll, type Trial } from './run-errands.ts';
import { CLAIMS_END_SECONDS, settle } from './settle.ts';
import { oneOf, TRIALS_PATIENCE_MS } from './share.ts';

/** Worlds side by side: most of the time somebody waits. */
const LANES = 5;

it.concurrent(
  'loses nothing, killed at any point of the main job and started again a minute later',
  () => killEverywhere({ bots: 1, from: 0 }),
  TRIALS_PATIENCE_MS,
);

it.concurrent(
  'loses nothing, killed at any point of the main job while another bot goes on',
  () => killEverywhere({ bots: 2, from: 2 }),
  TRIALS_PATIENCE_MS,
);

/**
 * One errand for each point. In turns, alone and beside another bot, one dies before each effect of the main job; just
 * before an effect is just after the one before it.
 */
async function killEverywhere({ bots, from }: { bots: 1 | 2; from: 0 | 2 }): Promise<void> {
  const points = oneOf(4, await rehearse(), from);
  const kills: (() => BotChild | null)[] = [];
  const trials = points.map((point) => killAt(point, kills));
  const outcomes = await runSideBySide(LANES, trials, { bots });
  const happened = kills.filter((killed) => killed() !== null).length;
  console.info(
    `${happened} kills in ${outcomes.length} errands, ${bots} at work: ${figuresOf(outcomes.map(({ judgement }) => judgement))}`,
  );
  expect(reportOf(outcomes)).toBe('');
  // A history is never quite the same: many have some updates less than the rehearsal on a machine that is busy.
  expect(happened).toBeGreaterThan(points.length * 0.8);
}

function killAt(point: KillPoint, kills: (() => BotChild | null)[]): Trial {
  let killed: () => BotChild | null = () => null;
  return {
    name: `killed ${nameOf(point)}`,
    async arm(world, { place }) {
      killed = await armKill(world, { place, point });
      kills.push(killed);
    },
    async tend({ bots, clock }) {
      for (const bot of bots.filter((each) => !each.isAlive())) {
        const isOurs = bot === killed();
        if (isOurs && bots.length > 1) continue;
        if (isOurs) clock.putForward(CLAIMS_END_SECONDS);
        // Another one was killed by the trial before, when that was already over.
        await bot.start();
      }
    },
  };
}

/** The points of an errand that nothing goes wrong in. */
async function rehearse(): Promise<KillPoint[]> {
  const world = await startFaultWorld({ places: 1 });
  try {
    await startAll(world);
    const [judgement] = await settle(world, [errandAt(world, 0)]);
    expect(judgement?.violations).toEqual([]);
    const effects = (await effectsSoFar(world)).filter(
      (effect) => effect.to !== 'slack' || effect.method !== 'auth.test',
    );
    expect(effects.length).toBeGreaterThan(50);
    return killPointsIn(effects);
  } finally {
    await world.stop();
  }
}

function reportOf(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ report }) => report).join('');
}
