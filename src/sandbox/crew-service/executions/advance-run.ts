import type { Json } from '../json.ts';
import { currentTask, type Failed, type Run, type RunEvent, type RunFacts, type Running, type Waiting } from './run.ts';

/** A run after a transition, and the events its webhooks must receive. */
export type Change = { readonly run: Run; readonly events: readonly RunEvent[] };

/** Applies the output of the current task. */
export function completeTask(run: Running, output: Json, now: number): Change {
  const task = currentTask(run);
  const attempt = { task: task.name, round: run.round, startedAt: run.startedAt, finishedAt: now };
  if (run.phase === 'finishing') return moveOn(run, output, now);
  const worked = { ...run, attempts: [...run.attempts, attempt] };
  const completed: RunEvent = { type: 'task', task, output, durationMs: now - run.startedAt };
  if (!task.humanInput || !run.asksPeople) {
    const next = task.finishes ? finish(worked, output, now) : moveOn(worked, output, now);
    return { run: next.run, events: [completed, ...next.events] };
  }
  return {
    run: { ...factsOf(worked), ...positionOf(run), status: 'waiting', output, waitingSinceAt: now },
    events: [completed, { type: 'human-input', task, output }],
  };
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
  if (verdict.approved) return task.finishes ? finish(judged, run.output, now) : moveOn(judged, run.output, now);
  const next = { taskIndex: run.taskIndex, round: run.round + 1, startedAt: now, previous: run.output };
  return { run: { ...factsOf(judged), ...next, status: 'running', phase: 'working' }, events: [] };
}

export function fail(run: Running, error: string, now: number): Failed {
  return { ...factsOf(run), status: 'failed', error, endedAt: now };
}

function finish(run: Running | Waiting, output: Json, now: number): Change {
  return {
    run: {
      ...factsOf(run),
      ...positionOf(run),
      status: 'running',
      startedAt: now,
      previous: output,
      phase: 'finishing',
    },
    events: [],
  };
}

function moveOn(run: Running | Waiting, output: Json, now: number): Change {
  const { id, name, agent } = currentTask(run);
  const finished = [...run.finished, { taskId: id, task: name, agent, output }];
  const facts = { ...factsOf(run), finished };
  const taskIndex = run.taskIndex + 1;
  if (taskIndex >= run.plan.length) {
    return {
      run: { ...facts, status: 'completed', result: output, endedAt: now },
      events: [{ type: 'crew', result: output, finished }],
    };
  }
  return { run: { ...facts, status: 'running', taskIndex, round: 1, startedAt: now, phase: 'working' }, events: [] };
}

function positionOf({ taskIndex, round }: Running | Waiting) {
  return { taskIndex, round };
}

function factsOf(run: Running | Waiting): RunFacts {
  const { id, executionId, crew, startedBy, inputs, plan, script, asksPeople, addresses } = run;
  const { finished, reviews, attempts, createdAt, version } = run;
  return {
    id,
    executionId,
    crew,
    startedBy,
    inputs,
    plan,
    script,
    asksPeople,
    addresses,
    finished,
    reviews,
    attempts,
    createdAt,
    version,
  };
}
