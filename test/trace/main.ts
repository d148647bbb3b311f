// npm run trace -- click
// Shows the files of src/ that the bot enters in one scenario: those in which a function is called.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import { parseOptions, readCommandLine, UsageError } from '../../src/setup/usage.mjs';
import { startWorld } from '../support/world.ts';
import { type Round, SCENARIOS, type Scenario } from './scenarios.ts';
import type { Order, Report } from './traced-bot.ts';

/** A heartbeat may fall into one of them, so a file counts if it is entered in most of them. */
const ROUNDS = 3;

/** Longer means that an event was awaited that doesn't happen any more. */
const REPORT_MS = 60_000;

interface Trace {
  /** With the files entered from the beginning up to the end of each stage, and their lines. */
  stages: { name: string; files: number; lines: number; budget: number | null }[];
  /** How many files were entered before each round, in as long as a round takes, while nothing happened. */
  idle: number[];
  idleMs: number;
  /** `stage` is the index of the first one that enters it. */
  files: { path: string; lines: number; stage: number }[];
}

// A process that a signal ends runs no `exit` listeners, and would leave its Redis running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const options = { json: { type: 'boolean', default: false }, files: { type: 'boolean', default: false } } as const;
const { values, scenario } = readCommandLine('test/trace/main.ts', (args) => {
  const { values, positionals } = parseOptions(args, options, 'words');
  const scenario = SCENARIOS[positionals[0] ?? ''];
  if (scenario === undefined || positionals.length > 1)
    throw new UsageError(`Give one of ${Object.keys(SCENARIOS).join(', ')}.`);
  return { values, scenario };
});

await ensureRedisServer();
const trace = await traceOf(scenario);
if (values.json) console.log(JSON.stringify(trace, null, 2));
else if (values.files) for (const { path } of trace.files) console.log(path);
else print(scenario, trace);
process.exit(0);

async function traceOf({ stages, world: options, prepare }: Scenario): Promise<Trace> {
  const world = await startWorld(options);
  const port = await freePort();
  const bot = await startTracedBot(world.env(port));
  world.slack.installAt(`http://127.0.0.1:${port}/slack/events`);

  const play = async ({ from, until, begin }: Round) => {
    const report = bot.ask('scenario', { kind: 'scenario', from, until });
    await begin();
    return report;
  };
  // The first one loads what is loaded late, and fills the caches.
  const first = await play(await prepare(world, 0));
  const idleMs = Math.ceil(first.tookMs);
  const idle: number[] = [];
  const rounds: string[][][] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    const round = await prepare(world, number);
    idle.push((await bot.ask('idle', { kind: 'idle', forMs: idleMs })).files.length);
    rounds.push((await play(round)).stages);
  }
  bot.child.disconnect();
  await once(bot.child, 'exit');
  await world.stop();

  const files = filesOf(rounds);
  return {
    stages: stages.map(({ name, budget }, stage) => {
      const entered = files.filter((file) => file.stage <= stage);
      return { name, files: entered.length, lines: entered.reduce((sum, { lines }) => sum + lines, 0), budget };
    }),
    idle,
    idleMs,
    files,
  };
}

/** The files that most rounds enter, each with the stage by whose end most of them have. */
function filesOf(rounds: string[][][]): Trace['files'] {
  const paths = [...new Set(rounds.flat(2))].toSorted();
  return paths
    .flatMap((path) => {
      const first = rounds.map((stages) => stages.findIndex((files) => files.includes(path)));
      const entered = first.filter((stage) => stage !== -1).toSorted((a, b) => a - b);
      const stage = entered[Math.floor(rounds.length / 2)];
      return stage === undefined ? [] : [{ path, lines: linesOf(path), stage }];
    })
    .toSorted((a, b) => a.stage - b.stage);
}

function linesOf(path: string): number {
  return readFileSync(join(CHECKOUT, path), 'utf8').split('\n').length - 1;
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
    child,
    ask<Kind extends Order['kind']>(kind: Kind, order: Extract<Order, { kind: Kind }>) {
      child.send(order);
      return hear(kind);
    },
  };
}

function print({ title }: Scenario, { stages, idle, idleMs, files }: Trace): void {
  console.log(`${title}: files in which a function is called, and their lines\n`);
  stages.forEach(({ name, files, lines, budget }, stage) => {
    const judged = budget === null ? '' : `  ${files <= budget ? 'ok' : 'over'}: at most ${budget}`;
    console.log(
      `  ${stage + 1}  ${name.padEnd(16)}${`${files}`.padStart(4)} files${`${lines}`.padStart(7)} lines${judged}`,
    );
  });
  console.log(`\n  As long without it (${idleMs} ms): ${idle.join(', ')} files`);
  for (const folder of [...new Set(files.map(({ path }) => dirname(path)))].toSorted()) {
    const inside = files.filter(({ path }) => dirname(path) === folder);
    console.log(`\n${folder}/  ${inside.length}`);
    for (const { path, lines, stage } of inside) console.log(`  ${stage + 1}  ${basename(path)}  ${lines}`);
  }
}
