import { randomUUID } from 'node:crypto';
import type { CheckedInputs, TaskOutput } from '../crew-description.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { KickoffRequest, ResumeRequest } from '../dialects/parse-request.ts';
import { errorMessage } from '../error-message.ts';
import { type Outcome, ok, type Problem, refuse } from '../http/answer.ts';
import type { Store } from '../redis/store.ts';
import { descriptionOfScript, type ScriptedTask, type Scripts } from '../sandbox-api/scripted-crew.ts';
import type { Notify } from '../webhooks/delivery.ts';
import { answer, type Change, judge } from './advance-run.ts';
import type { CrewCode } from './crew-code.ts';
import { outcomeOf } from './feedback-outcome.ts';
import {
  type Caller,
  currentTask,
  type FeedbackAnswer,
  type Idempotency,
  isFlow,
  newTaskId,
  outputsOf,
  type PlannedTask,
  type Run,
  type Waiting,
} from './run.ts';

/** Starts, finds and resumes executions. Changes are stored before they are acknowledged. */
export interface Executions {
  /** Starts an execution. If the request repeats one, resolves to the run that was started then. */
  kickoff(crew: CrewCode, caller: Caller, request: KickoffRequest & Repeatable): Promise<Outcome<Run>>;
  /** The run with this `kickoff_id`, if it belongs to the crew and the caller may see it. */
  find(crew: string, caller: Caller, id: string): Promise<Run | undefined>;
  /** The run that continues; undefined if the dialect accepts a resume without effect. */
  resume(crew: string, caller: Caller, request: ResumeRequest): Promise<Outcome<Run | undefined>>;
  /** The run of a flow that has made this request for feedback. */
  askedIn(requestId: string): Promise<Run | undefined>;
  /**
   * Takes the first answer to a request, and has the flow go on. Resolves to the answer that counts, and whether it is this one.
   * Rejects with `RangeError` if there is no such request.
   */
  answer(
    requestId: string,
    given: GivenFeedback,
  ): Promise<{ readonly taken: boolean; readonly answer: FeedbackAnswer }>;
}

type Repeatable = Pick<Run, 'idempotency'>;

/** Feedback as it came, and from where. */
export type GivenFeedback = Pick<FeedbackAnswer, 'feedback' | 'via' | 'source'>;

type ExecutionsParts = Notify & {
  readonly store: Store;
  readonly scripts: Scripts;
  readonly dialect: Dialect;
  readonly maySee: (caller: Caller, run: Run) => boolean;
  readonly drive: (runId: string) => void;
  /** Continues a run, and its pending deliveries, that may or may not have been stored. */
  readonly pickUp: (run: Run) => void;
};

export function createExecutions(parts: ExecutionsParts): Executions {
  const { store, scripts, dialect, deliveriesFor, maySee, drive, deliver, pickUp } = parts;

  async function find(crew: string, caller: Caller, id: string): Promise<Run | undefined> {
    const run = await store.load(id);
    return run?.crew === crew && maySee(caller, run) ? run : undefined;
  }

  /** Resolves to undefined if the run has changed in the meantime. */
  async function put(change: Change, before: Run | undefined): Promise<Run | undefined> {
    const { run } = change;
    const deliveries = deliveriesFor(change, before);
    const write = { run, deliveries, writeId: randomUUID() };
    const stored = await store.commit(write).catch((error: unknown) => {
      // The write may have succeeded even though its answer was lost, so the run has to be driven anyway.
      pickUp(run);
      throw error;
    });
    if (stored === undefined) return undefined;
    deliver(deliveries);
    drive(stored.id);
    return stored;
  }

  async function resumeInPlace(crew: string, caller: Caller, request: ResumeRequest): Promise<Outcome<Run>> {
    for (;;) {
      const run = await find(crew, caller, request.executionId);
      const pending = pendingFor(run, request);
      if (!pending.ok) return pending;
      const addresses = dialect.addressesAfterResume(pending.value.addresses, request.addresses);
      const stored = await put(judge({ ...pending.value, addresses }, request, Date.now()), pending.value);
      if (stored) return ok(stored);
    }
  }

  /** Deployed services don't guard against a second resume of the same pause: it starts a parallel run. */
  async function resumeInNewRun(
    crew: string,
    caller: Caller,
    request: ResumeRequest,
  ): Promise<Outcome<Run | undefined>> {
    const target = await find(crew, caller, request.executionId);
    const runs = target ? await store.runsOf(target.executionId) : [];
    const paused = runs.findLast(
      (run): run is Waiting => run.status === 'waiting' && currentTask(run).id === request.taskId,
    );
    if (paused === undefined) return ok(undefined);
    const addresses = dialect.addressesAfterResume(paused.addresses, request.addresses);
    const now = Date.now();
    // A run of its own would give what asked in the middle of its work the decision twice, at a second resume.
    const isAsked = currentTask(paused).askedBy !== undefined;
    const opened = isAsked ? paused : { ...paused, id: randomUUID(), version: 0, createdAt: now };
    return ok(await put(judge({ ...opened, addresses }, request, now), paused));
  }

  /** Undefined for a kickoff that repeats none. */
  async function startedBefore(idempotency: Idempotency | undefined): Promise<Outcome<Run> | undefined> {
    if (idempotency === undefined) return undefined;
    const [id, ...others] = await store.startedWith(idempotency.keys);
    const run = id === undefined ? undefined : await store.load(id);
    if (run === undefined) return undefined;
    return others.length === 0 && run.idempotency?.request === idempotency.request ? ok(run) : refuse(KEY_REUSED);
  }

  async function askedIn(requestId: string): Promise<Run | undefined> {
    const runId = await store.runOfRequest(requestId);
    return runId === null ? undefined : store.load(runId);
  }

  return {
    find,
    askedIn,
    async kickoff(crew, caller, { addresses, idempotency, ...request }) {
      const before = await startedBefore(idempotency);
      if (before) return before;
      const source = request.restoreFromStateId && (await find(crew.name, caller, request.restoreFromStateId));
      // The flow begins anew without such a run, as deployed services do.
      const restored = source && isFlow(source.plan) ? source : undefined;
      const inputs = { ...restored?.inputs, ...request.inputs };
      const checked = await crew.checkInputs(inputs).catch(faultOf);
      if ('problem' in checked) return refuse(checked.problem);
      if (!checked.ok) return refuse(problemWith(checked));
      const script = crew.script && ((await scripts.get(crew.name)) ?? crew.script);
      const run = newRun(crew, script, {
        ...{ caller, inputs: checked.inputs, typedInputs: checked.typed, addresses, idempotency },
        restored: restored && outputsOf(restored),
        hasTellingIds: dialect.hasTellingIds,
      });
      const stored = await put({ run, events: [] }, undefined);
      if (stored) return ok(stored);
      // Two requests for the same kickoff came at once.
      return (
        (await startedBefore(idempotency)) ?? refuse({ kind: 'fault', message: 'The execution could not be stored.' })
      );
    },
    async answer(requestId, given) {
      for (let isTaken = false; ; ) {
        const run = await askedIn(requestId);
        const request = run?.requests?.find(({ id }) => id === requestId);
        if (!run || !request) throw new RangeError(`There is no request for feedback ${requestId}.`);
        if (request.answer) return { taken: isTaken, answer: request.answer };
        if (run.status !== 'waiting') throw new RangeError(`Run ${run.id} waits for no feedback.`);
        const outcome = outcomeOf(given.feedback, request);
        isTaken = (await put(answer(run, { ...given, outcome }, Date.now()), run)) !== undefined;
      }
    },
    resume: dialect.resumes === 'in-place' ? resumeInPlace : resumeInNewRun,
  };
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ (Error Scenarios) */
const KEY_REUSED: Problem = {
  kind: 'key-reused',
  message:
    'Another kickoff was sent with this Idempotency-Key or meta.requestId. Repeat a kickoff as it was, and give a new one another key.',
};

function pendingFor(run: Run | undefined, { executionId, taskId }: ResumeRequest): Outcome<Waiting> {
  if (run === undefined) return refuse({ kind: 'not-found', message: `There is no execution ${executionId}.` });
  if (run.status !== 'waiting') {
    return refuse({
      kind: 'not-pending',
      message: `Execution ${executionId} is not pending human input: it is ${run.status}.`,
    });
  }
  const task = currentTask(run);
  if (task.id !== taskId) {
    return refuse({
      kind: 'not-pending',
      message: `Execution ${executionId} is pending human input for task ${task.id}, not for ${taskId}.`,
    });
  }
  return ok(run);
}

/** The crew's own code checks inputs. */
function faultOf(error: unknown): { readonly problem: Problem } {
  return { problem: { kind: 'fault', message: `The inputs could not be checked: ${errorMessage(error)}` } };
}

function problemWith({ missing, invalid }: Extract<CheckedInputs, { ok: false }>): Problem {
  if (invalid.length > 0) return { kind: 'malformed', message: `Invalid inputs: ${invalid.join('; ')}` };
  return { kind: 'missing-inputs', names: missing };
}

type Start = Pick<KickoffRequest, 'inputs' | 'addresses'> &
  Repeatable & {
    readonly caller: Caller;
    readonly typedInputs: string | undefined;
    readonly hasTellingIds: boolean;
    readonly restored: readonly TaskOutput[] | undefined;
  };

function newRun(crew: CrewCode, script: readonly ScriptedTask[] | undefined, start: Start): Run {
  const { hasTellingIds } = start;
  const tasks = script?.map(descriptionOfScript) ?? crew.tasks;
  const plan: PlannedTask[] = [];
  for (const task of tasks) plan.push({ id: newTaskId(task.name, { plan, hasTellingIds }), ...task });
  const id = randomUUID();
  const now = Date.now();
  return {
    id,
    executionId: id,
    crew: crew.name,
    startedBy: start.caller,
    inputs: start.inputs,
    typedInputs: start.typedInputs,
    ...{ plan, hasTellingIds },
    script,
    asksPeople: start.addresses.humanInput !== undefined,
    addresses: start.addresses,
    idempotency: start.idempotency,
    finished: [],
    restored: start.restored,
    reviews: [],
    attempts: [],
    createdAt: now,
    version: 0,
    status: 'running',
    taskIndex: 0,
    round: 1,
    startedAt: now,
    phase: 'working',
  };
}
