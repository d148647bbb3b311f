import type { Findings } from './check-invariants.ts';
import { type FaultWorld, type FaultWorldOptions, startFaultWorld } from './fault-world.ts';
import type { PolicyName } from './policies.ts';
import { type Plan, Scenario } from './scenario.ts';
import { type Clock, reportOf, settle } from './settle.ts';

/** A scenario with its faults. */
export interface Trial {
  /** For the report. */
  name: string;
  /** Injects the faults before the scenario begins. */
  arm(world: FaultWorld, scenario: Scenario): Promise<void> | void;
  /** Called on each pass of the scenario. */
  tend?: (world: FaultWorld, scenario: Scenario) => Promise<void>;
  /** Awaited once everything has settled, for faults that nobody else awaits. */
  end?: () => Promise<void>;
  plan?: Partial<Plan>;
  /** Of the crew. Default: by turns. */
  policy?: PolicyName;
  /** Default: put forward. */
  clock?: Clock;
}

export interface Outcome {
  name: string;
  findings: Findings;
  /** The violations and everything known about them; empty if there are none. */
  report: string;
}

/** Runs trials one after the other in one world, each with a crew and a channel of its own. */
export async function runTrials(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'crewChannels'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, ...crewsFor(trials) });
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

/** Runs trials at once in one world: for long waits, and faults that hit only their own crew or channel. */
export async function runTogether(
  trials: readonly Trial[],
  options: Omit<FaultWorldOptions, 'crewChannels'> = {},
): Promise<Outcome[]> {
  const world = await startFaultWorld({ ...options, ...crewsFor(trials) });
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

function crewsFor(trials: readonly Trial[]): Pick<FaultWorldOptions, 'crewChannels' | 'policies'> {
  return { crewChannels: trials.length, policies: trials.map(({ policy }) => policy) };
}

async function runTrial(
  world: FaultWorld,
  scenario: Scenario,
  { name, arm, tend, end, clock }: Trial,
): Promise<Outcome> {
  await startAll(world);
  world.clock.setRight();
  await arm(world, scenario);
  const [findings] = await settle(world, [scenario], async () => tend?.(world, scenario), clock);
  await end?.();
  await disarmAll(world);
  return outcomeOf(world, { name, scenario, findings });
}

async function outcomeOf(
  world: FaultWorld,
  { name, scenario, findings }: { name: string; scenario: Scenario; findings: Findings | undefined },
): Promise<Outcome> {
  if (!findings) throw new Error('a scenario was not checked');
  return { name, findings, report: await reportOf(world, scenario, { name, findings }) };
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
  for (const proxy of world.proxies) {
    proxy.disarm();
    proxy.slowDown(0);
    proxy.open();
  }
  world.slack.faults.clear();
  await world.crews.sandbox.clearFaults();
}
