import { setTimeout as pause } from 'node:timers/promises';
import { postedIn } from '../faults/evidence.ts';
import type { PolicyName } from '../faults/policies.ts';
import { Scenario } from '../faults/scenario.ts';
import { createRandom } from '../soak/seeded-random.ts';
import { type Faults, faultsIn, type Look, refsIn } from './figures.ts';
import { type HostFault, nextHostFault } from './host-faults.ts';
import { type HostsWorld, startHostsWorld } from './hosts-world.ts';
import type { Topology } from './redis-hosts.ts';

/** Which history, and in which world. */
export interface Row {
  topology: Topology;
  minReplicas: number;
  seed: number;
}

/** `HOSTS=all npm run test:long -- test/hosts` */
export const PLAYS_ALL = process.env.HOSTS === 'all';

/** How long something may take that a fast machine does in this time. Only where all is played does it have to be one. */
export const patienceMs = (ms: number) => (PLAYS_ALL ? ms : 3 * ms);

/** The outcome of a history. */
export interface Outcome {
  /** Clicks, forms and commands that Slack took without an error. */
  acknowledged: number;
  faults: Faults;
  /** From the last healing on; null if it never did. */
  secondsUntilSettled: number | null;
  /** Since then, until each master had all its replicas, and everybody agreed who the masters are. */
  secondsUntilWhole: number;
  /** The figures in one line. */
  line: string;
  /** Tells what happened, and what went wrong. */
  report: string;
}

const POLICIES: readonly PolicyName[] = ['everybody', 'quorum', 'everybody', 'quorum', 'everybody', 'everybody'];
const INTERACTIONS = ['block_actions', 'view_submission', '/kickoff'];
const QUIET_AT_FIRST_MS = 3_000;
const BETWEEN_STEPS_MS = 200;
/** People give up on modals that didn't open by then. */
const IMPATIENT_AFTER_MS = 4_000;
const SETTLED_FOR_MS = 2_000;
const MOST_MS = 60_000;
const LOOK_EVERY_MS = 250;
const LOGGED_CHARACTERS = 100_000;

/**
 * People start crews and decide while one host after the other fails. Then all is healed, and once everything has settled, what
 * people believe is compared with what the crew has. The same seed chooses the same plans and faults in the same order, but not
 * the same timing.
 */
export function runHistory(row: Row, { forMs }: { forMs: number }): Promise<Outcome> {
  const random = createRandom(row.seed);
  let until: number | null = null;
  return play(row, () => {
    until ??= performance.now() + forMs;
    return performance.now() < until ? nextHostFault(random) : null;
  });
}

/** People do the same while these faults happen, in their order. */
export function runFaults(row: Row, faults: readonly HostFault[]): Promise<Outcome> {
  const left = [...faults];
  return play(row, () => left.shift() ?? null);
}

async function play({ topology, minReplicas, seed }: Row, next: () => HostFault | null): Promise<Outcome> {
  const world = await startHostsWorld({ topology, minReplicas, policies: POLICIES });
  const log: string[] = [];
  const began = performance.now();
  const say = (what: string) =>
    log.push(`${((performance.now() - began) / 1_000).toFixed(1)} s (${Date.now()}): ${what}`);
  try {
    const people = work(world, seed);
    await pause(QUIET_AT_FIRST_MS);
    const healedAt = await goWrong(world, next, say);
    const scenarios = await people.stop();
    const whole = world.redisHosts.untilWhole().then(() => performance.now());
    const [settledAt, wholeAt] = await Promise.all([untilSettled(world, scenarios), whole]);
    const faults = faultsIn(await lookAt(world), scenarios, await chainsOf(world));
    const outcome = {
      ...{ acknowledged: acknowledgedIn(world), faults, secondsUntilWhole: (wholeAt - healedAt) / 1_000 },
      secondsUntilSettled: settledAt === null ? null : Math.max(0, settledAt - healedAt) / 1_000,
    };
    const line = lineOf({ topology, minReplicas, seed }, outcome);
    const wrong = FIGURES.flatMap(([part, words]) => faults[part].map((what) => `${words}: ${what}`));
    const details = wrong.length > 0 || settledAt === null ? detailsOf(world, scenarios) : [];
    const missing = settledAt === null ? await owed(world, scenarios) : [];
    return { ...outcome, line, report: [line, ...log, ...details, ...missing, ...wrong].join('\n') };
  } finally {
    await world.stop();
  }
}

function acknowledgedIn({ slack }: HostsWorld): number {
  return slack.calls().filter(({ name, outcome }) => INTERACTIONS.includes(name) && outcome === 'ok').length;
}

/** Tells what everybody did, for looking into what went wrong. */
function detailsOf({ bots }: HostsWorld, scenarios: readonly Scenario[]): string[] {
  const told = scenarios.flatMap(({ crewChannel, plan, actionLog }) => [
    `${plan.topic} in ${crewChannel.crew}:`,
    ...actionLog,
  ]);
  return [...told, ...bots.map((bot) => `${bot.name}:\n${bot.printed().slice(-LOGGED_CHARACTERS)}`)];
}

/** One failure after the other; the next one comes once the topology is whole again. Resolves to when the last one was healed. */
async function goWrong(world: HostsWorld, next: () => HostFault | null, say: (what: string) => void): Promise<number> {
  for (let fault = next(); ; ) {
    say(fault?.what ?? 'nothing happens');
    const who = await fault?.happen(world);
    const healedAt = performance.now();
    say(`healed: ${who}`);
    fault = next();
    if (fault === null) return healedAt;
    await world.redisHosts.untilWhole();
    say('Redis is whole');
  }
}

/** People start and decide one run after the other in each channel. */
function work(world: HostsWorld, seed: number): { stop(): Promise<Scenario[]> } {
  const scenarios: Scenario[] = [];
  let isOver = false;
  const workIn = async (crewChannel: HostsWorld['crewChannels'][number]) => {
    let lastActedAt = performance.now();
    let current: Scenario | null = null;
    while (!isOver) {
      if (!current || current.isDone) {
        const random = createRandom(seed + 100 + scenarios.length);
        const start = random.oneOf(['form', 'command'] as const);
        const plan = { topic: `tea-${scenarios.length}`, start, rejections: random.between(0, 3) };
        current = new Scenario(world, crewChannel, plan);
        scenarios.push(current);
      }
      if ((await current.step()) === 'acted') lastActedAt = performance.now();
      if (performance.now() - lastActedAt > IMPATIENT_AFTER_MS) {
        await current.stopAwaiting('modal');
        lastActedAt = performance.now();
      }
      await pause(BETWEEN_STEPS_MS);
    }
  };
  const working = Promise.all(world.crewChannels.map(workIn));
  return {
    async stop() {
      isOver = true;
      await working;
      return scenarios;
    },
  };
}

/** Resolves to when nothing was left to do, for good; null if it never came to that. */
async function untilSettled(world: HostsWorld, scenarios: readonly Scenario[]): Promise<number | null> {
  const began = performance.now();
  let since: number | null = null;
  while (performance.now() - began < MOST_MS) {
    const isSettled = (await owed(world, scenarios)).length === 0;
    if (!isSettled) since = null;
    else since ??= performance.now();
    if (since !== null && performance.now() - since >= SETTLED_FOR_MS) return since;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}

/** Lists what is still to be done, or wrong for good. */
async function owed(world: HostsWorld, scenarios: readonly Scenario[]): Promise<string[]> {
  const look = await lookAt(world);
  const readiness = await Promise.all(world.botMachines.map((bot) => bot.readiness()));
  const { lost, cardsMissing, untrue } = faultsIn(look, scenarios, []);
  return [
    ...readiness.flatMap((status, i) => (status === 200 ? [] : [`bot ${i + 1} is not ready`])),
    ...look.requests.filter(({ answer }) => answer === undefined).map(({ route }) => `a call in progress: ${route}`),
    ...look.runs.filter(({ status }) => status === 'running').map(({ crew }) => `a run in progress: ${crew}`),
    ...(world.slack.eventsToRetry() > 0 ? ['events of Slack'] : []),
    // What is lost for good where no replica has to confirm a change is no longer waited for.
    ...(world.minReplicas === 0 ? [] : lost),
    ...[...cardsMissing, ...untrue],
  ];
}

export async function lookAt(world: HostsWorld): Promise<Look> {
  const { sandbox } = world.crews;
  const privately = world.slack.messages().filter(({ onlyFor }) => onlyFor !== undefined);
  return {
    messages: postedIn(world),
    toldAt: new Map(privately.map(({ onlyFor = '', ts }) => [onlyFor, 1_000 * Number(ts)])),
    requests: await sandbox.requests(),
    webhooks: await sandbox.webhooks(),
    runs: await world.runs(),
  };
}

export async function chainsOf(world: HostsWorld) {
  return world.chains(refsIn(await world.crews.sandbox.requests()));
}

const FIGURES: [keyof Faults, string][] = [
  ['lost', 'lost'],
  ['unsaid', 'of them unsaid'],
  ['doubled', 'doubled'],
  ['startsLost', 'starts lost'],
  ['forgotten', 'forgotten runs'],
  ['cardsMissing', 'cards that never came'],
  ['untrue', 'untrue cards'],
];

function lineOf(
  { topology, minReplicas, seed }: Row,
  { acknowledged, faults, secondsUntilSettled, secondsUntilWhole }: Omit<Outcome, 'line' | 'report'>,
): string {
  const counts = FIGURES.map(([part, words]) => `${faults[part].length} ${words}`);
  const end = secondsUntilSettled === null ? 'never settled' : `settled after ${secondsUntilSettled.toFixed(1)} s`;
  const figures = [
    `${acknowledged} acknowledged`,
    ...counts,
    end,
    `Redis was whole after ${secondsUntilWhole.toFixed(1)} s`,
  ];
  return `${topology}, N = ${minReplicas}, seed ${seed}: ${figures.join(', ')}`;
}
