import { randomBytes, randomUUID } from 'node:crypto';
import type { Decision, FeedbackQuestion, Question } from '../crew-description.ts';
import type { Json } from '../json.ts';
import {
  currentTask,
  draftOf,
  dueTasks,
  type Failed,
  type FeedbackAnswer,
  type FeedbackRequest,
  isSkipped,
  newTaskId,
  type PlannedTask,
  type Run,
  type RunEvent,
  type RunFacts,
  type Running,
  type Waiting,
} from './run.ts';

/** A run after a transition, and the events its webhooks must receive. */
export type Change = { readonly run: Run; readonly events: readonly RunEvent[] };

/** Applies the output of a task that was due. */
export function completeTask(run: Running, task: PlannedTask, output: Json, now: number): Change {
  if (run.phase === 'finishing') return moveOn(run, output, now);
  const attempt = { task: task.name, round: run.round, startedAt: run.startedAt, finishedAt: now };
  const worked = { ...run, attempts: [...run.attempts, attempt] };
  const completed: RunEvent = { type: 'task', task, output, durationMs: now - run.startedAt };
  const next = isOfOpenGroup(run, task)
    ? settleGroup({ ...worked, drafts: [...(run.drafts ?? []), { taskId: task.id, output }] }, now)
    : conclude(worked, output, now);
  return { run: next.run, events: [completed, ...next.events] };
}

/**
 * Asks people in the middle of a task. What is asked counts as a task that is done and needs a review; it joins the plan with all
 * that waits beside it when it first waits.
 */
export function interrupt(run: Running, asking: PlannedTask, question: Question, now: number): Change {
  const { name, output, state } = question;
  if (!run.asksPeople) {
    const error = `It asks for human input (${name}), but the kickoff gave no human-input webhook: nobody can be asked.`;
    return { run: fail(run, error, now), events: [{ type: 'failed', task: asking, error }] };
  }
  const plan = planOfCalls(run, asking, question);
  const task = plan.find(({ askedBy, call }) => askedBy === asking.id && call === question.call);
  if (task === undefined) throw new RangeError(`The call ${question.call} isn't among those that wait.`);
  const round = reviewsOf(run, task).length + 1;
  const attempt = { task: name, round, startedAt: run.startedAt, finishedAt: now };
  const facts = { ...factsOf(run), plan, attempts: [...run.attempts, attempt] };
  return {
    run: {
      ...{ ...facts, taskIndex: plan.indexOf(task), round },
      ...{ status: 'waiting', output, waitingSinceAt: now, state },
    },
    events: [
      { type: 'task', task, output, durationMs: now - run.startedAt },
      { type: 'human-input', task, output },
    ],
  };
}

/**
 * The plan with a task for each call that waits. A call that waited before keeps its task, and one that follows a rejection is the
 * next round of the rejected task; any other call has a task of its own, also where an approved one had the same name.
 */
function planOfCalls(run: Running, asking: PlannedTask, { calls }: Question): readonly PlannedTask[] {
  const described = { role: '', goal: '', description: '', expectedOutput: '', humanInput: true, finishes: false };
  const isWaiting = ({ call }: PlannedTask) => calls.some(({ id }) => id === call);
  return calls.reduce((plan, { id: call, name, agent }) => {
    const own = plan.filter((task) => task.askedBy === asking.id && task.name === name);
    const open = own.filter((task) => reviewsOf(run, task).at(-1)?.approved !== true);
    if (open.some((task) => task.call === call)) return plan;
    const retried = open.find((task) => !isWaiting(task));
    if (retried) return plan.map((task) => (task === retried ? { ...task, call } : task));
    // An approved call that asks again, as an interrupt may, is another one from now on.
    const others = plan.map((task) => (own.includes(task) && task.call === call ? { ...task, call: undefined } : task));
    const task = { id: newTaskId(name, { ...run, plan }), name, agent, ...described, askedBy: asking.id, call };
    const place = others.findIndex(({ id }) => id === asking.id);
    return others.toSpliced(place, 0, task);
  }, run.plan);
}

function reviewsOf({ reviews }: Running, { id }: PlannedTask) {
  return reviews.filter(({ taskId }) => taskId === id);
}

/** Leaves a due task out, whose condition doesn't hold. */
export function skipTask(run: Running, { id }: PlannedTask, now: number): Change {
  return settleGroup({ ...run, skipped: [...(run.skipped ?? []), id] }, now);
}

function isOfOpenGroup(run: Running, { group }: PlannedTask): boolean {
  return group !== undefined && run.round === 1;
}

/** Once all tasks of a group have run, their turns come: to be reviewed, to be finished. */
function settleGroup(run: Running, now: number): Change {
  const { group } = currentTask(run);
  const isOpen = group !== undefined && dueTasks(run).length > 0;
  return isOpen ? { run, events: [] } : enter(run, run.taskIndex, now);
}

/** Applies a person's verdict on the pending output: approval moves on, rejection starts the next round. */
export function judge(
  run: Waiting,
  verdict: { readonly approved: boolean; readonly text: string },
  now: number,
): Change {
  const task = currentTask(run);
  const review = { taskId: task.id, task: task.name, round: run.round, ...verdict, at: now };
  const judged = { ...run, reviews: [...run.reviews, review] };
  if (task.askedBy !== undefined) return goOn(judged, { ...verdict, state: run.state ?? {} }, now);
  if (verdict.approved) return task.finishes ? finish(judged, run.output, now) : moveOn(judged, run.output, now);
  const next = { taskIndex: run.taskIndex, round: run.round + 1, startedAt: now, previous: run.output };
  return { run: { ...factsOf(judged), ...next, status: 'running', phase: 'working' }, events: [] };
}

/** The task that has asked goes on with the decision, whatever that is. */
function goOn(run: Waiting, decision: Decision, now: number): Change {
  const { id, name, agent, askedBy } = currentTask(run);
  const approved = decision.approved ? [{ taskId: id, task: name, agent, output: run.output }] : [];
  const taskIndex = run.plan.findIndex((task) => task.id === askedBy);
  const ids = run.plan.filter((task) => task.askedBy === askedBy).map((task) => task.id);
  // Each turn has checkpoints of its own.
  const turns = run.reviews.filter(({ taskId }) => ids.includes(taskId)).length;
  return {
    run: {
      ...{ ...factsOf(run), finished: [...run.finished, ...approved], taskIndex, round: turns + 1 },
      ...{ status: 'running', startedAt: now, phase: 'working', decision },
    },
    events: [],
  };
}

export function fail(run: Running, error: string, now: number): Failed {
  return { ...factsOf(run), status: 'failed', error, endedAt: now };
}

/** Starts a task again from its last checkpoint. */
export function tryAgain(run: Running, { id }: PlannedTask): Running {
  return { ...run, tries: { ...run.tries, [id]: triesOf(run, id) + 1 } };
}

export function triesOf({ tries = {} }: Running, taskId: string): number {
  return tries[taskId] ?? 0;
}

/** Counts a failure of a run that has ended its process. */
export function startAgain(run: Running, now: number): Running {
  return { ...run, processEnds: (run.processEnds ?? 0) + 1, startedAt: now };
}

/** Takes a person's answer to the request of a flow, and goes on by its outcome. */
export function answer(run: Waiting, feedback: Omit<FeedbackAnswer, 'at' | 'executionId'>, now: number): Change {
  const [pending, ...earlier] = [...(run.requests ?? [])].reverse();
  if (pending === undefined) throw new RangeError(`Run ${run.id} waits for no feedback.`);
  const answered = { ...pending, answer: { ...feedback, at: now, executionId: randomUUID() } };
  return moveOn({ ...run, requests: [...earlier.reverse(), answered] }, run.output, now, feedback.outcome);
}

/** Goes on with the output of the current task, which may need a person's review or the crew's last touch. */
function conclude(run: Running, output: Json, now: number): Change {
  const task = currentTask(run);
  if (task.method?.humanFeedback) return ask(run, task.method.humanFeedback, output, now);
  if (!task.humanInput || !run.asksPeople) return task.finishes ? finish(run, output, now) : moveOn(run, output, now);
  return {
    run: { ...factsOf(run), ...positionOf(run), status: 'waiting', output, waitingSinceAt: now },
    events: [{ type: 'human-input', task, output }],
  };
}

function ask(run: Running, { message, outcomes, defaultOutcome }: FeedbackQuestion, output: Json, now: number): Change {
  const request: FeedbackRequest = {
    id: randomUUID(),
    token: randomBytes(32).toString('hex'),
    method: currentTask(run).name,
    message,
    outcomes: outcomes.map(({ name }) => name),
    defaultOutcome: defaultOutcome ?? null,
    output,
    createdAt: now,
  };
  const facts = { ...factsOf(run), requests: [...(run.requests ?? []), request] };
  return {
    run: { ...facts, ...positionOf(run), status: 'waiting', output, waitingSinceAt: now },
    events: [{ type: 'human-feedback', request }],
  };
}

function finish(run: Running | Waiting, output: Json, now: number): Change {
  const state = { status: 'running', startedAt: now, previous: output, phase: 'finishing' } as const;
  return { run: { ...factsOf(run), ...positionOf(run), ...state }, events: [] };
}

function moveOn(run: Running | Waiting, output: Json, now: number, outcome: string | null = null): Change {
  const { id, name, agent } = currentTask(run);
  const finished = [...run.finished, { taskId: id, task: name, agent, output }];
  return enter({ ...factsOf(run), finished }, indexAfter(run, outcome), now);
}

/** A crew goes on with the task that stands next, a flow with the method that is named, or it ends. */
function indexAfter(run: Running | Waiting, outcome: string | null): number {
  const { method } = currentTask(run);
  if (method === undefined) return run.taskIndex + 1;
  const chosen = method.humanFeedback?.outcomes.find(({ name }) => name === outcome);
  const { next } = chosen ?? method;
  const index = run.plan.findIndex(({ name }) => name === next);
  return index === -1 ? run.plan.length : index;
}

/** Comes to the task at an index of the plan: it may have been left out, or have run already with its group. */
function enter(facts: RunFacts, taskIndex: number, now: number): Change {
  const task = facts.plan[taskIndex];
  if (task === undefined) {
    const result = facts.finished.at(-1)?.output ?? null;
    const ended = { ...factsOf(facts), status: 'completed', result, endedAt: now } as const;
    return { run: ended, events: [{ type: 'crew', result, finished: facts.finished }] };
  }
  if (isSkipped(facts, task.id)) return enter(facts, taskIndex + 1, now);
  const draft = draftOf(facts, task.id);
  const drafts = facts.drafts?.filter((one) => one !== draft);
  const run: Running = {
    ...{ ...factsOf(facts), drafts, taskIndex },
    ...{ status: 'running', round: timesRun(facts, task) + 1, startedAt: now, phase: 'working' },
  };
  return draft ? conclude(run, draft.output, now) : { run, events: [] };
}

/** A method of a flow may run several times. */
function timesRun({ finished }: RunFacts, { id }: PlannedTask): number {
  return finished.filter(({ taskId }) => taskId === id).length;
}

function positionOf({ taskIndex, round }: Running | Waiting) {
  return { taskIndex, round };
}

function factsOf(run: RunFacts): RunFacts {
  const { id, executionId, crew, startedBy, inputs, typedInputs, plan, hasTellingIds, script } = run;
  const { asksPeople, addresses, idempotency } = run;
  const { finished, skipped, drafts, reviews, requests, restored, attempts, usage, processEnds } = run;
  const { createdAt, version } = run;
  return {
    ...{ id, executionId, crew, startedBy, inputs, typedInputs, plan, hasTellingIds, script, asksPeople, addresses },
    idempotency,
    ...{ finished, skipped, drafts, reviews, requests, restored, attempts, usage, processEnds },
    ...{ createdAt, version },
  };
}
