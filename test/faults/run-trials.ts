import type { Findings } from './check-invariants.ts';
import { type FaultWorld, type FaultWorldOptions, startFaultWorld } from './fault-world.ts';
import { type Plan, Scenario } from './scenario.ts';
import { historyOf, settle } from './settle.ts';

/** One scenario with what goes wrong during it. */
export interface Trial {
  /** Of what was tried, for the report. */
  name: string;
  /** Lets the counterparts fail before the scenario begins. */
  arm(world: FaultWorld, scenario: Scenario): Promise<void> | void;
  /** Called again and again during the scenario. */
  tend?: (world: FaultWorld, scenario: Scenario) => Promise<void>;
  plan?: Partial<Plan>;
}

export interface Outcome {
  name: string;
  findings: Findings;
  /** What was wrong and all that is known of it; empty where nothing was. */
  report: string;
}

/** Tries one after the other in a world of their own, each at a crewChannel of its own. */
export async function runTrials(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'crewChannels'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, crewChannels: trials.length });
  const outcomes: Outcome[] = [];
  try {
    for (const [i, trial] of trials.entries())
      outcomes.push(await runTrial(world, scenarioAt(world, i, trial.plan), trial));
  } finally {
    await world.stop();
  }
  return outcomes;
}

/** The same in several worlds side by side, since trials wait most of the time. */
export async function runSideBySide(
  worlds: number,
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'crewChannels'> = {},
): Promise<Outcome[]> {
  const shares = Array.from({ length: worlds }, (_, world) => trials.filter((_, i) => i % worlds === world));
  const outcomes = await Promise.all(
    shares.filter((share) => share.length > 0).map((share) => runTrials(share, options)),
  );
  return outcomes.flat();
}

/** All at once in one world: for what people wait long for, and what goes wrong at its own crewChannel only. */
export async function runTogether(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'crewChannels'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, crewChannels: trials.length });
  try {
    await startAll(world);
    const pairs = trials.map((trial, i) => ({ trial, scenario: scenarioAt(world, i, trial.plan) }));
    for (const { trial, scenario } of pairs) await trial.arm(world, scenario);
    const findings = await settle(
      world,
      pairs.map(({ scenario }) => scenario),
      async () => {
        for (const { trial, scenario } of pairs) await trial.tend?.(world, scenario);
      },
    );
    return await Promise.all(
      pairs.map(({ trial, scenario }, i) => outcomeOf(world, { name: trial.name, scenario, findings: findings[i] })),
    );
  } finally {
    await world.stop();
  }
}

async function runTrial(world: FaultWorld, scenario: Scenario, { name, arm, tend }: Trial): Promise<Outcome> {
  await startAll(world);
  world.clock.setRight();
  await arm(world, scenario);
  const [findings] = await settle(world, [scenario], async () => tend?.(world, scenario));
  await disarmAll(world);
  return outcomeOf(world, { name, scenario, findings });
}

async function outcomeOf(
  world: FaultWorld,
  { name, scenario, findings }: { name: string; scenario: Scenario; findings: Findings | undefined },
): Promise<Outcome> {
  if (!findings) throw new Error('a scenario was not checked');
  const isWrong = findings.violations.length > 0;
  const report = isWrong ? [name, ...findings.violations, await historyOf(world, scenario)].join('\n') : '';
  return { name, findings, report };
}

export function scenarioAt(world: FaultWorld, index: number, plan: Partial<Plan> = {}): Scenario {
  const crewChannel = world.crewChannels[index];
  if (!crewChannel) throw new Error(`there is no crew channel ${index}`);
  return new Scenario(world, crewChannel, { topic: `tea-${index}`, start: 'form', rejections: 1, ...plan });
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
