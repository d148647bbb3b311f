// Tries of the tasks of a run: each is tried within its time limit, with its steps stored, and tried again where it may be.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Feedback, Performed, StepReport, Steps, TaskDescription, TokenUsage } from '../crew-description.ts';
import { errorMessage } from '../error-message.ts';
import { asText, type Json } from '../json.ts';
import { retryUntilSuccess } from '../redis/connection.ts';
import type { Checkpoint, Store } from '../redis/store.ts';
import { createStopController, withTimeLimit } from '../waiting.ts';
import type { Notify } from '../webhooks/delivery.ts';
import { type Change, completeTask, fail, interrupt, skipTask, startAgain, triesOf, tryAgain } from './advance-run.ts';
import { ProcessEnded, type RunCode, RunFault, type TaskAttempt } from './crew-code.ts';
import {
  dueTasks,
  type Failed,
  feedbackFor,
  outputsOf,
  type PlannedTask,
  type Review,
  type RunEvent,
  type Running,
} from './run.ts';

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
      return 'question' in outcome.performed
        ? interrupt({ ...run, usage }, task, outcome.performed.question, now)
        : completeTask({ ...run, usage }, task, outcome.performed.output, now);
    case 'skipped':
      return skipTask(run, task, now);
    case 'failed': {
      const next = afterError(outcome, run, now);
      const texts = {
        crew: run.crew,
        runId: run.id,
        task: task.name,
        error: errorMessage(outcome.error),
        next: next.status,
      };
      logger.warn(texts, 'task failed');
      // A task that is tried again keeps its checkpoints, and the tokens that it has used.
      if (next.status === 'running') return { run: next, events: [] };
      return { run: { ...next, usage }, events: [{ type: 'failed', task, error: next.error }] };
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

type TryParts = {
  readonly code: RunCode;
  readonly parts: StepParts;
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal: AbortSignal;
};

/** The end of a try, and the tokens that the task has used of a model in all its tries. */
type Outcome = { readonly task: PlannedTask; readonly usage: TokenUsage | undefined } & (
  | { readonly kind: 'done'; readonly performed: Performed }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly error: unknown }
);

/** Runs the code of a due task once. Rejects only when `signal` aborts. */
async function tryTask(run: Running, task: PlannedTask, { code, parts, signal }: TryParts): Promise<Outcome> {
  await pause(pauseBefore(triesOf(run, task.id)), undefined, { signal });
  const steps = await stepsOf({ run, task, phase: run.phase }, parts, signal);
  const attempt = attemptOf(run, task);
  try {
    return await withinTaskLimit(task, signal, async (limited) => {
      if (!(await isWanted(run, task, { code, parts, signal: limited })))
        return { kind: 'skipped', task, usage: undefined };
      const performed = await code.perform(attempt, steps, limited);
      return { kind: 'done', task, performed, usage: steps.usage() };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', task, error, usage: steps.usage() };
  }
}

/** Asks the condition of a task before its first round. The answer is kept, so that a restart doesn't change it. */
async function isWanted(run: Running, task: PlannedTask, { code, parts, signal }: TryParts): Promise<boolean> {
  if (!task.isConditional || run.round > 1 || run.phase === 'finishing') return true;
  const decision = { run, task, phase: 'deciding' } as const;
  const steps = await stepsOf(decision, parts, signal);
  const stored = steps.done.get(0);
  if (stored !== undefined) return stored === true;
  const answer = await code.perform({ ...attemptOf(run, task), phase: 'deciding' }, steps, signal);
  const holds = 'output' in answer && answer.output === true;
  await steps.remember(0, holds);
  return holds;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

function pauseBefore(tries: number): number {
  return tries === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}

/** Runs `work` with a signal that aborts when `stopping` does, or after the task's time limit with words that say so. */
function withinTaskLimit<Result>(
  { name, timeLimitMs }: TaskDescription,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeLimitMs === undefined) return work(stopping);
  const words = `The task "${name}" took longer than its time limit of ${inWords(timeLimitMs)}.`;
  return withTimeLimit({ ms: timeLimitMs, words, stopping, work });
}

function inWords(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

/** The facts by which a step is stored and reported. */
export type StepParts = Notify & {
  readonly store: Store;
  readonly logger: Logger;
};

/** Returns the context for the code of a due task. */
function attemptOf(run: Running, task: PlannedTask): TaskAttempt {
  const { phase, executionId, inputs, typedInputs, round, previous, decision } = run;
  return {
    ...{ phase, executionId, inputs, typedInputs, round, previous, decision },
    task: task.name,
    outputs: outputsOf(run),
    feedback: feedbackFor(run, task).map(asFeedback),
    allFeedback: run.reviews.map(asFeedback),
    humanFeedback: (run.requests ?? []).flatMap(({ method, answer }) =>
      answer ? { method, outcome: answer.outcome, feedback: answer.feedback } : [],
    ),
  };
}

function asFeedback({ task, round, approved, text }: Review): Feedback {
  return { task, round, approved, text };
}

/** The steps of a due task: a stored one is reported to its webhook, once. */
async function stepsOf(
  { run, task, phase }: { run: Running; task: PlannedTask; phase: TaskAttempt['phase'] },
  parts: StepParts,
  signal: AbortSignal,
): Promise<CountedSteps> {
  const { store, deliveriesFor, deliver, logger } = parts;
  const attempt = `${task.id}:${run.round}:${phase}`;
  const { done, usages } = await retryUntilSuccess(() => store.checkpoints(run, attempt), signal, logger);
  const used = new Map(usages);

  async function save(event: RunEvent, checkpoint?: Checkpoint): Promise<void> {
    signal.throwIfAborted();
    const deliveries = deliveriesFor({ run, events: [event] }, run);
    await retryUntilSuccess(() => store.saveStep(run, checkpoint, deliveries), signal, logger);
    deliver(deliveries);
  }

  return {
    done,
    async store({ number, report, value, usage }) {
      await save(stepEvent(task, report, value), { attempt, number, value, usage });
      if (usage) used.set(number, usage);
    },
    async remember(number, value) {
      await retryUntilSuccess(() => store.saveStep(run, { attempt, number, value }, []), signal, logger);
    },
    tell: (report) => save(stepEvent(task, report, null)),
    usage: () => [...used.values()].reduce(sumOfUsage, undefined),
  };
}

type CountedSteps = Steps & {
  /** Returns the tokens that the task has used so far, in all its tries. */
  usage(): TokenUsage | undefined;
  /** Stores a result without a report. */
  remember(number: number, value: Json): Promise<void>;
};

/** Undefined for a run that hasn't used a model. */
function sumOfUsage(one: TokenUsage | undefined, other: TokenUsage | undefined): TokenUsage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}

function stepEvent(task: PlannedTask, report: StepReport, value: Json): RunEvent {
  const { thought, tool = '', toolInput = '', result = shortText(value) } = report;
  return { type: 'step', task, step: { thought, tool, toolInput, result } };
}

const LONGEST_RESULT = 500;

function shortText(value: Json): string {
  const text = value === null ? '' : asText(value);
  return text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)}…` : text;
}
