import { z } from 'zod';
import type { Step } from '../../core/execution/events.ts';
import type { Json } from '../../core/json.ts';
import { parseOutcome } from '../client/parse-status.ts';
import { candidates, has, idField, pick, textField } from '../payload/fields.ts';
import { isJsonObject, type JsonObject } from '../payload/json-body.ts';
import { outputText, RESULT_NAMES, resultOf } from '../payload/output-text.ts';
import { plainLine, plainLines } from '../payload/plain-text.ts';

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

/** A notification that is unreadable apart from the fact that it arrived. */
interface BareEvent {
  kind: 'bare';
  kickoffId: string | null;
}

const SUMMARY = { lines: 3, most: 300 };
const NAME_LENGTH = 200;
const STEP_TEXT_LENGTH = 500;
const STEP_RESULT = { lines: 8, most: STEP_TEXT_LENGTH };

const named = z.object({ kickoffId: idField, taskId: idField, name: textField, agent: textField, summary: textField });

/** Reads the notification of a completed task. Some services send no task id: then nothing tells which task has that name. */
export function parseTask(body: Json): TaskPayload | BareEvent {
  const payload = candidates(body).find((each) => has(each, ...TASK_NAMES, ...OUTPUTS, 'summary', 'task_id', 'taskId'));
  if (!payload) return bareEvent(body);
  const { kickoffId, taskId, name, agent, summary } = named.parse({
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
