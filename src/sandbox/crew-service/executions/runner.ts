import { randomUUID } from 'node:crypto';
import type { Crew, Task, TaskContext } from '../define-crew.ts';
import type { Json, JsonObject } from '../json.ts';
import { retryUntilSuccess } from '../redis/retry-until-success.ts';
import type { Gates } from '../sandbox-api/gates.ts';
import { type ScriptedCrew, taskOfScript } from '../sandbox-api/scripted-crew.ts';
import { createStopController } from '../stop-controller.ts';
import { deliveriesFor } from '../webhooks/delivery.ts';
import { type Change, completeTask, fail } from './advance-run.ts';
import { currentTask, type Running } from './run.ts';
import { contextOf, type StepParts } from './task-context.ts';

/** Executes the tasks of running runs one after another, until they wait for a person or end. */
export interface Runner {
  /** Resumes everything that was running when the service stopped. */
  start(): Promise<void>;
  /** Executes a run if it is running; otherwise does nothing. */
  drive(runId: string): void;
  /** Aborts the running tasks; the next start resumes them from their last checkpoint. */
  close(): Promise<void>;
}

type RunnerParts = StepParts & {
  readonly crews: ReadonlyMap<string, Crew | ScriptedCrew>;
  readonly gates: Gates;
};

export function createRunner(parts: RunnerParts): Runner {
  const { store, logger } = parts;
  const stopping = createStopController();
  const driven = new Map<string, Promise<void>>();

  function drive(runId: string): void {
    const before = driven.get(runId) ?? Promise.resolve();
    const now = before
      .then(() => driveToPause(runId, parts, stopping.signal))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ runId, error: String(error) }, 'run failed unexpectedly');
      });
    driven.set(runId, now);
    void now.then(() => driven.get(runId) === now && driven.delete(runId));
  }

  return {
    drive,
    async start() {
      for (const id of await store.activeIds()) drive(id);
    },
    async close() {
      stopping.abort(new Error('the crew service is stopping'));
      await Promise.all(driven.values());
    },
  };
}

async function driveToPause(runId: string, parts: RunnerParts, signal: AbortSignal): Promise<void> {
  const { store, dialect, deliver, logger } = parts;
  for (;;) {
    const run = await retryUntilSuccess(() => store.load(runId), signal, logger);
    if (run?.status !== 'running') return;
    const change = await attempt(run, parts, signal);
    const deliveries = deliveriesFor(change.run, change.events, dialect, Date.now());
    const write = { run: change.run, deliveries, writeId: randomUUID() };
    const stored = await retryUntilSuccess(() => store.commit(write), signal, logger);
    if (stored === undefined) continue;
    logger.info(
      { crew: run.crew, runId, task: currentTask(run).name, round: run.round, status: stored.status },
      'task done',
    );
    deliver(deliveries);
  }
}

/** Runs the code of the current task once. Rejects only when `signal` aborts. */
async function attempt(run: Running, parts: RunnerParts, signal: AbortSignal): Promise<Change> {
  try {
    const task = taskOf(run, parts);
    const context = await contextOf(run, parts, signal);
    const output = await work(task, run, context);
    // Untyped crew code may return undefined.
    return completeTask(run, output ?? null, Date.now());
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    parts.logger.warn({ crew: run.crew, runId: run.id, error: message }, 'task failed');
    return { run: fail(run, message, Date.now()), events: [] };
  }
}

function work(task: Task, run: Running, context: TaskContext<JsonObject>): Promise<Json> | Json {
  switch (run.phase) {
    case 'working':
      return task.run(context);
    case 'finishing': {
      const approved = run.previous ?? null;
      return task.whenApproved ? task.whenApproved(approved, context) : approved;
    }
  }
}

function taskOf(run: Running, { crews, gates }: RunnerParts): Task {
  const { name } = currentTask(run);
  const crew = crews.get(run.crew);
  const scripted = run.script?.find((task) => task.name === name);
  const task = scripted
    ? taskOfScript(scripted, gates)
    : crew?.kind === 'coded' && crew.tasks.find((one) => one.name === name);
  if (!task) throw new Error(`This service no longer has a task "${name}" of a crew "${run.crew}".`);
  return task;
}
