// The tasks of a run that Signoff knows of, each once, however often it was tried. The root message shows them as a plan.

import { declineOf, type Execution, taskNameOf } from '../state/execution.ts';
import { finalNo, type HumanRequest } from '../state/request.ts';
import { reviewedTasks } from './task-replies.ts';

export type PlannedTaskState =
  | { kind: 'done' | 'working' | 'undelivered' | 'undecided' | 'declined' | 'failed' }
  | { kind: 'waiting'; approvalId: string };

export interface PlannedTask {
  /** Unique within its run. */
  id: string;
  /** Null until the crew names the task. */
  name: string | null;
  state: PlannedTaskState;
}

/** A message can show no more: https://docs.slack.dev/reference/block-kit/blocks/plan-block */
const MOST_TASKS = 50;

/** Returns the tasks in the order in which they first appeared; of too many, the latest. */
export function planOf(execution: Execution): PlannedTask[] {
  const tasks = new Map<string, PlannedTask>();
  const reviews = reviewedTasks(execution);
  const taskIdsByName = new Map([
    ...[...reviews].map(([task, request]) => [task.name, request.question.taskId] as const),
    ...execution.requests.map((request) => [knownName(execution, request), request.question.taskId] as const),
  ]);
  taskIdsByName.delete(null);
  const addAsked = (requests: readonly HumanRequest[]) => {
    for (const request of requests) {
      const id = idOf(request.question.taskId, '');
      const name = knownName(execution, request) ?? tasks.get(id)?.name ?? null;
      tasks.set(id, { id, name, state: stateOf(request) });
    }
  };
  for (const task of execution.tasks) {
    const taskId = reviews.get(task)?.question.taskId ?? taskIdsByName.get(task.name) ?? null;
    // Requests that are older than the task's own come before it.
    const first = execution.requests.findIndex((request) => request.question.taskId === taskId);
    addAsked(execution.requests.slice(0, Math.max(0, first)));
    const id = idOf(taskId, task.name ?? `completion ${task.id}`);
    tasks.set(id, { id, name: task.name, state: { kind: 'done' } });
  }
  // A request says more than the completion of its task: a rejected task is worked on again.
  addAsked(execution.requests);
  const { current } = execution.progress;
  const isAnyOpen = [...tasks.values()].some(({ state }) => state.kind === 'working' || state.kind === 'waiting');
  const isKnown = [...tasks.values()].some(({ name }) => name === current);
  const isAtWork = execution.run.status === 'running' && declineOf(execution) === null;
  if (isAtWork && !isAnyOpen && current !== null && !isKnown)
    tasks.set(idOf(null, current), { id: idOf(null, current), name: current, state: { kind: 'working' } });
  return [...tasks.values()].slice(-MOST_TASKS).map((task) => ({ ...task, state: atEnd(execution, task.state) }));
}

function knownName(execution: Execution, { question: { taskId, taskName } }: HumanRequest): string | null {
  return taskName ?? taskNameOf(execution, taskId);
}

function idOf(taskId: string | null, otherwise: string): string {
  return taskId === null ? `name ${otherwise}` : `id ${taskId}`;
}

function stateOf(request: HumanRequest): PlannedTaskState {
  if (finalNo(request) && request.state.status !== 'failed') return { kind: 'declined' };
  switch (request.state.status) {
    case 'pending':
      return { kind: 'waiting', approvalId: request.id };
    case 'decided':
    case 'sending':
      return { kind: 'working' };
    case 'delivered':
      return { kind: request.state.decision.verdict === 'approve' ? 'done' : 'working' };
    case 'failed':
      return { kind: 'undelivered' };
    case 'expired':
      return { kind: 'undecided' };
    case 'declined':
      return { kind: 'declined' };
    case 'superseded':
      return { kind: request.state.by === 'declined' ? 'declined' : 'working' };
  }
}

/** Returns a task's state after the end of its run, when no task works or waits any more. */
function atEnd({ run }: Execution, state: PlannedTaskState): PlannedTaskState {
  const isOver = state.kind !== 'working' && state.kind !== 'waiting' && state.kind !== 'undelivered';
  if (isOver) return state;
  if (run.status === 'completed') return { kind: 'done' };
  return run.status === 'failed' ? { kind: 'failed' } : state;
}
