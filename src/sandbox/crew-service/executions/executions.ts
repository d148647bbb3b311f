import { randomUUID } from 'node:crypto';
import type { Crew } from '../define-crew.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { KickoffRequest, ResumeRequest } from '../dialects/parse-request.ts';
import { maySee } from '../http/access.ts';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { Store } from '../redis/store.ts';
import type { Stage } from '../sandbox-api/gates.ts';
import { type ScriptedCrew, type ScriptedTask, taskOfScript } from '../sandbox-api/scripted-crew.ts';
import { type Delivery, deliveriesFor } from '../webhooks/delivery.ts';
import { type Change, judge } from './advance-run.ts';
import { type Caller, currentTask, type PlannedTask, type Run, type Waiting } from './run.ts';

/** Starts, finds and resumes executions. A change is stored before it is answered. */
export interface Executions {
  kickoff(crew: Crew | ScriptedCrew, caller: Caller, request: KickoffRequest): Promise<Outcome<Run>>;
  /** The run with this `kickoff_id`, if it is the crew's and the caller may see it. */
  find(crew: string, caller: Caller, id: string): Promise<Run | undefined>;
  /** The run that goes on; undefined where the dialect accepts a resume that nothing comes of. */
  resume(crew: string, caller: Caller, request: ResumeRequest): Promise<Outcome<Run | undefined>>;
}

type ExecutionsParts = {
  readonly store: Store;
  readonly stage: Stage;
  readonly dialect: Dialect;
  readonly drive: (runId: string) => void;
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  /** Goes on with a run that may have been stored, and with what it owes. */
  readonly pickUp: (run: Run) => void;
};

export function createExecutions({ store, stage, dialect, drive, deliver, pickUp }: ExecutionsParts): Executions {
  async function find(crew: string, caller: Caller, id: string): Promise<Run | undefined> {
    const run = await store.load(id);
    return run?.crew === crew && maySee(caller, run) ? run : undefined;
  }

  /** Answers undefined where the run has changed meanwhile. */
  async function put({ run, events }: Change): Promise<Run | undefined> {
    const deliveries = deliveriesFor(run, events, dialect, Date.now());
    const write = { run, deliveries, writeId: randomUUID() };
    const stored = await store.commit(write).catch((error: unknown) => {
      // It may be stored all the same. Then somebody must work on it, although nobody is told.
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
      const stored = await put(judge({ ...pending.value, addresses }, request, Date.now()));
      if (stored) return ok(stored);
    }
  }

  /** There is no guard against a second resume of the same pause: it opens a parallel run. */
  async function resumeInNewRun(
    crew: string,
    caller: Caller,
    request: ResumeRequest,
  ): Promise<Outcome<Run | undefined>> {
    const named = await find(crew, caller, request.executionId);
    const chain = named ? await store.runsOf(named.executionId) : [];
    const paused = chain.findLast(
      (run): run is Waiting => run.status === 'waiting' && currentTask(run).id === request.taskId,
    );
    if (paused === undefined) return ok(undefined);
    const addresses = dialect.addressesAfterResume(paused.addresses, request.addresses);
    const now = Date.now();
    const opened = { ...paused, id: randomUUID(), version: 0, createdAt: now, addresses };
    return ok(await put(judge(opened, request, now)));
  }

  return {
    find,
    async kickoff(crew, caller, { inputs, addresses }) {
      const { missing, invalid } = crew.checkInputs(inputs);
      if (invalid.length > 0) return refuse({ kind: 'malformed', message: `Invalid inputs: ${invalid.join('; ')}` });
      if (missing.length > 0) return refuse({ kind: 'missing-inputs', names: missing });
      const script = crew.kind === 'scripted' ? ((await stage.scriptOf(crew.name)) ?? crew.script) : undefined;
      const run = newRun(crew, script, { caller, inputs, addresses, plan: planOf(crew, script, stage) });
      const stored = await put({ run, events: [] });
      return stored ? ok(stored) : refuse({ kind: 'fault', message: 'The execution could not be stored.' });
    },
    resume: dialect.resumes === 'in-place' ? resumeInPlace : resumeInNewRun,
  };
}

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

function planOf(crew: Crew | ScriptedCrew, script: readonly ScriptedTask[] | undefined, stage: Stage): PlannedTask[] {
  const tasks = crew.kind === 'coded' ? crew.tasks : (script ?? []).map((task) => taskOfScript(task, stage));
  return tasks.map(({ name, agent, description, expectedOutput, humanInput, whenApproved }) => {
    return {
      id: randomUUID(),
      name,
      agent,
      description,
      expectedOutput,
      humanInput,
      finishes: whenApproved !== undefined,
    };
  });
}

type Start = KickoffRequest & { readonly caller: Caller; readonly plan: readonly PlannedTask[] };

function newRun(crew: Crew | ScriptedCrew, script: readonly ScriptedTask[] | undefined, start: Start): Run {
  const id = randomUUID();
  const now = Date.now();
  return {
    id,
    executionId: id,
    crew: crew.name,
    startedBy: start.caller,
    inputs: start.inputs,
    plan: start.plan,
    script,
    asksPeople: start.addresses.humanInput !== undefined,
    addresses: start.addresses,
    finished: [],
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
