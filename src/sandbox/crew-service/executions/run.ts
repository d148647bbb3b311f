// What a run is, and which of its tasks are due.
import { randomUUID } from 'node:crypto';
import type { Decision, TaskDescription, TaskOutput, TokenUsage } from '../crew-description.ts';
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
  readonly stream?: EventStream | undefined;
  readonly meta: JsonObject;
};

/** Where the events of a run are streamed to, beside the other addresses (dialect `flows`). */
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
  /** Of what a task's code asks people in the middle of its work: that task's id. It stands before it in the plan. */
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

/** A flow's request for a person's feedback. */
export type FeedbackRequest = {
  readonly id: string;
  /** With which an answer is taken from outside, once. */
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
  /** Where it was given: in the dashboard, or by an app that has called back. */
  readonly via: 'dashboard' | 'callback';
  /** The name that the app gives itself. */
  readonly source: string | null;
  readonly at: number;
  /** What the execution is called in events from then on. */
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
  /** What the crew's schema made of them, for its tasks. */
  readonly typedInputs?: string | undefined;
  readonly plan: readonly PlannedTask[];
  /** Whether the ids of tasks tell their names. Default: they are UUIDs. */
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
  /** What tasks of the current group have returned, until their turn to be reviewed and finished. Default: none. */
  readonly drafts?: readonly { readonly taskId: string; readonly output: Json }[] | undefined;
  readonly reviews: readonly Review[];
  /** Of a flow: what people were asked, oldest first; only the last one may be without an answer. Default: none. */
  readonly requests?: readonly FeedbackRequest[] | undefined;
  /** Of a flow that continues the state of another run: what that run's methods had put out. */
  readonly restored?: readonly TaskOutput[] | undefined;
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
  /** On what the task's code has asked last. */
  readonly decision?: Decision | undefined;
};

export type Waiting = RunFacts & {
  readonly status: 'waiting';
  readonly taskIndex: number;
  readonly round: number;
  readonly output: Json;
  readonly waitingSinceAt: number;
  /** Of the code that asks in the middle of its task. */
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

/** What goes to an address of its kind: a request for feedback goes to that of the dashboard, and only streams tell of failures. */
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

/** Whether a task of the run has done its work: each run that waits for a person, or was resumed, has come so far. */
export function hasBegun({ attempts }: RunFacts): boolean {
  return attempts.length > 0;
}

/** The plan of a flow has methods. */
export function isFlow(plan: readonly TaskDescription[]): boolean {
  return plan.some(({ method }) => method !== undefined);
}

/**
 * What the tasks have put out so far, in their order, the output that a person is asked about included: of a method that has
 * run several times, the last one counts.
 */
export function outputsOf(run: Run): readonly TaskOutput[] {
  const finished = run.finished.map(({ task, output }) => ({ task, output }));
  const asked = run.status === 'waiting' ? [{ task: currentTask(run).name, output: run.output }] : [];
  return [...(run.restored ?? []), ...finished, ...asked];
}

/** The state of a flow: its inputs, what its methods have put out, and its id. */
export function stateOf(run: Run): JsonObject {
  const outputs = Object.fromEntries(outputsOf(run).map(({ task, output }) => [task, output]));
  return { ...run.inputs, ...outputs, id: run.id };
}

/** What a run is called in events: its `kickoff_id` until a request for feedback is answered, another id afterwards. */
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

/** How far a run is. Tasks that were left out aren't counted. */
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
