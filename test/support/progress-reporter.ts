import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultReporter, type TestCase, type TestModule, type TestSpecification } from 'vitest/node';
import { CACHE } from '../../src/setup/commands.mjs';

/** How long each file took in the last run that it was part of. */
const DURATIONS_FILE = join(CACHE, 'test-durations.json');

/** A terminal has one line that is written anew; a log gets a line now and then. */
const EVERY_MS = { terminal: 1_000, log: 30_000 };

/** With a handful of files, what passes is worth a line. */
const FEW_FILES = 3;

/** The first files say little about the pace of all. */
const WARM_UP_MS = 20_000;

/** A file of tests, and how long it should take. */
interface Expected {
  expectedMs: number;
}

export interface Progress {
  /** Since the run began. */
  elapsedMs: number;
  /** How many files run side by side. */
  workers: number;
  finished: readonly Expected[];
  running: readonly (Expected & { elapsedMs: number })[];
  waiting: readonly Expected[];
}

/**
 * How long the rest should take: at the pace so far, which a busy machine lowers, and no shorter than the longest of the
 * files that run.
 */
export function leftMs({ elapsedMs, workers, finished, running, waiting }: Progress): number {
  const begun = running.map(({ expectedMs, elapsedMs }) => Math.min(elapsedMs, expectedMs));
  const doneMs = sum(finished.map(({ expectedMs }) => expectedMs)) + sum(begun);
  const allMs = sum([...finished, ...running, ...waiting].map(({ expectedMs }) => expectedMs));
  const pace = (doneMs + workers * WARM_UP_MS) / (elapsedMs + WARM_UP_MS);
  const longestMs = Math.max(0, ...running.map(({ expectedMs, elapsedMs }) => expectedMs - elapsedMs));
  return Math.max((allMs - doneMs) / pace, longestMs);
}

/** `212 of 388 files, 3,911 tests passed, about 2 min left` */
export function progressLine(counts: { done: number; files: number; passed: number; failed: number }, left: number) {
  const { done, files, passed, failed } = counts;
  const failures = failed > 0 ? `, ${failed.toLocaleString('en')} failed` : '';
  const minutes = Math.round(left / 60_000);
  const wait = minutes < 1 ? 'less than a minute left' : `about ${minutes} min left`;
  return `${done} of ${files} files, ${passed.toLocaleString('en')} tests passed${failures}, ${wait}`;
}

/** Says how far the tests are and how long they will take, and names files only where something failed. */
export class ProgressReporter extends DefaultReporter {
  private readonly workers: number;
  private readonly expectedMs: (name: string) => number;
  private readonly measured = new Map<string, number>(Object.entries(readDurations()));
  private readonly waiting = new Set<string>();
  private readonly runningSince = new Map<string, number>();
  private readonly finished = new Set<string>();
  private readonly counts = { passed: 0, failed: 0 };
  private startedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasLine = false;

  /** `expectedMs` is for a file that was never measured here. */
  constructor({ workers, expectedMs }: { workers: number; expectedMs: (file: string) => number }) {
    super({ summary: false });
    this.workers = workers;
    this.expectedMs = (name) => this.measured.get(name) ?? expectedMs(name);
  }

  override onTestRunStart(files: readonly TestSpecification[]): void {
    super.onTestRunStart(files);
    this.startedAt = performance.now();
    for (const file of files) this.waiting.add(this.nameOf(file));
    this.timer = setInterval(() => this.sayHowFar(), this.isTTY ? EVERY_MS.terminal : EVERY_MS.log).unref();
  }

  onTestModuleStart(file: TestModule): void {
    this.waiting.delete(this.nameOf(file));
    this.runningSince.set(this.nameOf(file), performance.now());
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    const { state } = test.result();
    if (state === 'passed' || state === 'failed') this.counts[state] += 1;
  }

  override onTestModuleEnd(file: TestModule): void {
    super.onTestModuleEnd(file);
    const name = this.nameOf(file);
    const { collectDuration, duration } = file.diagnostic();
    this.measured.set(name, Math.round(collectDuration + duration));
    this.waiting.delete(name);
    this.runningSince.delete(name);
    this.finished.add(name);
  }

  override onTestRunEnd(...end: Parameters<DefaultReporter['onTestRunEnd']>): void {
    clearInterval(this.timer);
    this.clearLine();
    super.onTestRunEnd(...end);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(DURATIONS_FILE, JSON.stringify(Object.fromEntries(this.measured), null, 1));
  }

  override log(...messages: unknown[]): void {
    this.clearLine();
    super.log(...messages);
  }

  override error(...messages: unknown[]): void {
    this.clearLine();
    super.error(...messages);
  }

  override onUserConsoleLog(...log: Parameters<DefaultReporter['onUserConsoleLog']>): void {
    this.clearLine();
    super.onUserConsoleLog(...log);
  }

  protected override printTestModule(file: TestModule): void {
    const files = this.waiting.size + this.runningSince.size + this.finished.size;
    if (file.state() === 'failed' || files <= FEW_FILES) super.printTestModule(file);
  }

  private sayHowFar(): void {
    const now = performance.now();
    const expect = (name: string) => ({ expectedMs: this.expectedMs(name) });
    const running = [...this.runningSince].map(([name, at]) => ({ ...expect(name), elapsedMs: now - at }));
    const left = leftMs({
      elapsedMs: now - this.startedAt,
      workers: this.workers,
      finished: [...this.finished].map(expect),
      running,
      waiting: [...this.waiting].map(expect),
    });
    const done = this.finished.size;
    const line = progressLine({ done, files: done + running.length + this.waiting.size, ...this.counts }, left);
    this.clearLine();
    process.stdout.write(this.isTTY ? line : `${line}\n`);
    this.hasLine = this.isTTY;
  }

  private clearLine(): void {
    if (this.hasLine) process.stdout.write('\r\u001b[K');
    this.hasLine = false;
  }

  private nameOf({ project, moduleId }: { project: { name: string }; moduleId: string }): string {
    return `${project.name} ${this.relative(moduleId)}`;
  }
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'));
  } catch {
    return {};
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
