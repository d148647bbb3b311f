import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstrumenterContext, Position } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { collectTests, getFn, type Task, type Test, type VitestRunner } from '@vitest/runner';

// The test runner of `npm run mutate`. Stryker's runner for Vitest starts a worker for each mutant, which takes a hundred times as long
// as the tests that notice it. This one imports the tests once, beside all mutants, and calls them.

/**
 * The tests that need neither a server nor a built program, and no seconds: with many random cases, a mutant that none notices would
 * take as long as all others.
 */
const FILES = [
  /^core\/(?!values|ledger)(?!.*(properties|possible-rules|judgement|state\/events)\.test).*\.test\.ts$/,
  /^(conditions\/cel|config\/approval-settings|redis\/(indexes|record))\.test\.ts$/,
  /^slack\/request\/(policy-sentences|who-decides|counting-conditions|refusal)\.test\.ts$/,
];

/** What the mutants read and write. */
const mutants: InstrumenterContext = {};
Object.assign(globalThis, { __stryker__: mutants });

class OneProcess implements TestRunner {
  private readonly tests = new Map<string, { file: string; test: Test }>();

  /** Mutants that count only while modules are imported are ignored, so there is nothing to import anew. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    Object.assign(process.env, { TESTS: 'mutants', SEED: '1' });
    // `expect` looks for the worker that it is in.
    Object.assign(globalThis, { __vitest_worker__: { config: {}, environment: { name: 'node' } } });
    const names = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => FILES.some((file) => file.test(name)))
      .sort();
    const { default: fc } = await import('fast-check');
    fc.configureGlobal({ seed: 1, numRuns: 20 });
    const restore = forgetBetweenMutants();
    const files = names.map((name) => ({ filepath: join(process.cwd(), 'test', name) }));
    const collected = await collectTests(files, COLLECTING);
    restore();
    for (const [i, file] of collected.entries()) this.add(names[i] ?? '', '', file);
  }

  private add(file: string, path: string, task: Task): void {
    const name = `${path} ${task.name}`;
    const [error] = task.result?.errors ?? [];
    if (error) throw new Error(`${file} can't be imported: ${error.message}`);
    if (task.type === 'test') this.tests.set(`${this.tests.size} ${file}${name}`, { file, test: task });
    else for (const each of task.tasks) this.add(file, task.type === 'suite' && 'filepath' in task ? '' : name, each);
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    for (const id of this.tests.keys()) {
      mutants.currentTestId = id;
      tests.push(await this.run(id));
    }
    delete mutants.currentTestId;
    const { mutantCoverage = { static: {}, perTest: {} } } = mutants;
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const { id: mutantId, location, replacement } = activeMutant;
    if (!isInSample(location.start, replacement))
      return { status: MutantRunStatus.Error, errorMessage: 'It is not in the sample.' };
    Object.assign(mutants, { activeMutant: mutantId, hitCount: 0, hitLimit });
    const wanted = testFilter && new Set(testFilter);
    const tests: TestResult[] = [];
    for (const id of this.tests.keys()) {
      if (wanted && !wanted.has(id)) continue;
      const result = await this.run(id);
      tests.push(result);
      if (result.status === TestStatus.Failed) break;
    }
    const { hitCount } = mutants;
    delete mutants.activeMutant;
    const endless = determineHitLimitReached(hitCount, hitLimit);
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests });
  }

  private async run(id: string): Promise<TestResult> {
    const entry = this.tests.get(id);
    if (!entry) throw new Error(`There is no test "${id}".`);
    const startedAt = performance.now();
    const about = { id, name: id, fileName: join('test', entry.file) };
    try {
      await getFn(entry.test)();
      return { ...about, status: TestStatus.Success, timeSpentMs: performance.now() - startedAt };
    } catch (error) {
      const timeSpentMs = performance.now() - startedAt;
      return { ...about, status: TestStatus.Failed, failureMessage: String(error), timeSpentMs };
    }
  }
}

/** `--every N` tries about every Nth mutant, the same in each run as long as the code is the same. */
export function isInSample({ line, column }: Position, replacement = ''): boolean {
  return (31 * line + 7 * column + replacement.length) % Number(process.env.EVERY ?? 1) === 0;
}

/** The settings that collecting reads: nothing is run by them. */
const SETTINGS: Partial<VitestRunner['config']> = {
  root: process.cwd(),
  setupFiles: [],
  maxConcurrency: 1,
  retry: 0,
  testTimeout: 0,
  hookTimeout: 0,
  sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
  tags: [],
};
const COLLECTING: VitestRunner = {
  config: SETTINGS as VitestRunner['config'],
  importFile: (path) => import(path),
};

/**
 * Lets modules that are imported from now on forget with each mutant what they remember from one call to the next: the maps that they
 * made empty when they were imported. Returns how to end that.
 */
function forgetBetweenMutants(): () => void {
  const { Map: OwnMap, WeakMap: OwnWeakMap } = globalThis;
  const isOurs = () => /\/(src\/core|test\/core)\//.test(new Error().stack?.split('\n')[4] ?? '');
  const forgetful = (make: () => object, isEmpty: boolean) => {
    if (!isEmpty || !isOurs()) return make();
    let [current, mutant] = [make(), mutants.activeMutant];
    return new Proxy(current, {
      get(_, name) {
        if (mutant !== mutants.activeMutant) [current, mutant] = [make(), mutants.activeMutant];
        const value = Reflect.get(current, name);
        return typeof value === 'function' ? value.bind(current) : value;
      },
    });
  };
  const replace = (own: typeof Map | typeof WeakMap) =>
    new Proxy(own, {
      construct: (target, args, newTarget) =>
        forgetful(() => Reflect.construct(target, args, newTarget), args.length === 0),
    });
  Object.assign(globalThis, { Map: replace(OwnMap), WeakMap: replace(OwnWeakMap) });
  return () => Object.assign(globalThis, { Map: OwnMap, WeakMap: OwnWeakMap });
}

/** Found by Stryker. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'one-process', OneProcess)];
