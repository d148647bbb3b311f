import { setTimeout as pause } from 'node:timers/promises';
import { recordTask } from '../../src/core/execution/run.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { ok } from '../../src/core/values/result.ts';
import { type openStores, task } from './do-everything.ts';

type Executions = ReturnType<typeof openStores>['executions'];

/** As many changes as one execution can count. */
const MOST_CHANGES = 90;
const PAUSE_MS = 20;
/** Between the changes of one execution. */
export const CHANGE_PAUSE_MS = 100;

/** Changes executions all the time, and remembers which changes were acknowledged. */
export class BusyWriter {
  acknowledged = 0;
  readonly #executions: Executions;
  readonly #refs: readonly string[];
  /** The names of the tasks that count, by ref. */
  readonly #promised = new Map<string, string[]>();
  #isStopping = false;
  readonly #running: Promise<unknown>;

  constructor(executions: Executions, refs: readonly string[]) {
    this.#executions = executions;
    this.#refs = refs;
    this.#running = Promise.all(refs.map((ref) => this.#write(ref)));
  }

  /** Resolves when each execution was changed once more. */
  async untilAllChanged(): Promise<void> {
    const before = this.#refs.map((ref) => this.#countOf(ref));
    while (this.#refs.some((ref, i) => this.#countOf(ref) === before[i])) await pause(PAUSE_MS);
  }

  /** What was acknowledged and isn't stored, or is stored twice; in words. */
  async stop(): Promise<string[]> {
    this.#isStopping = true;
    await this.#running;
    const problems = this.#refs.map(async (ref) => {
      const stored = (await this.#executions.load(ref))?.execution.tasks.map(({ name }) => name) ?? [];
      const lost = (this.#promised.get(ref) ?? []).filter((name) => !stored.includes(name));
      const again = stored.filter((name, i) => stored.indexOf(name) !== i);
      return [...lost.map((name) => `${name} is lost`), ...again.map((name) => `${name} is there twice`)];
    });
    return (await Promise.all(problems)).flat();
  }

  #countOf(ref: string): number {
    return this.#promised.get(ref)?.length ?? 0;
  }

  async #write(ref: string): Promise<void> {
    for (let nth = 1; !this.#isStopping && nth <= MOST_CHANGES; nth++) {
      const name = `${ref} task ${nth}`;
      await this.#change(ref, name);
      await pause(CHANGE_PAUSE_MS);
    }
  }

  async #change(ref: string, name: string): Promise<void> {
    try {
      await this.#executions.change(ref, (execution, now) => ok(recordTask(execution, { ...task, name }, now)));
      this.#promised.set(ref, [...(this.#promised.get(ref) ?? []), name]);
      this.acknowledged += 1;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}
