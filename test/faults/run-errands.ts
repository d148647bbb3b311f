import { Errand, type Wish } from './errand.ts';
import { type FaultWorld, type FaultWorldOptions, startFaultWorld } from './fault-world.ts';
import type { Judgement } from './judge.ts';
import { historyOf, settle } from './settle.ts';

/** One errand with what goes wrong during it. */
export interface Trial {
  /** Of what was tried, for the report. */
  name: string;
  /** Lets the counterparts fail before the errand begins. */
  arm(world: FaultWorld, errand: Errand): Promise<void> | void;
  /** Called again and again during the errand. */
  tend?: (world: FaultWorld, errand: Errand) => Promise<void>;
  wish?: Partial<Wish>;
}

export interface Outcome {
  name: string;
  judgement: Judgement;
  /** What was wrong and all that is known of it; empty where nothing was. */
  report: string;
}

/** Tries one after the other in a world of their own, each at a place of its own. */
export async function runTrials(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'places'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, places: trials.length });
  const outcomes: Outcome[] = [];
  try {
    for (const [i, trial] of trials.entries())
      outcomes.push(await runTrial(world, errandAt(world, i, trial.wish), trial));
  } finally {
    await world.stop();
  }
  return outcomes;
}

/** The same in several worlds side by side: most of the time of a trial somebody waits. */
export async function runSideBySide(
  lanes: number,
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'places'> = {},
): Promise<Outcome[]> {
  const shares = Array.from({ length: lanes }, (_, lane) => trials.filter((_, i) => i % lanes === lane));
  const outcomes = await Promise.all(
    shares.filter((share) => share.length > 0).map((share) => runTrials(share, options)),
  );
  return outcomes.flat();
}

/** All at once in one world: for what people wait long for, and what goes wrong at its own place only. */
export async function runTogether(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'places'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, places: trials.length });
  try {
    await startAll(world);
    const pairs = trials.map((trial, i) => ({ trial, errand: errandAt(world, i, trial.wish) }));
    for (const { trial, errand } of pairs) await trial.arm(world, errand);
    const judgements = await settle(
      world,
      pairs.map(({ errand }) => errand),
      async () => {
        for (const { trial, errand } of pairs) await trial.tend?.(world, errand);
      },
    );
    return await Promise.all(
      pairs.map(({ trial, errand }, i) => outcomeOf(world, { name: trial.name, errand, judgement: judgements[i] })),
    );
  } finally {
    await world.stop();
  }
}

async function runTrial(world: FaultWorld, errand: Errand, { name, arm, tend }: Trial): Promise<Outcome> {
  await startAll(world);
  world.clock.setRight();
  await arm(world, errand);
  const [judgement] = await settle(world, [errand], async () => tend?.(world, errand));
  await disarmAll(world);
  return outcomeOf(world, { name, errand, judgement });
}

async function outcomeOf(
  world: FaultWorld,
  { name, errand, judgement }: { name: string; errand: Errand; judgement: Judgement | undefined },
): Promise<Outcome> {
  if (!judgement) throw new Error('an errand was not judged');
  const isWrong = judgement.violations.length > 0;
  const report = isWrong ? [name, ...judgement.violations, await historyOf(world, errand)].join('\n') : '';
  return { name, judgement, report };
}

export function errandAt(world: FaultWorld, index: number, wish: Partial<Wish> = {}): Errand {
  const place = world.places[index];
  if (!place) throw new Error(`there is no place ${index}`);
  return new Errand(world, place, { topic: `tea-${index}`, start: 'form', rejections: 1, ...wish });
}

export async function startAll(world: FaultWorld): Promise<void> {
  await Promise.all(world.bots.map((bot) => bot.start()));
}

/** Nothing goes wrong any more. */
export async function disarmAll(world: FaultWorld): Promise<void> {
  for (const bot of world.bots) {
    bot.redis.disarm();
    bot.redis.slowDown(0);
    bot.redis.open();
  }
  world.slack.faults.clear();
  await world.crews.sandbox.clearFaults();
}
