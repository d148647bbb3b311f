import type { TaskDescription, TokenUsage } from '../crew-description.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ScriptedTask } from '../sandbox-api/scripted-crew.ts';

export type Caller = { readonly type: 'organisation' } | { readonly type: 'user'; readonly name: string };

export type WebhookAuthentication =
  | { readonly strategy: 'bearer'; readonly token: string }
  | { readonly strategy: 'basic'; readonly username: string; readonly password: string };

type HumanInputWebhook = { readonly url: string; readonly authentication?: WebhookAuthentication | undefined };

/** Where a run's events are sent, and the `meta` that is echoed with them. */
export type Addresses = {
  readonly humanInput?: HumanInputWebhook | undefined;
  readonly task?: string | undefined;
  readonly step?: string | undefined;
  readonly crew?: string | undefined;
  readonly meta: JsonObject;
};

export type PlannedTask = TaskDescription & { readonly id: string };

export type FinishedTask = {
  readonly taskId: string;
  readonly task: string;
  readonly agent: string;
  readonly output: Json;
};

export type Review = {
  readonly taskId: string;
  readonly task: string;
  readonly round: number;
  readonly approved: boolean;
  readonly text: string;
  readonly at: number;
};

type Attempt = {
  readonly task: string;
  readonly round: number;
  readonly startedAt: number;
  readonly finishedAt: number;
};

/** The part of a run that doesn't depend on its status. */
export type RunFacts = {
  /** The `kickoff_id`. If resumes start new runs (dialect `observed`), several runs share an `executionId`. */
  readonly id: string;
  readonly executionId: string;
  readonly crew: string;
  readonly startedBy: Caller;
  readonly inputs: JsonObject;
  /** What the crew's schema made of them, for its tasks. */
  readonly typedInputs?: string | undefined;
  readonly plan: readonly PlannedTask[];
  readonly script?: readonly ScriptedTask[] | undefined;
  /** A run kicked off without a human-input webhook never pauses (specification, section 3). */
  readonly asksPeople: boolean;
  readonly addresses: Addresses;
  readonly finished: readonly FinishedTask[];
  /** Tasks whose condition didn't hold. Default: none. */
  readonly skipped?: readonly string[] | undefined;
  /** What tasks of the current group have returned, until their turn to be reviewed and finished. Default: none. */
  readonly drafts?: readonly { readonly taskId: string; readonly output: Json }[] | undefined;
  readonly reviews: readonly Review[];
  readonly attempts: readonly Attempt[];
  /** By the attempts that have ended; undefined where no model was used. */
  readonly usage?: TokenUsage | undefined;
  /** How often the run has ended its process. Default 0. */
  readonly processEnds?: number | undefined;
  readonly createdAt: number;
  /** Incremented by each stored change, for compare-and-set. 0: not stored yet. */
  readonly version: number;
};

export type Running = RunFacts & {
  readonly status: 'running';
  readonly taskIndex: number;
  readonly round: number;
  readonly startedAt: number;
  /** The rejected output to rework, or the approved one to pass to `whenApproved`. */
  readonly previous?: Json;
  readonly phase: 'working' | 'finishing';
  /** How often each task has failed since it was started, by its id. Default 0. */
  readonly tries?: Readonly<Record<string, number>>;
};

export type Waiting = RunFacts & {
  readonly status: 'waiting';
  readonly taskIndex: number;
  readonly round: number;
  readonly output: Json;
  readonly waitingSinceAt: number;
};

type Completed = RunFacts & { readonly status: 'completed'; readonly result: Json; readonly endedAt: number };
export type Failed = RunFacts & { readonly status: 'failed'; readonly error: string; readonly endedAt: number };
export type Run = Running | Waiting | Completed | Failed;

type Step = {
  readonly thought: string;
  readonly tool: string;
  readonly toolInput: string;
  readonly result: string;
};

export type RunEvent =
  | { readonly type: 'human-input'; readonly task: PlannedTask; readonly output: Json }
  | { readonly type: 'task'; readonly task: PlannedTask; readonly output: Json; readonly durationMs: number }
  | { readonly type: 'step'; readonly task: PlannedTask; readonly step: Step }
  | { readonly type: 'crew'; readonly result: Json; readonly finished: readonly FinishedTask[] };

/** The task a run is working on or waiting for. Throws `RangeError` if its position is outside its plan. */
export function currentTask(run: Running | Waiting): PlannedTask {
  const task = run.plan[run.taskIndex];
  if (task === undefined) throw new RangeError(`Run ${run.id} is at task ${run.taskIndex} of ${run.plan.length}.`);
  return task;
}
