import { recordCompletion, recordStep, recordTask } from '../../../src/core/execution/run.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { postOf } from '../../../src/core/state/message.ts';
import { request } from '../../support/executions.ts';
import { JON, output, permittedTo, RULES, textOf } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

/** How a run goes: what arrives first of a task that asks for human input, and how long after both a person decides. */
export interface Course {
  first: 'task' | 'request';
  thinkingMs: number;
}

interface TimedEvent {
  at: number;
  change: Change;
}

type Change = (execution: Execution, now: number) => Execution;

const STEP_MS = 900;
const STEPS_A_TASK = 10;
const TASKS = 5;
/** Between the two notifications of a task that asks for human input. */
const NOTIFICATIONS_MS = 200;

/** What the crew and a person do in a run of five tasks and fifty steps; the second and the fourth task ask for human input. */
export function fiveTasks(startAt: number, { first, thinkingMs }: Course): TimedEvent[] {
  const events: TimedEvent[] = [];
  let at = startAt;
  const then = (delayMs: number, change: Change) => {
    at += delayMs;
    events.push({ at, change });
  };
  for (let task = 1; task <= TASKS; task++) {
    for (let step = 0; step < STEPS_A_TASK; step++) then(STEP_MS, (each, now) => recordStep(each, eventOf(each), now));
    const completed = completion(task);
    if (task % 2 === 1) {
      then(0, completed);
      continue;
    }
    const both = first === 'task' ? [completed, requested(task)] : [requested(task), completed];
    for (const change of both) then(NOTIFICATIONS_MS, change);
    then(thinkingMs, approved);
  }
  then(0, (each, now) => recordCompletion(each, { ...eventOf(each), result: outputOf(TASKS) }, now));
  return events;
}

const outputOf = (task: number) => output(`task ${task}`);

function eventOf({ hop, kickoffIds }: Execution) {
  return { hop, kickoffId: kickoffIds.at(-1) ?? null };
}

function completion(task: number): Change {
  const told = { name: `task ${task}`, agent: null, summary: 'done', output: outputOf(task) };
  return (execution, now) => recordTask(execution, { ...eventOf(execution), ...told }, now);
}

function requested(task: number): Change {
  const asked = { taskId: `${task}`, taskName: null, output: outputOf(task) };
  return (execution, now) => valueFrom(ask(execution, request({ ...eventOf(execution), ...asked }), now, RULES));
}

function approved(execution: Execution, now: number): Execution {
  const open = execution.requests.find(
    ({ id: approvalId, state: { status } }) =>
      status === 'pending' && postOf(execution, { kind: 'card', approvalId })?.status === 'posted',
  );
  const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
  const id = open?.id ?? 'none with a card';
  return valueFrom(decide(execution, id, { choice, ...permittedTo(JON), ...textOf(execution, id) }, now));
}
