// The state of a run, and which of its tasks are due.
import { randomUUID } from 'node:crypto';
import type { Decision, TaskDescription, TaskOutput, TokenUsage } from '../crew-description.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ScriptedTask } from '../sandbox-api/scripted-crew.ts';

export type Caller = { readonly type: 'organisation' } | { readonly type: 'user'; readonly name: string };

export type WebhookAuthentication =
  | { readonly strategy: 'bearer'; readonly token: string }
  | { readonly strategy: 'basic'; readonly username: string; readonly password: string };

type HumanInputWebhook = { readonly url: string; readonly authentication?: WebhookAuthentication | undefined };

/** The addresses of a run's events, and the `meta` that is echoed with them. */
export type Addresses = {
  readonly humanInput?: HumanInputWebhook | undefined;
  readonly task?: string | undefined;
  readonly step?: string | undefined;
  readonly crew?: string | undefined;
  readonly stream?: EventStream | undefined;
  readonly meta: JsonObject;
};

/** The address to which the events of a run are streamed, beside the other addresses (dialect `flows`). */
export type EventStream = {
  readonly url: string;
  /** The names of those that were asked for. */
  readonly events: readonly string[];
  /** Each event alone and at once, instead of those that happen together. */
  readonly realtime: boolean;
  readonly authentication?: WebhookAuthentication | undefined;
};

/** A repeated kickoff is known by this. */
export type Idempotency = {
  /** Hashes of the keys that the client gave: any of them is enough. */
  readonly keys: readonly string[];
  /** The hash of the request: a repeated one is the same. */
  readonly request: string;
};

export type PlannedTask = TaskDescription & {
  readonly id: string;
  /** The id of the task whose code asks people in the middle of its work. The question stands before it in the plan. */
  readonly askedBy?: string | undefined;
  /** The call that has asked last, by the id of its framework. */
  readonly call?: string | undefined;
};

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

export type FeedbackRequest = {
  readonly id: string;
  /** The token with which an answer is taken from outside, once. */
  readonly token: string;
  readonly method: string;
  readonly message: string;
  readonly outcomes: readonly string[];
  readonly defaultOutcome: string | null;
  readonly output: Json;
  readonly createdAt: number;
  readonly answer?: FeedbackAnswer | undefined;
};

export type FeedbackAnswer = {
  readonly feedback: string;
  /** null where there are no outcomes to choose from. */
  readonly outcome: string | null;
  /** The place of the answer: in the dashboard, or by an app that has called back. */
  readonly via: 'dashboard' | 'callback';
  /** The name that the app gives itself. */
  readonly source: string | null;
  readonly at: number;
  readonly executionId: string;
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
  /** The inputs as the crew's schema parsed them, for its tasks. */
  readonly typedInputs?: string | undefined;
  readonly plan: readonly PlannedTask[];
  /** True if the ids of tasks tell their names. Default: they are UUIDs. */
  readonly hasTellingIds?: boolean | undefined;
  readonly script?: readonly ScriptedTask[] | undefined;
  /** A run kicked off without a human-input webhook never pauses (specification, section 3). */
  readonly asksPeople: boolean;
  readonly addresses: Addresses;
  /** It is there if the kickoff may be repeated. */
  readonly idempotency?: Idempotency | undefined;
  readonly finished: readonly FinishedTask[];
  /** Tasks whose condition didn't hold. Default: none. */
  readonly skipped?: readonly string[] | undefined;
  /** The outputs of tasks of the current group, until their turn to be reviewed and finished. Default: none. */
  readonly drafts?: readonly { readonly taskId: string; readonly output: Json }[] | undefined;
  readonly reviews: readonly Review[];
  /** The questions of a flow to people, oldest first; only the last one may be without an answer. Default: none. */
  readonly requests?: readonly FeedbackRequest[] | undefined;
  /** The outputs of the run whose state a flow continues, by method. */
  readonly restored?: readonly TaskOutput[] | undefined;
  readonly attempts: readonly Attempt[];
  /** The sum over the attempts that have ended; undefined where no model was used. */
  readonly usage?: TokenUsage | undefined;
  /** The number of times that the run has ended its process. Default 0. */
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
  /** The number of failures of each task since it was started, by its id. Default 0. */
  readonly tries?: Readonly<Record<string, number>>;
  /** On what the task's code has asked last. */
  readonly decision?: Decision | undefined;
};

export type Waiting = RunFacts & {
  readonly status: 'waiting';
  readonly taskIndex: number;
  readonly round: number;
  readonly output: Json;
  readonly waitingSinceAt: number;
  /** The state of the code that asks in the middle of its task. */
  readonly state?: JsonObject | undefined;
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
  | { readonly type: 'human-feedback'; readonly request: FeedbackRequest }
  | { readonly type: 'task'; readonly task: PlannedTask; readonly output: Json; readonly durationMs: number }
  | { readonly type: 'step'; readonly task: PlannedTask; readonly step: Step }
  | { readonly type: 'crew'; readonly result: Json; readonly finished: readonly FinishedTask[] }
  | { readonly type: 'failed'; readonly task: PlannedTask; readonly error: string };

/** Events by the kind of their address: a request for feedback goes to that of the dashboard, and only streams tell of failures. */
export type AddressedEvent = Exclude<RunEvent, { type: 'human-feedback' | 'failed' }>;

/** The task a run is working on or waiting for. Throws `RangeError` if its position is outside its plan. */
export function currentTask(run: Running | Waiting): PlannedTask {
  const task = run.plan[run.taskIndex];
  if (task === undefined) throw new RangeError(`Run ${run.id} is at task ${run.taskIndex} of ${run.plan.length}.`);
  return task;
}

/** The id of a task that joins a plan: its name, numbered where an earlier task has it, or a UUID. */
export function newTaskId(name: string, { plan, hasTellingIds }: Pick<RunFacts, 'plan' | 'hasTellingIds'>): string {
  if (!hasTellingIds) return randomUUID();
  const isTaken = (id: string) => plan.some((task) => task.id === id);
  let id = name;
  for (let number = 2; isTaken(id); number++) id = `${name}-${number}`;
  return id;
}

/** Returns true if a task of the run has done its work: each run that waits for a person, or was resumed, has come so far. */
export function hasBegun({ attempts }: RunFacts): boolean {
  return attempts.length > 0;
}

/** The plan of a flow has methods. */
export function isFlow(plan: readonly TaskDescription[]): boolean {
  return plan.some(({ method }) => method !== undefined);
}

/**
 * Returns the outputs of the tasks so far, in their order, the output that a person is asked about included: of a method that has
 * run several times, the last one counts.
 */
export function outputsOf(run: Run): readonly TaskOutput[] {
  const finished = run.finished.map(({ task, output }) => ({ task, output }));
  const waiting = run.status === 'waiting' ? [{ task: currentTask(run).name, output: run.output }] : [];
  return [...(run.restored ?? []), ...finished, ...waiting];
}

/** The state of a flow: its inputs, what its methods have put out, and its id. */
export function stateOf(run: Run): JsonObject {
  const outputs = Object.fromEntries(outputsOf(run).map(({ task, output }) => [task, output]));
  return { ...run.inputs, ...outputs, id: run.id };
}

/** Returns the id of a run in events: its `kickoff_id` until a request for feedback is answered, another id afterwards. */
export function eventExecutionId({ id, requests = [] }: RunFacts): string {
  return requests.findLast(({ answer }) => answer !== undefined)?.answer?.executionId ?? id;
}

/** The tasks whose code runs now: one, or those of a group that haven't run yet. */
export function dueTasks(run: Running): readonly PlannedTask[] {
  const current = currentTask(run);
  if (current.group === undefined || run.phase === 'finishing' || run.round > 1) return [current];
  return run.plan
    .slice(run.taskIndex)
    .filter(({ group, id }) => group === current.group && !isSkipped(run, id) && draftOf(run, id) === undefined);
}

export function isSkipped({ skipped = [] }: RunFacts, taskId: string): boolean {
  return skipped.includes(taskId);
}

/** The output of a task of a group that has run, but is still to be reviewed or finished in its turn. */
export function draftOf({ drafts = [] }: RunFacts, taskId: string): Draft | undefined {
  return drafts.find((draft) => draft.taskId === taskId);
}

type Draft = NonNullable<RunFacts['drafts']>[number];

/**
 * The feedback on a task's earlier rounds and the approval texts of what ran before it ("merged in full into the context
 * of the later task execution", specification, section 4.4).
 */
export function feedbackFor(run: RunFacts, task: PlannedTask): readonly Review[] {
  const before = tasksBefore(run, task);
  return run.reviews.filter(({ taskId, approved }) => taskId === task.id || (approved && before.includes(taskId)));
}

/** The task before this one, or all of the group before it; what was left out doesn't count. */
function tasksBefore(run: RunFacts, task: PlannedTask): readonly string[] {
  const isSameGroup = (one: PlannedTask, other: PlannedTask) => one.group !== undefined && one.group === other.group;
  const earlier = run.plan
    .slice(0, run.plan.indexOf(task))
    .filter((one) => !isSameGroup(one, task) && !isSkipped(run, one.id));
  const last = earlier.at(-1);
  if (last === undefined) return [];
  return earlier.filter((one) => one === last || isSameGroup(one, last)).map(({ id }) => id);
}

/** Returns the progress of a run. Tasks that were left out aren't counted. */
export function progressOf(run: Run): { readonly completed: number; readonly total: number } {
  const drafted = run.plan.filter(({ id, humanInput, finishes }) => {
    const isOpen = (humanInput && run.asksPeople) || finishes;
    return !isOpen && draftOf(run, id) !== undefined;
  });
  const finished = new Set(run.finished.map(({ taskId }) => taskId)).size;
  return { completed: finished + drafted.length, total: run.plan.length - (run.skipped?.length ?? 0) };
}

/** The names of the tasks that a run is working on. */
export function namesOfDue(run: Running): string {
  return dueTasks(run)
    .map(({ name }) => name)
    .join(', ');
}
