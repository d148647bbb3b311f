import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../../src/setup/commands.mjs';
import { ensureRedisServer } from '../../src/setup/redis-server.mjs';
import { bundlePrograms } from '../support/bundle-programs.ts';
import { PROGRAMS } from '../support/program-path.ts';
import { PARTS } from './all-parts.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { differences } from './compare.ts';
import { findCores, moveThisProcess } from './harness/cores.ts';
import { createMachine } from './machine.ts';
import { BENCH_PROGRAMS } from './programs.ts';
import { type Report, readReport } from './report.ts';
import { tableOf } from './table.ts';

const asked = parseArguments(process.argv.slice(2), Object.keys(PARTS));
await ensureRedisServer();
await bundlePrograms({ ...PROGRAMS, ...BENCH_PROGRAMS });
await measureParts(asked);

async function measureParts({ parts, durable, rounds, json, compare }: Arguments): Promise<void> {
  const cores = findCores();
  const machine = createMachine(cores);
  moveThisProcess(cores.others);
  const earlier = compare === null ? null : readReport(compare);
  const report: Report = {
    ...{ at: new Date().toISOString(), node: process.version, cores: cores.count, pinned: cores.server !== null },
    ...{ durable, rounds, warnings: [], parts: {} },
  };
  console.log(conditions(report));
  for (const [name, { what, measure }] of Object.entries(PARTS)) {
    if (parts.length > 0 && !parts.includes(name)) continue;
    console.log(`\n${name}: ${what}`);
    const began = performance.now();
    const figures = await measure({ cores, machine, durable, rounds });
    const seconds = Math.round((performance.now() - began) / 1_000);
    report.parts[name] = { seconds, figures };
    console.log([...tableOf(name, figures, earlier), `  (measured in ${seconds} s)`].join('\n'));
  }
  report.warnings = machine.warnings();
  const doubts = [...report.warnings, ...(earlier ? differences(earlier, report) : [])];
  for (const doubt of doubts) console.log(`\nWARNING: ${doubt} Don't trust the times.`);
  const file = json ?? join(CACHE, 'bench.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

function conditions({ node, cores, pinned, durable, rounds }: Report): string {
  const where = pinned ? 'the server on a core of its own' : 'no core reserved for the server';
  const redis = durable ? 'appendonly yes, appendfsync always' : 'appendonly no';
  return `Node ${node}, ${cores} cores, ${where}; Redis with ${redis}; medians of ${rounds} rounds.`;
}
