// npm run trace -- click
// Shows the files and functions of src/ that the bot enters in one scenario, and keeps the table of budgets.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import { parseOptions, readCommandLine, UsageError } from '../../src/setup/usage.mjs';
import { exceededBudgets, figuresOf, loweredBudgets, readBudgets, writeBudgets } from './budgets.ts';
import { enteredBy, measure, type Trace } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';

/** What the table of budgets has. */
const BUDGETED = Object.keys(readBudgets());

// A process that a signal ends runs no `exit` listeners, and would leave its Redis running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const flag = { type: 'boolean', default: false } as const;
const options = { files: flag, functions: flag, json: flag, write: flag };
const { values, names } = readCommandLine('test/trace/main.ts', (args) => {
  const { values, positionals } = parseOptions(args, options, 'words');
  if (values.write && positionals.length === 0) return { values, names: BUDGETED };
  const [name = ''] = positionals;
  if (values.write || SCENARIOS[name] === undefined || positionals.length > 1)
    throw new UsageError(`Give one of ${Object.keys(SCENARIOS).join(', ')}, or --write alone.`);
  return { values, names: [name] };
});

await ensureRedisServer();
// A busy machine must not reach the limit.
process.env.SLACK_WORKSPACE_WAIT_MS ??= '60000';
const traces = await measure(names);
if (values.write) write();
else for (const [name, trace] of traces) show(name, trace);
process.exit(0);

function write(): void {
  const budgets = loweredBudgets(readBudgets(), traces);
  writeBudgets(budgets);
  for (const [name, { stages }] of Object.entries(budgets))
    for (const stage of stages)
      console.log(`${name}, ${stage.name}: ${stage.files} files, ${stage.functions} functions`);
  for (const exceeded of exceededBudgets(budgets, traces)) console.log(`\nOver its budget, which stays: ${exceeded}`);
}

function show(name: string, trace: Trace): void {
  const stages = stagesOf(name, trace);
  if (values.json) console.log(JSON.stringify({ stages, functions: trace }, null, 2));
  else if (values.files) for (const path of enteredBy(stages.length, trace).keys()) console.log(path);
  else if (values.functions)
    for (const { stage, path, line, name } of trace) console.log(`${stage + 1} ${path}:${line} ${name || '(unnamed)'}`);
  else print(name, trace);
}

/** What is entered from the beginning up to the end of each stage, and what its budget allows. */
function stagesOf(scenario: string, trace: Trace) {
  return (SCENARIOS[scenario]?.stages ?? []).map((name, stage) => {
    const files = [...enteredBy(stage, trace)];
    return {
      name,
      ...figuresOf(stage, trace),
      lines: files.reduce((sum, [path]) => sum + linesOf(path), 0),
      forOneFunction: files.filter(([, functions]) => functions.length === 1).length,
      budget: readBudgets()[scenario]?.stages[stage] ?? null,
    };
  });
}

function linesOf(path: string): number {
  return readFileSync(join(CHECKOUT, path), 'utf8').split('\n').length - 1;
}

function print(scenario: string, trace: Trace): void {
  console.log(`${SCENARIOS[scenario]?.title}: functions that are called, and the files that they are in\n`);
  stagesOf(scenario, trace).forEach(({ name, files, functions, lines, forOneFunction, budget }, stage) => {
    const most = budget === null ? '' : `  budget: ${budget.files} files, ${budget.functions} functions`;
    const figures = [
      `${files} files`,
      `${functions} functions`,
      `${lines} lines`,
      `${forOneFunction} files for one function`,
    ];
    console.log(`  ${stage + 1}  ${name.padEnd(16)} ${figures.join(', ')}${most}`);
  });
  const files = [...enteredBy(Number.POSITIVE_INFINITY, trace)];
  for (const folder of [...new Set(files.map(([path]) => dirname(path)))].toSorted()) {
    const inside = files.filter(([path]) => dirname(path) === folder);
    console.log(`\n${folder}/  ${inside.length}`);
    for (const [path, functions] of inside) {
      const stage = Math.min(...functions.map((each) => each.stage));
      console.log(`  ${stage + 1}  ${basename(path)}  ${linesOf(path)} lines, ${functions.length} functions`);
    }
  }
}
