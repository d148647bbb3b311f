import { setTimeout as pause } from 'node:timers/promises';
import type { Findings } from '../faults/check-invariants.ts';
import { type FaultWorld, startFaultWorld } from '../faults/fault-world.ts';
import type { PolicyName } from '../faults/policies.ts';
import { disarmAll, startAll } from '../faults/run-trials.ts';
import { Scenario } from '../faults/scenario.ts';
import { reportsOf, settle } from '../faults/settle.ts';
import { nextFault } from './random-faults.ts';
import { createRandom, type SeededRandom } from './seeded-random.ts';

/** The result of a phase. */
export interface SoakPhase {
  seed: number;
  faults: number;
  scenarios: number;
  findings: Findings[];
  /** The violations with the seed and the history; empty if there are none. */
  report: string;
}

const POLICIES: readonly PolicyName[] = ['everybody', 'quorum', 'undo', 'rejecting', 'closing'];
const BOTS = 2;
const LOOK_EVERY_MS = 100;
/** After this many looks, about two seconds, people give up on modals that didn't open. */
const IMPATIENT_LOOKS = 20;

/**
 * People start crews and decide in five channels, each with its own policy, with two bots, while faults are injected. Then the faults end,
 * everything settles, and the invariants are checked. The same seed chooses the same world, plans and faults in the same
 * order, but not the same timing.
 */
export async function runSoakPhase({ seed, forMs }: { seed: number; forMs: number }): Promise<SoakPhase> {
  const random = createRandom(seed);
  const world = await startFaultWorld({
    crewChannels: POLICIES.length,
    policies: POLICIES,
    bots: BOTS,
    dialect: random.oneOf(['spec', 'spec', 'observed']),
    slackMode: random.oneOf(['http', 'http', 'socket']),
    messagesAre: random.oneOf(['told of', 'told of', 'not told of']),
    clocksWrongByMs: [random.between(-120_000, 120_000), random.between(-120_000, 120_000)],
  });
  const history: string[] = [];
  try {
    await startAll(world);
    const until = performance.now() + forMs;
    const [faults, scenarios] = await Promise.all([
      goWrong(world, { random: createRandom(seed + 1), until, history }),
      work(world, { seed, until }),
    ]);
    await disarmAll(world);
    await startAll(world);
    const findings = await settle(world, scenarios);
    const all = await reportsOf(world, scenarios, findings);
    const reports = all.filter((each) => each !== '');
    const report = reports.length === 0 ? '' : [`seed ${seed}`, ...history, ...reports].join('\n');
    return { seed, faults, scenarios: scenarios.length, findings, report };
  } finally {
    await world.stop();
  }
}

/** Injects one fault after the other, at most two at once. */
async function goWrong(
  world: FaultWorld,
  { random, until, history }: { random: SeededRandom; until: number; history: string[] },
): Promise<number> {
  const began = performance.now();
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  while (performance.now() < until) {
    const { what, happen } = nextFault(random, BOTS);
    history.push(`${Math.round(performance.now() - began)} ms: ${what}`);
    count += 1;
    await last;
    last = happen(world);
    await pause(random.between(50, 700));
  }
  await last;
  return count;
}

/** Runs one scenario after the other in each channel. */
async function work(world: FaultWorld, { seed, until }: { seed: number; until: number }): Promise<Scenario[]> {
  const scenarios: Scenario[] = [];
  const current = new Map<string, Scenario>();
  for (let looks = 1; performance.now() < until; looks++) {
    const stopsAwaiting = looks % IMPATIENT_LOOKS === 0;
    for (const crewChannel of world.crewChannels) {
      const scenario =
        current.get(crewChannel.crew) ?? new Scenario(world, crewChannel, planOf(seed, scenarios.length));
      if (!scenarios.includes(scenario)) scenarios.push(scenario);
      await scenario.step();
      // Two scenarios of the same people would mix up their modals.
      if (scenario.isDone) current.delete(crewChannel.crew);
      else current.set(crewChannel.crew, scenario);
      if (stopsAwaiting) await scenario.stopAwaiting('modal');
    }
    await pause(LOOK_EVERY_MS);
  }
  return scenarios;
}

function planOf(seed: number, number: number) {
  const random = createRandom(seed + 100 + number);
  const start = random.oneOf(['form', 'command'] as const);
  return { topic: `tea-${number}`, start, rejections: random.between(0, 3) };
}
