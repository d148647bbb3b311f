import type { Logger } from 'pino';
import { errorMessage } from '../error-message.ts';
import { createStopController } from '../stop-controller.ts';
import { type Change, completeTask, fail, skipTask, startAgain, triesOf, tryAgain } from './advance-run.ts';
import { dueTasks } from './plan.ts';
import type { Failed, Running } from './run.ts';
import { ProcessEnded, RunFault } from './run-faults.ts';
import { sumOfUsage } from './task-attempt.ts';
import { type Outcome, type TryParts, tryTask } from './try-task.ts';

/** The code of the tasks that are due in a run, of which several may be running. */
export interface TaskTries {
  /** Starts what is due and not running yet, and resolves with the change by what ends first. Rejects only on `close`. */
  next(run: Running): Promise<Change>;
  /** Ends what is still running. */
  close(): void;
}

export function createTaskTries({ code, parts, signal }: TryParts): TaskTries {
  const running = new Map<string, Promise<Outcome>>();
  const closing = createStopController();
  const close = () => closing.abort(signal.reason ?? new Error('the run has ended'));
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();

  return {
    async next(run) {
      const due = dueTasks(run).map((task) => {
        const trying = running.get(task.id) ?? tryTask(run, task, { code, parts, signal: closing.signal });
        running.set(task.id, trying);
        // It may end after another one has failed the run.
        trying.catch(() => {});
        return trying;
      });
      const outcome = await Promise.race(due);
      running.delete(outcome.task.id);
      // It was the process of all of them.
      if (outcome.kind === 'failed' && outcome.error instanceof ProcessEnded) running.clear();
      return changeAfter(outcome, run, parts.logger);
    },
    close() {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

function changeAfter(outcome: Outcome, run: Running, logger: Logger): Change {
  const { task } = outcome;
  const now = Date.now();
  const usage = sumOfUsage(run.usage, outcome.usage);
  switch (outcome.kind) {
    case 'done':
      return completeTask({ ...run, usage }, task, outcome.output, now);
    case 'skipped':
      return skipTask(run, task, now);
    case 'failed': {
      const next = afterError(outcome, run, now);
      const said = {
        crew: run.crew,
        runId: run.id,
        task: task.name,
        error: errorMessage(outcome.error),
        next: next.status,
      };
      logger.warn(said, 'task failed');
      // What is tried again keeps its checkpoints, with what they have used.
      return { run: next.status === 'failed' ? { ...next, usage } : next, events: [] };
    }
  }
}

/** A run may end its process once: something from outside may have ended it. */
const PROCESS_ENDS = 2;

type FailedOutcome = Extract<Outcome, { kind: 'failed' }>;

function afterError({ task, error }: FailedOutcome, run: Running, now: number): Running | Failed {
  const message = errorMessage(error);
  if (error instanceof ProcessEnded) {
    const again = startAgain(run, now);
    if ((again.processEnds ?? 0) < PROCESS_ENDS) return again;
    return fail(again, `The run ended its process twice, the second time in the task "${task.name}": ${message}`, now);
  }
  const isLast = error instanceof RunFault || triesOf(run, task.id) >= (task.retries ?? 0);
  return isLast ? fail(run, message, now) : tryAgain(run, task);
}
