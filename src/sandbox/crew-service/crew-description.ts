import type { Json, JsonObject } from './json.ts';

/** The facts of a task that are there without running its code. */
export type TaskDescription = {
  readonly name: string;
  readonly agent: string;
  readonly role: string;
  readonly goal: string;
  readonly description: string;
  readonly expectedOutput: string;
  readonly humanInput: boolean;
  /** True if code runs after the output is approved. */
  readonly finishes: boolean;
  /** Tasks of the same group stand beside each other and run at the same time. */
  readonly group?: number | undefined;
  /** True if the crew's code says first whether the task runs at all. Default: it does. */
  readonly isConditional?: boolean | undefined;
  /** The time limit of one try. Default: none. */
  readonly timeLimitMs?: number | undefined;
  /** The number of tries after one that has thrown or reached its time limit. Default 0. */
  readonly retries?: number | undefined;
  /** Only of the methods of a flow, which go on to each other instead of one after another. */
  readonly method?: Method | undefined;
};

export type Method = {
  /** The method that comes next, unless an outcome says so; the flow ends where none is named. */
  readonly next?: string | undefined;
  readonly humanFeedback?: FeedbackQuestion | undefined;
};

/** The question of a method of a flow about its output. */
export type FeedbackQuestion = {
  readonly message: string;
  /** The outcomes to choose from, and the method that each goes on to. Without any, only a text is asked for. */
  readonly outcomes: readonly { readonly name: string; readonly next?: string | undefined }[];
  readonly defaultOutcome?: string | undefined;
};

/** A person's answer to a flow. */
export type HumanFeedback = {
  /** Whose output it is about. */
  readonly method: string;
  /** null where the method offers no outcomes. */
  readonly outcome: string | null;
  readonly feedback: string;
};

/**
 * `inputs` are as they were given, with defaults filled in. `typed` is what the crew's schema made of them, in words of
 * its own: both are stored with the run, so that what a crew computes as a default is computed once.
 */
export type CheckedInputs =
  | { readonly ok: true; readonly inputs: JsonObject; readonly typed?: string | undefined }
  | { readonly ok: false; readonly missing: readonly string[]; readonly invalid: readonly string[] };

/** The outcome of a task's code: its output, or a question to people before it goes on. */
export type Performed = { readonly output: Json } | { readonly question: Question };

export type Question = {
  /** Stands for a task: it has a review of its own, whose next round is the next question with this name after a rejection. */
  readonly name: string;
  /** All that waits for people at the same time, the question itself included, in the order in which it is asked. */
  readonly calls: readonly Call[];
  /** Which of them this question is. */
  readonly call: string;
  readonly agent: string;
  readonly output: Json;
  /** Kept for the task's code, which gets it back with the decision. */
  readonly state: JsonObject;
};

/** One call of a tool, or one interrupt of a graph, by the id that its framework gives it. */
export type Call = { readonly id: string } & Pick<Question, 'name' | 'agent'>;

/** People's decision on the latest question of a task. */
export type Decision = { readonly approved: boolean; readonly text: string; readonly state: JsonObject };

export type TaskOutput = { readonly task: string; readonly output: Json };

/** A person's feedback on an earlier output. */
export type Feedback = {
  readonly task: string;
  readonly round: number;
  readonly approved: boolean;
  readonly text: string;
};

/** The numbers of tokens that a model has read and written. */
export type TokenUsage = { readonly promptTokens: number; readonly completionTokens: number };

/** An agent's activity in a step. Sent in full to the step webhook. */
export type StepReport = {
  readonly thought: string;
  readonly tool?: string;
  readonly toolInput?: string;
  readonly result?: string;
};

/** The steps of a task's code: what earlier tries have finished, and where new ones are stored and reported. */
export interface Steps {
  /** Results by step number from 0. */
  readonly done: ReadonlyMap<number, Json>;
  store(step: FinishedStep): Promise<void>;
  /** Reports what goes on within a step, without a checkpoint. Resolves once it is stored. */
  tell(report: StepReport): Promise<void>;
}

type FinishedStep = {
  readonly number: number;
  readonly report: StepReport;
  readonly value: Json;
  /** The tokens that it has used; they are counted once, however often its task runs. */
  readonly usage?: TokenUsage | undefined;
};
