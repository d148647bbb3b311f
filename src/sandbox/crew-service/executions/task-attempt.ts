import type { Logger } from 'pino';
import type { Feedback, StepReport, TokenUsage } from '../crew-description.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { asText, type Json } from '../json.ts';
import { retryUntilSuccess } from '../redis/retry-until-success.ts';
import type { Checkpoint, Store } from '../redis/store.ts';
import { type Delivery, deliveriesFor } from '../webhooks/delivery.ts';
import type { Steps, TaskAttempt } from './crew-code.ts';
import { feedbackFor } from './plan.ts';
import type { PlannedTask, Review, RunEvent, Running } from './run.ts';

/** What a step needs in order to be stored and reported. */
export type StepParts = {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  readonly logger: Logger;
};

/** What the code of a due task is told. */
export function attemptOf(run: Running, task: PlannedTask): TaskAttempt {
  const { phase, executionId, inputs, typedInputs, round, previous } = run;
  return {
    ...{ phase, executionId, inputs, typedInputs, round, previous },
    task: task.name,
    outputs: run.finished.map(({ task, output }) => ({ task, output })),
    feedback: feedbackFor(run, task).map(asFeedback),
    allFeedback: run.reviews.map(asFeedback),
  };
}

function asFeedback({ task, round, approved, text }: Review): Feedback {
  return { task, round, approved, text };
}

/** The steps of a due task: a stored one is reported to its webhook, once. */
export async function stepsOf(
  { run, task, phase }: { run: Running; task: PlannedTask; phase: TaskAttempt['phase'] },
  parts: StepParts,
  signal: AbortSignal,
): Promise<CountedSteps> {
  const { store, dialect, deliver, logger } = parts;
  const attempt = `${task.id}:${run.round}:${phase}`;
  const { done, usages } = await retryUntilSuccess(() => store.checkpoints(run, attempt), signal, logger);
  const used = new Map(usages);

  async function save(event: RunEvent, checkpoint?: Checkpoint): Promise<void> {
    signal.throwIfAborted();
    const deliveries = deliveriesFor(run, [event], dialect, Date.now());
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
  /** What the task has used so far, in all its tries. */
  usage(): TokenUsage | undefined;
  /** Stores a result without a report. */
  remember(number: number, value: Json): Promise<void>;
};

/** Undefined for a run that hasn't used a model. */
export function sumOfUsage(one: TokenUsage | undefined, other: TokenUsage | undefined): TokenUsage | undefined {
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
