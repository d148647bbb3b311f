import { setTimeout as pause } from 'node:timers/promises';
import { Errand } from '../faults/errand.ts';
import { type FaultWorld, startFaultWorld } from '../faults/fault-world.ts';
import type { Judgement } from '../faults/judge.ts';
import { disarmAll, startAll } from '../faults/run-errands.ts';
import { historyOf, settle } from '../faults/settle.ts';
import { type Chance, createChance } from './chance.ts';
import { nextMishap } from './mishaps.ts';

/** What a season was like. */
export interface Season {
  seed: number;
  mishaps: number;
  errands: number;
  judgements: Judgement[];
  /** What must not have happened, with the seed and the history; empty where nothing did. */
  report: string;
}

const PLACES = 8;
const BOTS = 2;
const LOOK_EVERY_MS = 15;
/** After so many looks people give up on windows that didn't open: about two seconds. */
const IMPATIENT_LOOKS = 100;

/**
 * People start crews and decide in eight channels for a while, with two bots, and everything goes wrong that can. Then it
 * stops, everything settles, and what the counterparts recorded is judged. The same seed chooses the same world, wishes
 * and mishaps in the same order; when each of them meets whom is up to the machine.
 */
export async function runSeason({ seed, forMs }: { seed: number; forMs: number }): Promise<Season> {
  const chance = createChance(seed);
  const world = await startFaultWorld({
    places: PLACES,
    bots: BOTS,
    dialect: chance.oneOf(['spec', 'spec', 'observed']),
    slackMode: chance.oneOf(['http', 'http', 'socket']),
    historyScopes: chance.oneOf(['granted', 'granted', 'missing']),
    clocksWrongByMs: [chance.between(-120_000, 120_000), chance.between(-120_000, 120_000)],
  });
  const history: string[] = [];
  try {
    await startAll(world);
    const until = performance.now() + forMs;
    const [mishaps, errands] = await Promise.all([
      goWrong(world, { chance: createChance(seed + 1), until, history }),
      work(world, { seed, until }),
    ]);
    await disarmAll(world);
    await startAll(world);
    const judgements = await settle(world, errands);
    const wrong = errands.filter((_, i) => judgements[i]?.violations.length !== 0);
    const reports = await Promise.all(
      wrong.map(async (errand) => {
        const violations = judgements[errands.indexOf(errand)]?.violations ?? [];
        return [`${errand.place.crew}, ${errand.wish.topic}:`, ...violations, await historyOf(world, errand)].join(
          '\n',
        );
      }),
    );
    const report = reports.length === 0 ? '' : [`seed ${seed}`, ...history, ...reports].join('\n');
    return { seed, mishaps, errands: errands.length, judgements, report };
  } finally {
    await world.stop();
  }
}

/** One mishap after the other, sometimes two at once. */
async function goWrong(
  world: FaultWorld,
  { chance, until, history }: { chance: Chance; until: number; history: string[] },
): Promise<number> {
  const began = performance.now();
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  while (performance.now() < until) {
    const { what, happen } = nextMishap(chance, BOTS);
    history.push(`${Math.round(performance.now() - began)} ms: ${what}`);
    count += 1;
    await last;
    last = happen(world);
    await pause(chance.between(50, 700));
  }
  await last;
  return count;
}

/** At each place one errand after the other. */
async function work(world: FaultWorld, { seed, until }: { seed: number; until: number }): Promise<Errand[]> {
  const errands: Errand[] = [];
  const current = new Map<string, Errand>();
  for (let looks = 1; performance.now() < until; looks++) {
    const losesHope = looks % IMPATIENT_LOOKS === 0;
    for (const place of world.places) {
      const errand = current.get(place.crew) ?? new Errand(world, place, wishOf(seed, errands.length));
      if (!errands.includes(errand)) errands.push(errand);
      await errand.step();
      // Two at one place would take each other's windows for their own.
      if (errand.isDone) current.delete(place.crew);
      else current.set(place.crew, errand);
      if (losesHope) await errand.loseHope('window');
    }
    await pause(LOOK_EVERY_MS);
  }
  return errands;
}

function wishOf(seed: number, number: number) {
  const chance = createChance(seed + 100 + number);
  const start = chance.oneOf(['form', 'command'] as const);
  return { topic: `tea-${number}`, start, rejections: chance.between(0, 3) };
}
