// Notifications about tasks, steps and the end of a run, at the addresses of its execution.

import { z } from 'zod';
import type { Step } from '../../core/execution/events.ts';
import { hasText, type LimitMet, refuseText } from '../../core/execution/limits.ts';
import { endRun, recordCompletion, recordStep, recordTask } from '../../core/execution/run.ts';
import type { CallbackKey, Changed } from '../../core/ports.ts';
import { nameTask } from '../../core/request/name-task.ts';
import type { Execution } from '../../core/state/execution.ts';
import type { Output } from '../../core/state/request.ts';
import type { Json } from '../../core/values/json.ts';
import { ok } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import {
  candidates,
  has,
  idField,
  isJsonObject,
  type JsonObject,
  outputText,
  pick,
  plainLine,
  plainLines,
  RESULT_NAMES,
  resultOf,
  textField,
} from '../payload.ts';
import { parseOutcome } from '../status.ts';
import {
  beyondLimit,
  changeWithText,
  done,
  linkNewIds,
  UNKNOWN_EXECUTION,
  type WebhookAnswer,
  type WebhookContext,
} from './context.ts';

export async function receiveTask(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseTask(body);
  if (payload.kind === 'bare') return receiveBareEvent(context, key, payload.kickoffId);
  const { kickoffId, name, agent, summary } = payload;
  const task = { hop: key.hop, kickoffId, name, agent, summary };
  return recordNamedTask(context, { key, kickoffId, what: 'task completed' }, payload, (execution, output, now) =>
    recordTask(execution, { ...task, output }, now),
  );
}

/** Records that a task has completed, and its name, by which fewer rules may apply to its requests. */
export async function recordNamedTask(
  context: WebhookContext,
  event: ToldEvent,
  { taskId, name, output: text }: Pick<TaskPayload, 'taskId' | 'name' | 'output'>,
  transition: (execution: Execution, output: Output | null, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  return recordWithText(context, event, text, (execution, output, now) =>
    nameTask(transition(execution, output, now), { taskId, name }, context.rulesOf(execution.crew), now),
  );
}

/** Adds an agent's step to the activity list. The record changes at most once per window. */
export async function receiveStep(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseStep(body);
  if (payload.kind === 'step') await context.activity.add(key.ref, { at: Date.now(), ...payload.step });
  return receiveBareEvent(context, key, payload.kickoffId);
}

export async function receiveCrew(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseCrew(body);
  const { kickoffId } = payload;
  const event = { hop: key.hop, kickoffId };
  if (payload.kind === 'failed') {
    const { error } = payload;
    return record(context, { key, kickoffId, what: 'crew failed' }, (execution, now) =>
      endRun(recordStep(execution, event, now), { status: 'failed', error, endedAt: now }, now),
    );
  }
  return recordWithText(context, { key, kickoffId, what: 'crew completed' }, payload.result, (execution, result, now) =>
    recordCompletion(execution, { ...event, result }, now),
  );
}

/** Records what any notification proves: the run is alive and has the addresses of this hop. */
function receiveBareEvent(context: WebhookContext, key: CallbackKey, kickoffId: string | null): Promise<WebhookAnswer> {
  const event = { hop: key.hop, kickoffId };
  return record(context, { key, kickoffId, what: 'step' }, (execution, now) => recordStep(execution, event, now));
}

export interface ToldEvent {
  key: CallbackKey;
  kickoffId: string | null;
  what: string;
}

export async function record(
  context: WebhookContext,
  event: ToldEvent,
  transition: (execution: Execution, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  const { executions } = context;
  return answer(
    context,
    event,
    await executions.change<never>(event.key.ref, (execution, now) => ok(transition(execution, now))),
  );
}

/** Records an event that may come with a text. */
export async function recordWithText(
  context: WebhookContext,
  event: ToldEvent,
  text: string | null,
  transition: (execution: Execution, output: Output | null, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  if (!text) return record(context, event, (execution, now) => transition(execution, null, now));
  const recorded = await changeWithText<LimitMet>(
    context,
    { ref: event.key.ref, text },
    (output) => (execution, now) => {
      const after = transition(execution, output, now);
      return (hasText(after, output) && refuseText(execution, output)) || ok(after);
    },
  );
  return answer(context, event, recorded);
}

async function answer(
  context: WebhookContext,
  { key, kickoffId, what }: ToldEvent,
  recorded: Changed<LimitMet>,
): Promise<WebhookAnswer> {
  const level = what === 'step' ? 'debug' : 'info';
  context.log[level]({ ...key, kickoffId, outcome: recorded.kind }, what);
  switch (recorded.kind) {
    case 'absent':
      return UNKNOWN_EXECUTION;
    case 'unchanged':
      return done('noted');
    case 'refused':
      return beyondLimit(context, key.ref, recorded.refusal);
    case 'changed':
      await linkNewIds(context.executions, recorded, { kickoffId });
      return done('accepted');
  }
}

interface TaskPayload {
  kind: 'task';
  kickoffId: string | null;
  taskId: string | null;
  name: string | null;
  agent: string | null;
  summary: string;
  /** Null if the notification carries none. */
  output: string | null;
}

interface StepPayload {
  kind: 'step';
  kickoffId: string | null;
  step: Omit<Step, 'at'>;
}

type CrewPayload =
  | { kind: 'completed'; kickoffId: string | null; result: string | null }
  | { kind: 'failed'; kickoffId: string | null; error: string };

/** A notification without readable content. */
interface BareEvent {
  kind: 'bare';
  kickoffId: string | null;
}

const SUMMARY = { lines: 3, most: 300 };
const NAME_LENGTH = 200;
const STEP_TEXT_LENGTH = 500;
const STEP_RESULT = { lines: 8, most: STEP_TEXT_LENGTH };

const taskFields = z.object({
  kickoffId: idField,
  taskId: idField,
  name: textField,
  agent: textField,
  summary: textField,
});

/** Reads the notification of a completed task. Without a task id, nobody knows which task has that name. */
export function parseTask(body: Json): TaskPayload | BareEvent {
  const payload = candidates(body).find((each) => has(each, ...TASK_NAMES, ...OUTPUTS, 'summary', 'task_id', 'taskId'));
  if (!payload) return bareEvent(body);
  const { kickoffId, taskId, name, agent, summary } = taskFields.parse({
    kickoffId: kickoffIdOf(payload),
    taskId: pick(payload, 'task_id', 'taskId') ?? null,
    name: pick(payload, ...TASK_NAMES) ?? null,
    agent: agentOf(payload),
    summary: pick(payload, 'summary') ?? null,
  });
  const output = has(payload, ...OUTPUTS) ? outputText(pick(payload, ...OUTPUTS)) : null;
  return {
    kind: 'task',
    kickoffId,
    taskId,
    name: name && plainLine(name, NAME_LENGTH),
    agent: agent && plainLine(agent, NAME_LENGTH),
    summary: plainLines(summary ?? output ?? '', SUMMARY),
    output,
  };
}

/** Reads an agent step. Its texts are truncated: they are never shown in full. */
export function parseStep(body: Json): StepPayload | BareEvent {
  const payload = candidates(body).find((each) => has(each, 'thought', 'tool', ...TOOL_INPUTS, ...STEP_RESULTS));
  if (!payload) return bareEvent(body);
  const step = {
    agent: shownText(agentOf(payload)),
    thought: shownText(pick(payload, 'thought')),
    tool: shownText(pick(payload, 'tool', 'tool_name', 'toolName')),
    toolInput: shownText(pick(payload, ...TOOL_INPUTS)),
    result: plainLines(outputText(pick(payload, ...STEP_RESULTS)), STEP_RESULT) || null,
  };
  return { kind: 'step', kickoffId: idField.parse(kickoffIdOf(payload)), step };
}

/** Reads the notification that the crew finished, or failed if its status says so. */
export function parseCrew(body: Json): CrewPayload {
  const all = candidates(body);
  const payload = all.find((each) => has(each, ...RESULT_NAMES)) ?? all[0] ?? {};
  const kickoffId = idField.parse(kickoffIdOf(payload));
  const outcome = parseOutcome(payload);
  if (outcome?.kind === 'failed') return { kind: 'failed', kickoffId, error: outcome.error };
  return { kind: 'completed', kickoffId, result: resultOf(payload) };
}

const TASK_NAMES = ['name', 'task_name', 'taskName', 'task'];
const OUTPUTS = ['output', 'task_output', 'taskOutput', 'output_json', 'outputJson', 'result', 'raw'];
const TOOL_INPUTS = ['tool_input', 'toolInput'];
const STEP_RESULTS = ['result', 'output', 'text'];

function bareEvent(body: Json): BareEvent {
  const ids = candidates(body).map((each) => idField.parse(kickoffIdOf(each)));
  return { kind: 'bare', kickoffId: ids.find((id) => id !== null) ?? null };
}

function kickoffIdOf(payload: JsonObject): Json {
  return pick(payload, 'kickoff_id', 'kickoffId') ?? null;
}

function agentOf(payload: JsonObject): Json {
  const agent = pick(payload, 'agent', 'agent_role', 'agentRole');
  return (isJsonObject(agent) ? pick(agent, 'role', 'name') : agent) ?? null;
}

function shownText(value: Json | undefined): string | null {
  return plainLine(outputText(value), STEP_TEXT_LENGTH) || null;
}
