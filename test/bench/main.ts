import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../../src/setup/commands.mjs';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import { readCommandLine } from '../../src/setup/usage.mjs';
import { bundlePrograms } from '../support/bundle-programs.ts';
import { PROGRAMS } from '../support/program-path.ts';
import { PARTS } from './all-parts.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { differences } from './compare.ts';
import type { Figure } from './figures.ts';
import type { Setup } from './harness/contenders.ts';
import { findCores, moveThisProcess } from './harness/cores.ts';
import { createMachine } from './machine.ts';
import { BENCH_PROGRAMS } from './programs.ts';
import { type Report, readReport } from './report.ts';
import { judgeCounts, measureCounts } from './short-run.ts';
import { tableOf } from './table.ts';

// A process that a signal ends runs no `exit` listeners, and would leave its servers running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const asked = readCommandLine('test/bench/main.ts', (args) => parseArguments(args, Object.keys(PARTS)));
await ensureRedisServer();
await bundlePrograms({ ...PROGRAMS, ...BENCH_PROGRAMS });
await run(asked);

async function run(asked: Arguments): Promise<void> {
  const { durable, large, rounds, compare } = asked;
  const earlier = compare === null ? null : readReport(compare);
  const cores = findCores();
  const machine = createMachine(cores);
  moveThisProcess(cores.others);
  const report: Report = {
    ...{ at: new Date().toISOString(), node: process.version, cores: cores.count, pinned: cores.server !== null },
    ...{ durable, rounds, warnings: [], failures: [], parts: {} },
  };
  console.log(`${conditions(report)}; ${asked.short ? 'counts only' : `medians of ${rounds} rounds`}.`);
  const setup = { cores, machine, durable, large, rounds };
  if (asked.short) Object.assign(report.parts, await measureCounts(setup));
  else await measureParts(asked.parts, { setup, report, earlier });
  if (asked.short) for (const name of Object.keys(report.parts)) print(name, report, earlier);
  report.warnings = machine.warnings();
  const doubts = [...report.warnings, ...(earlier ? differences(earlier, report) : [])];
  if (!asked.short) for (const doubt of doubts) console.log(`\nWARNING: ${doubt} Don't trust the times.`);
  const file = asked.json ?? join(CACHE, 'bench.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
  for (const failure of report.failures) console.error(`\nFAILED: ${failure}`);
  if (asked.short) process.exitCode = judgeCounts(report.parts);
  if (report.failures.length > 0) process.exitCode = 1;
}

async function measureParts(
  wanted: readonly string[],
  { setup, report, earlier }: { setup: Setup; report: Report; earlier: Report | null },
): Promise<void> {
  for (const [name, { what, measure }] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${name}: ${what}`);
    const began = performance.now();
    const figures = await measure(setup).catch((error: Error) => {
      report.failures.push(`${name}: ${error.message}`);
      return [];
    });
    report.parts[name] = { seconds: Math.round((performance.now() - began) / 1_000), figures: measured(figures) };
    print(name, report, earlier);
  }
}

/** What can't be measured here, such as processor time without /proc, is no number. */
function measured(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ value }) => Number.isFinite(value));
}

function print(part: string, { parts }: Report, earlier: Report | null): void {
  const { figures = [], seconds } = parts[part] ?? {};
  console.log([...tableOf(part, figures, earlier), `  (${part}: ${seconds} s)`].join('\n'));
}

function conditions({ node, cores, pinned, durable }: Report): string {
  const where = pinned ? 'the server on a core of its own' : 'no core reserved for the server';
  const redis = durable ? 'appendonly yes, appendfsync always' : 'appendonly no';
  return `Node ${node}, ${cores} cores, ${where}; Redis with ${redis}`;
}
