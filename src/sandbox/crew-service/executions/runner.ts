import { randomUUID } from 'node:crypto';
import { retryUntilSuccess } from '../redis/connection.ts';
import { createStopController } from '../waiting.ts';
import type { CrewCode } from './crew-code.ts';
import { currentTask, type Running } from './run.ts';
import { createTaskTries, type StepParts, type TaskTries } from './task-tries.ts';

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
  readonly crews: ReadonlyMap<string, CrewCode>;
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
  const { store, crews, logger } = parts;
  const run = await retryUntilSuccess(() => store.load(runId), signal, logger);
  if (run?.status !== 'running') return;
  const crew = crews.get(run.crew);
  // Another service's, or of a crew that comes back with a later start.
  if (crew === undefined) return logger.warn({ crew: run.crew, runId }, 'left alone: this service has no such crew');
  const code = await crew.open(run, signal);
  const tries = createTaskTries({ code, parts, signal });
  try {
    await driveWith(tries, run, parts, signal);
  } finally {
    tries.close();
    await code.close();
  }
}

async function driveWith(
  tries: TaskTries,
  { id: runId }: Running,
  parts: RunnerParts,
  signal: AbortSignal,
): Promise<void> {
  const { store, deliveriesFor, deliver, logger } = parts;
  for (;;) {
    const run = await retryUntilSuccess(() => store.load(runId), signal, logger);
    if (run?.status !== 'running') return;
    const change = await tries.next(run);
    const deliveries = deliveriesFor(change, run);
    const write = { run: change.run, deliveries, writeId: randomUUID() };
    const stored = await retryUntilSuccess(() => store.commit(write), signal, logger);
    if (stored === undefined) continue;
    logger.info(
      { crew: run.crew, runId, task: currentTask(run).name, round: run.round, status: stored.status },
      'run advanced',
    );
    deliver(deliveries);
  }
}
