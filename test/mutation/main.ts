import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { parseOptions, readCommandLine, UsageError } from '../../src/setup/usage.mjs';
import { isInSample } from './one-process.ts';

// npm run mutate: changes the code in a small way, many times, and counts the changes that no test notices.

const FILES = {
  'core/policy': /^src\/core\/policy\//,
  'core/request': /^src\/core\/(approval|request)\//,
  'core/execution': /^src\/core\/execution\//,
  redis: /^src\/redis\/(record|stored-record|indexes)\.ts$/,
};
type Folder = keyof typeof FILES;
const FOLDERS = Object.keys(FILES) as Folder[];

/** `score`: the percentage of mutants that tests notice; `timeout` counts as noticed. */
interface Score {
  mutants: number;
  killed: number;
  timeout: number;
  survived: number;
  uncovered: number;
  score: number;
}

const { folders, write } = readCommandLine('test/mutation/main.ts', (args) => {
  const { values, positionals } = parseOptions(
    args,
    { write: { type: 'boolean' }, every: { type: 'string' } },
    'words',
  );
  const chosen = positionals.map((name) => {
    const folder = FOLDERS.find((each) => each === name);
    if (!folder) throw new UsageError(`There are no scores of ${name}.`);
    return folder;
  });
  process.env.EVERY = values.every ?? '10';
  return { folders: chosen.length > 0 ? chosen : FOLDERS, write: values.write ?? false };
});

process.chdir(CHECKOUT);
const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => join('src', file));
// Stryker imports the test runner in processes of its own.
process.env.NODE_OPTIONS = '--import tsx';
const stryker = new Stryker({
  mutate: sourceFiles.filter((file) => folders.some((folder) => FILES[folder].test(file))),
  plugins: [join(CHECKOUT, 'test/mutation/one-process.ts')],
  testRunner: 'one-process',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Stryker would rewrite the paths in it with the API of a compiler that TypeScript 7 doesn't have.
  tsconfigFile: 'none.json',
  ignorePatterns: ['.cache', 'dist', 'docs', 'deploy'],
  tempDirName: '.cache/mutation/sandbox',
  reporters: ['progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: '.cache/mutation/report.html' },
  jsonReporter: { fileName: '.cache/mutation/report.json' },
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 2,
});
// Results count lines and columns from 1, runners from 0.
const results = (await stryker.runMutationTest()).filter(({ location: { start }, replacement }) =>
  isInSample({ line: start.line - 1, column: start.column - 1 }, replacement),
);

const path = join(CHECKOUT, 'test/mutation/scores.json');
const scores: Partial<Record<Folder, Score>> = JSON.parse(readFileSync(path, 'utf8'));
for (const folder of folders) {
  const score = scoreOf(results.filter(({ fileName }) => FILES[folder].test(relative(CHECKOUT, fileName))));
  const floor = scores[folder]?.score ?? 0;
  console.log(`${folder}: ${score.score} % of ${score.mutants} mutants are noticed; ${floor} % have to be.`);
  if (write) scores[folder] = score;
  else if (score.score < floor) process.exitCode = 1;
}
if (write) writeFileSync(path, `${JSON.stringify(scores, null, 2)}\n`);

function scoreOf(mutants: readonly MutantResult[]): Score {
  const count = (wanted: string) => mutants.filter(({ status }) => status === wanted).length;
  const [killed, timeout] = [count('Killed'), count('Timeout')];
  const [survived, uncovered] = [count('Survived'), count('NoCoverage')];
  const all = killed + timeout + survived + uncovered;
  return {
    mutants: all,
    killed,
    timeout,
    survived,
    uncovered,
    score: Math.floor((1_000 * (killed + timeout)) / all) / 10,
  };
}
