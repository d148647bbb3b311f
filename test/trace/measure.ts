// Plays scenarios to a traced bot, and says which functions it enters in each stage.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { freePort } from '../../src/setup/free-port.ts';
import { startWorld } from '../support/world.ts';
import { SCENARIOS, type Scenario, startRuns } from './scenarios.ts';
import type { CalledFunction, Order, Report } from './traced-bot.ts';

/** What two processes do at the same time comes in either order, so a function counts if most rounds enter it. */
const ROUNDS = 3;

/** Longer means that an event was awaited that doesn't happen any more. */
const REPORT_MS = 200_000;

/** The functions that one scenario enters, by file and line. */
export type Trace = EnteredFunction[];

export interface EnteredFunction extends Omit<CalledFunction, 'id'> {
  /** The index of the first stage by whose end most rounds have entered it. */
  stage: number;
}

/** The functions entered from the beginning up to the end of a stage, by file. */
export function enteredBy(stage: number, trace: Trace): Map<string, EnteredFunction[]> {
  const files = new Map<string, EnteredFunction[]>();
  for (const each of trace) if (each.stage <= stage) files.set(each.path, [...(files.get(each.path) ?? []), each]);
  return files;
}

/** @returns the trace of each scenario, by its name; all of them share one world */
export async function measure(names: readonly string[]): Promise<Map<string, Trace>> {
  const world = await startWorld({ crews: Object.values(SCENARIOS).map(({ crew }) => crew) });
  try {
    const port = await freePort();
    const bot = await startTracedBot(world.env(port));
    world.slack.installAt(`http://127.0.0.1:${port}/slack/events`);
    const traces = new Map<string, Trace>();
    for (const name of names) {
      const scenario = SCENARIOS[name];
      if (scenario) traces.set(name, await traceOf(scenario));
    }
    await bot.stop();
    return traces;

    async function traceOf(scenario: Scenario): Promise<Trace> {
      const untilQuiet = () => bot.ask('quiet', { kind: 'quiet' });
      const rounds: CalledFunction[][][] = [];
      // The first one loads what is loaded late, and fills the caches.
      const roots = await startRuns(scenario, world, 1 + ROUNDS);
      for (const [number, root] of roots.entries()) {
        const { from, until, begin } = await scenario.prepare({ world, number, root, untilQuiet });
        const report = bot.ask('round', { kind: 'round', from, until });
        await begin();
        const { stages } = await report;
        if (number > 0) rounds.push(stages);
      }
      return enteredInMost(rounds);
    }
  } finally {
    await world.stop();
  }
}

/** The functions that most rounds enter, each with the stage by whose end most of them have. */
function enteredInMost(rounds: CalledFunction[][][]): Trace {
  const called = new Map(rounds.flat(2).map((each) => [each.id, each]));
  const stages = new Map<string, number[]>();
  for (const round of rounds) {
    const first = new Map(
      round.flatMap((functions, stage) => functions.map(({ id }) => [id, stage] as const)).toReversed(),
    );
    for (const [id, stage] of first) stages.set(id, [...(stages.get(id) ?? []), stage]);
  }
  return [...called.values()]
    .flatMap(({ id, ...each }) => {
      const stage = stages.get(id)?.toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)];
      return stage === undefined ? [] : [{ ...each, stage }];
    })
    .toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

async function startTracedBot(env: Record<string, string>) {
  const path = join(CHECKOUT, 'test/trace/traced-bot.ts');
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', path], {
    cwd: CHECKOUT,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const hear = <Kind extends Report['kind']>(kind: Kind) =>
    new Promise<Extract<Report, { kind: Kind }>>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`Waited for the bot's report "${kind}", but ${what}.`));
      const limit = setTimeout(() => fail('it never came'), REPORT_MS);
      const onExit = (code: number | null) => fail(`the bot ended with ${code}`);
      child.once('exit', onExit);
      child.once('message', (report: Report) => {
        clearTimeout(limit);
        child.off('exit', onExit);
        if (report.kind === kind) resolve(report as Extract<Report, { kind: Kind }>);
        else fail(`it sent "${report.kind}"`);
      });
    });
  await hear('ready');
  return {
    ask<Kind extends Order['kind']>(kind: Kind, order: Extract<Order, { kind: Kind }>) {
      child.send(order);
      return hear(kind);
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
