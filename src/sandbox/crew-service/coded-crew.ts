// A crew made of functions: first as its author writes a task, then as the service keeps it.
import type { z } from 'zod';
import type {
  CheckedInputs,
  Decision,
  Feedback,
  HumanFeedback,
  Performed,
  StepReport,
  Steps,
  TaskDescription,
} from './crew-description.ts';
import type { Json, JsonObject } from './json.ts';
import type { Model } from './model/model.ts';

/** The worker of a task. `role` and `goal` are for a model's instructions and for reports. */
export type Agent = { readonly name: string; readonly role?: string; readonly goal?: string };

/** The facts for a condition, which must come to the same answer each time. */
interface TaskFacts<Inputs, Outputs> {
  readonly executionId: string;
  readonly inputs: Inputs;
  /** The values that the tasks before this one have returned, by their names. */
  readonly outputs: Outputs;
  /** All feedback given in this execution so far, on any task. */
  readonly allFeedback: readonly Feedback[];
}

export interface TaskContext<Inputs, Outputs, Previous = Json> extends TaskFacts<Inputs, Outputs> {
  /** Starts at 1 and increases with each rejection. */
  readonly round: number;
  /**
   * All feedback relevant to this round, in full, oldest first: the approval text of the preceding task, then the
   * feedback of this task's rejected rounds.
   */
  readonly feedback: readonly Feedback[];
  /** This task's rejected output from the previous round; undefined in the first round. */
  readonly previous: Previous | undefined;
  /** The model of the service, asked as this task's agent. */
  readonly model: Model;
  /** Aborts when the service stops. Pass it to anything slow. */
  readonly signal: AbortSignal;
  /**
   * Reports progress and creates a checkpoint: the result of `work` is stored, and a task that runs again after a
   * restart gets the stored result without working or reporting twice. A task must therefore reach its steps in the
   * same order every time, and side effects belong in a step.
   */
  step<Result extends Json = null>(report: string | StepReport, work?: () => Promise<Result> | Result): Promise<Result>;
}

export interface TaskDefinition<Inputs, Outputs, Previous, Draft, Output, When> {
  readonly agent: string | Agent;
  readonly description?: string;
  readonly expectedOutput?: string;
  /** True if a person must approve the output before the crew continues. */
  readonly humanInput?: boolean;
  /** The time that one try may take, before it is ended and the execution fails. Default: 15 minutes. */
  readonly timeLimitMs?: number;
  /**
   * The number of times that the task is tried again after it has thrown or reached its time limit, with growing pauses in between. Steps
   * that have finished aren't repeated. Default 0.
   */
  readonly retries?: number;
  /**
   * Returns true if the task runs at all, asked before its first round. A task that is left out is reported as skipped, and its
   * output is undefined.
   */
  readonly when?: (facts: TaskFacts<Inputs, Outputs>) => Promise<When> | When;
  /** The schema of the value that `run` returns, which gives `previous` its type. An output that doesn't fit fails the execution. */
  readonly output?: z.ZodType<Previous>;
  /** Does the work and returns the output. Throwing fails the execution, with the error's message. */
  readonly run: (context: TaskContext<Inputs, Outputs, Previous>) => Promise<Draft> | Draft;
  /**
   * Runs once, after `output` is approved: the place for side effects that need approval. Its return value becomes the
   * task's output. Without human input it runs right after `run`. Its types need it to stand after `run`.
   */
  readonly whenApproved?: (output: Draft, context: TaskContext<Inputs, Outputs, Previous>) => Promise<Output> | Output;
}

/** The context of a task's code before the crew's definition gives it its types. */
export type UntypedContext = TaskContext<JsonObject, JsonObject> & {
  /** The inputs as the crew's schema made them; see `CheckedInputs`. */
  readonly typedInputs?: string | undefined;
  /** All answers of a flow so far, oldest first. */
  readonly humanFeedback?: readonly HumanFeedback[] | undefined;
};

/** The additional context of code that asks people in the middle of its task. */
export type Turn = {
  /** The question that it has asked, after which it goes on now. */
  readonly decision?: Decision | undefined;
  /** Those of this turn. */
  readonly steps: Steps;
};

export type Task = Omit<TaskDescription, 'finishes'> & {
  readonly when?: (context: UntypedContext) => Promise<boolean> | boolean;
  readonly run: (context: UntypedContext, turn: Turn) => Promise<Performed>;
  readonly whenApproved?: (output: Json, context: UntypedContext) => Promise<Json> | Json;
};

/** A crew made of functions; `defineCrew` makes one, and `defineFlow`, where the tasks are methods. */
export interface Crew {
  readonly kind: 'coded';
  readonly name: string;
  readonly inputNames: readonly string[];
  readonly tasks: readonly Task[];
  checkInputs(inputs: JsonObject): Promise<CheckedInputs>;
}

/** A task without its code. */
export function describeTask({ run: _run, when: _when, whenApproved, ...described }: Task): TaskDescription {
  return { ...described, finishes: whenApproved !== undefined };
}
