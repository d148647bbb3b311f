import type { Logger } from 'pino';
import type { Feedback, StepReport, TaskContext } from '../define-crew.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { asText, type Json, type JsonObject } from '../json.ts';
import { retryUntilSuccess } from '../redis/retry-until-success.ts';
import type { Store } from '../redis/store.ts';
import { type Delivery, deliveriesFor } from '../webhooks/delivery.ts';
import { currentTask, type PlannedTask, type Review, type RunEvent, type Running } from './run.ts';

/** What a step needs in order to be stored and reported. */
export type StepParts = {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  readonly logger: Logger;
};

/** The context passed to the code of the current task. */
export async function contextOf(run: Running, parts: StepParts, signal: AbortSignal): Promise<TaskContext<JsonObject>> {
  return {
    executionId: run.executionId,
    inputs: run.inputs,
    round: run.round,
    outputs: run.finished.map(({ task, output }) => ({ task, output })),
    feedback: feedbackFor(run).map(asFeedback),
    allFeedback: run.reviews.map(asFeedback),
    previous: run.phase === 'working' ? run.previous : undefined,
    signal,
    step: await stepOf(run, parts, signal),
  };
}

/**
 * The feedback on this task's earlier rounds and the approval text of the preceding task ("merged in full into the
 * context of the later task execution", specification, section 4.4).
 */
function feedbackFor(run: Running): Review[] {
  const before = run.plan[run.taskIndex - 1];
  const { id } = currentTask(run);
  return run.reviews.filter(({ taskId, approved }) => taskId === id || (approved && taskId === before?.id));
}

function asFeedback({ task, round, approved, text }: Review): Feedback {
  return { task, round, approved, text };
}

/** Implements `TaskContext.step`: each step runs once, even across restarts. */
async function stepOf(run: Running, parts: StepParts, signal: AbortSignal): Promise<TaskContext<JsonObject>['step']> {
  const { store, dialect, deliver, logger } = parts;
  const task = currentTask(run);
  const attempt = `${task.id}:${run.round}:${run.phase}`;
  const done = await retryUntilSuccess(() => store.checkpoints(run, attempt), signal, logger);
  let steps = 0;
  return async <Result extends Json>(report: string | StepReport, work?: () => Promise<Result> | Result) => {
    signal.throwIfAborted();
    const number = steps++;
    const known = done.get(number);
    // Stored by the same step of the same code, hence of the same type.
    if (known !== undefined) return known as Result;
    const value = (await work?.()) ?? null;
    const deliveries = deliveriesFor(run, [stepEvent(task, report, value)], dialect, Date.now());
    await retryUntilSuccess(() => store.saveCheckpoint(run, { attempt, number, value }, deliveries), signal, logger);
    deliver(deliveries);
    return value as Result;
  };
}

function stepEvent(task: PlannedTask, report: string | StepReport, value: Json): RunEvent {
  const {
    thought,
    tool = '',
    toolInput = '',
    result = shortText(value),
  } = typeof report === 'string' ? { thought: report } : report;
  return { type: 'step', task, step: { thought, tool, toolInput, result } };
}

const LONGEST_RESULT = 500;

function shortText(value: Json): string {
  const text = value === null ? '' : asText(value);
  return text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)}…` : text;
}
