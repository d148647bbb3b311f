import { setTimeout as pause } from 'node:timers/promises';
import { checkInvariants, type Findings } from './check-invariants.ts';
import { gatherEvidence } from './evidence.ts';
import type { FaultWorld } from './fault-world.ts';
import type { Scenario } from './scenario.ts';

/** Longer than any claim or lease of a dead process. */
export const CLAIMS_END_SECONDS = 61;
const LOOKS_WITHIN_MS = 60_000;
/** For bots that don't use the proxy. They learn of the jump by their next heartbeat. */
const UNSEEN_LOOKS_MS = 2_500;
const MOST_JUMPS = 20;
const LOOK_EVERY_MS = 100;
/** After this many actions a scenario is going in circles. */
const MOST_ACTIONS = 200;

/** Longer than everything that goes on by itself, and shorter than any lease. */
const REST_MS = 25_000;
const LOOK_OFTEN_MS = 500;

/** What happens once nothing does: its clock is put forward, so that leases end; or everybody waits in real time. */
export type Clock = 'put forward' | 'left alone';

/** Brings scenarios to their ends and checks the invariants. `tend` is called on each pass. */
export async function settle(
  world: FaultWorld,
  scenarios: readonly Scenario[],
  tend: () => Promise<void> = async () => {},
  clock: Clock = 'put forward',
): Promise<Findings[]> {
  const before = scenarios.map(({ actionLog }) => actionLog.length);
  const isInVain = () => scenarios.some(({ actionLog }, i) => actionLog.length - (before[i] ?? 0) > MOST_ACTIONS);
  const idle = new IdleTime(scenarios);
  for (let jumps = 0; ; ) {
    await tend();
    const outcomes = await stepAll(scenarios);
    if (outcomes.includes('acted') && !isInVain()) continue;
    const isOver = outcomes.every((each) => each === 'done');
    const isTooLong = clock === 'left alone' ? idle.ms() >= REST_MS : jumps >= MOST_JUMPS;
    const isStalled = isTooLong || isInVain();
    if (isOver || isStalled) {
      const findings = await checkAll(world, scenarios);
      if (isOver && findings.every(({ violations }) => violations.length === 0)) return findings;
      if (isStalled) return findings.map((each, i) => (outcomes[i] === 'done' ? each : stalled(each)));
    }
    if (!(await comesToRest(world, scenarios))) continue;
    for (const scenario of scenarios) await scenario.stopAwaiting('modal');
    if ((await stepAll(scenarios)).includes('acted')) continue;
    jumps += 1;
    await (clock === 'left alone' ? pause(LOOK_OFTEN_MS) : letTimePass(world));
    if (jumps % 3 === 0) for (const scenario of scenarios) await scenario.stopAwaiting('update');
  }
}

/** How long nobody has done anything. */
class IdleTime {
  readonly #scenarios: readonly Scenario[];
  #actions = 0;
  #since = performance.now();

  constructor(scenarios: readonly Scenario[]) {
    this.#scenarios = scenarios;
  }

  ms(): number {
    const actions = this.#scenarios.reduce((sum, { actionLog }) => sum + actionLog.length, 0);
    if (actions !== this.#actions) this.#since = performance.now();
    this.#actions = actions;
    return performance.now() - this.#since;
  }
}

async function stepAll(scenarios: readonly Scenario[]) {
  const outcomes: ('acted' | 'waits' | 'done')[] = [];
  for (const scenario of scenarios) outcomes.push(await scenario.step());
  return outcomes;
}

async function checkAll(world: FaultWorld, scenarios: readonly Scenario[]): Promise<Findings[]> {
  const evidence = await gatherEvidence(world, scenarios);
  return scenarios.map((scenario) => checkInvariants(evidence, scenario));
}

/** Waits until everything is quiet. False if a person can act, or something happens by itself soon. */
async function comesToRest(world: FaultWorld, scenarios: readonly Scenario[]): Promise<boolean> {
  const quiet = world.untilQuiet().then(() => true);
  for (;;) {
    const isQuiet = await Promise.race([quiet, pause(LOOK_EVERY_MS, false)]);
    // Slack tells them the same again and again, which is never quiet, and gives up. Whoever killed them all restarts one.
    if (!world.bots.some((bot) => bot.isAlive())) return false;
    if (isQuiet && !scenarios.some(({ awaitsTimer }) => awaitsTimer)) return true;
    if (isQuiet) await pause(LOOK_EVERY_MS);
    if ((await stepAll(scenarios)).includes('acted') || isQuiet) return false;
  }
}

/** Puts Redis's clock forward. Resolves when a bot has changed something, or each has looked for what is due. */
async function letTimePass({ clock, bots }: FaultWorld): Promise<void> {
  const looking = bots.filter((bot) => bot.isAlive()).map(({ redis }) => ({ redis, before: redis.looks() }));
  clock.putForward(CLAIMS_END_SECONDS);
  const before = performance.now();
  const limitMs = looking.some(({ before }) => before === 0) ? UNSEEN_LOOKS_MS : LOOKS_WITHIN_MS;
  while (performance.now() - before < limitMs) {
    await pause(LOOK_EVERY_MS);
    if (bots.some((bot) => bot.redis.lastChangeAt() > before)) return;
    if (looking.every(({ redis, before }) => redis.looks() > before)) return;
  }
}

function stalled(findings: Findings): Findings {
  return {
    ...findings,
    violations: ['the scenario stalled before its end', ...findings.violations],
  };
}

/**
 * Everything known about a scenario that went wrong; empty if nothing did. What is wrong comes last, since whoever cuts long
 * output keeps its end.
 */
export async function reportOf(
  world: FaultWorld,
  scenario: Scenario,
  { name, findings: { violations } }: { name: string; findings: Findings },
): Promise<string> {
  if (violations.length === 0) return '';
  const logs = world.bots.map((bot) => `${bot.name}:\n${bot.printed().slice(-6_000)}`);
  const seen = ['What they did:', ...scenario.actionLog, 'What they see:', await scenario.screen()];
  return [name, ...seen, ...logs, `What is wrong (${name}):`, ...violations].join('\n');
}

/** The same of several scenarios, named by their crews. */
export async function reportsOf(
  world: FaultWorld,
  scenarios: readonly Scenario[],
  findings: readonly Findings[],
): Promise<string[]> {
  return Promise.all(
    scenarios.map(async (scenario, i) => {
      const [found, { crewChannel, plan }] = [findings[i], scenario];
      return found ? reportOf(world, scenario, { name: `${crewChannel.crew}, ${plan.topic}`, findings: found }) : '';
    }),
  );
}
