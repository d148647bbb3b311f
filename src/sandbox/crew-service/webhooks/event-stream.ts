// The events that deployed services stream to callers who ask for them at kickoff:
// https://docs.crewai.com/en/enterprise/features/webhook-streaming
import { randomUUID } from 'node:crypto';
import type { Change } from '../executions/advance-run.ts';
import {
  dueTasks,
  eventExecutionId,
  isFlow,
  type PlannedTask,
  type Run,
  type RunEvent,
  stateOf,
} from '../executions/run.ts';
import { asText, isObject, type Json, type JsonObject } from '../json.ts';
import type { Notification } from './notification.ts';

type StreamEvent = { readonly type: string; readonly data: JsonObject };

/**
 * Returns the notifications for the stream of a run, if it has one, about a change: the events that were asked for, each alone or all together.
 * @param before undefined at kickoff
 */
export function streamed({ run, events }: Change, before: Run | undefined, now: number): Notification[] {
  const { stream } = run.addresses;
  if (stream === undefined) return [];
  const { url, authentication, realtime } = stream;
  const happened = [
    ...beginning(run, before),
    ...events.flatMap((event) => streamEvents(event, run)),
    ...starts(run, before),
  ];
  const told = happened
    .filter(({ type }) => stream.events.includes(type))
    .map(({ type, data }) => ({
      ...{ id: randomUUID(), execution_id: eventExecutionId(run), timestamp: new Date(now).toISOString(), type, data },
    }));
  const batches = realtime ? told.map((event) => [event]) : [told].filter(({ length }) => length > 0);
  return batches.map((batch) => ({ kind: 'events', url, authentication, body: { events: batch } }));
}

/** A flow begins again after each answer, without its inputs: captured from a deployed service. */
function beginning(run: Run, before: Run | undefined): StreamEvent[] {
  const { crew, inputs } = run;
  if (isFlow(run.plan)) {
    if (before === undefined)
      return [{ type: 'flow_started', data: { flow_name: crew, inputs: { ...inputs, id: run.id } } }];
    const isAnswered = eventExecutionId(run) !== eventExecutionId(before);
    return isAnswered ? [{ type: 'flow_started', data: { flow_name: crew } }] : [];
  }
  return before === undefined ? [{ type: 'crew_kickoff_started', data: { crew_name: crew, inputs } }] : [];
}

/** The tasks whose code runs from now on. */
function starts(run: Run, before: Run | undefined): StreamEvent[] {
  const keys = before === undefined ? [] : workIn(before).map(({ key }) => key);
  const started = workIn(run).filter(({ key }) => !keys.includes(key));
  return started.flatMap(({ task }): StreamEvent[] => {
    if (isFlow(run.plan))
      return [{ type: 'method_execution_started', data: { ...methodOf(task, run), state: stateOf(run) } }];
    return [
      { type: 'task_started', data: { ...namesOf(task), description: task.description } },
      { type: 'agent_execution_started', data: { ...namesOf(task), task_prompt: task.description } },
    ];
  });
}

function workIn(run: Run): { readonly key: string; readonly task: PlannedTask }[] {
  if (run.status !== 'running' || run.phase === 'finishing') return [];
  return dueTasks(run).map((task) => ({ key: `${run.id} ${task.id} ${run.round}`, task }));
}

function streamEvents(event: RunEvent, run: Run): StreamEvent[] {
  switch (event.type) {
    case 'human-input':
    case 'human-feedback':
      return [];
    case 'task':
      return completed(event.task, event.output, run);
    case 'step':
      return event.step.tool === '' ? [] : toolUsed(event, run);
    case 'crew':
      return [ended(event.result, run)];
    case 'failed':
      return failed(event.task, event.error, run);
  }
}

function completed(task: PlannedTask, output: Json, run: Run): StreamEvent[] {
  const raw = asText(output);
  if (isFlow(run.plan))
    return [{ type: 'method_execution_finished', data: { ...methodOf(task, run), result: raw, state: stateOf(run) } }];
  const { name, description, expectedOutput: expected_output, agent } = task;
  return [
    { type: 'agent_execution_completed', data: { ...namesOf(task), output: raw } },
    { type: 'task_completed', data: { ...namesOf(task), output: { name, description, expected_output, raw, agent } } },
  ];
}

function toolUsed({ task, step }: Extract<RunEvent, { type: 'step' }>, run: Run): StreamEvent[] {
  const by = isFlow(run.plan) ? methodOf(task, run) : namesOf(task);
  const used = { ...by, tool_name: step.tool, tool_args: step.toolInput };
  return [
    { type: 'tool_usage_started', data: used },
    { type: 'tool_usage_finished', data: { ...used, output: step.result } },
  ];
}

function ended(result: Json, run: Run): StreamEvent {
  if (isFlow(run.plan))
    return { type: 'flow_finished', data: { flow_name: run.crew, result: asText(result), state: stateOf(run) } };
  const { promptTokens, completionTokens } = run.usage ?? { promptTokens: 0, completionTokens: 0 };
  const output = { raw: asText(result), json_dict: isObject(result) ? result : null };
  const total_tokens = promptTokens + completionTokens;
  return { type: 'crew_kickoff_completed', data: { crew_name: run.crew, output, total_tokens } };
}

function failed(task: PlannedTask, error: string, run: Run): StreamEvent[] {
  if (isFlow(run.plan)) return [{ type: 'method_execution_failed', data: { ...methodOf(task, run), error } }];
  return [
    { type: 'agent_execution_error', data: { ...namesOf(task), error } },
    { type: 'task_failed', data: { ...namesOf(task), error } },
    { type: 'crew_kickoff_failed', data: { crew_name: run.crew, error } },
  ];
}

function namesOf({ id, name, agent, role }: PlannedTask): JsonObject {
  return { task_id: id, task_name: name, agent_role: role || agent };
}

function methodOf({ name }: PlannedTask, { crew }: Run): JsonObject {
  return { flow_name: crew, method_name: name };
}
