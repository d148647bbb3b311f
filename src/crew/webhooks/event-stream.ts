import { z } from 'zod';
import { hasResumed, noteAlive, noteEnd, noteStep, noteTask } from '../../core/execution/stream.ts';
import type { CallbackKey } from '../../core/ports.ts';
import type { Json } from '../../core/values/json.ts';
import type { Millis } from '../../core/values/time.ts';
import { STREAMED_TYPES, type StreamedType } from '../credentials.ts';
import {
  idField,
  isJsonObject,
  type JsonObject,
  outputText,
  pick,
  plainLine,
  resultOf,
  textField,
} from '../payload.ts';
import { done, type WebhookAnswer, type WebhookContext } from './context.ts';
import { parseStep, parseTask, record, recordNamedTask, recordWithText, type ToldEvent } from './events.ts';

// Receives the events that a crew service streams about a run.

/** Services that don't send each event at once send some together. */
const MOST_EVENTS = 1_000;

/** Takes streamed events of a run, which come in any order, several at once, and perhaps again. Ignores types that we didn't ask for. */
export async function receiveStream(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const events = isJsonObject(body) ? pick(body, 'events') : undefined;
  if (!Array.isArray(events)) return NO_EVENTS;
  if (events.length > MOST_EVENTS) return TOO_MANY;
  const answers: WebhookAnswer[] = [];
  const inOrder = events.flatMap(parseEvent).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  for (const event of inOrder) answers.push(await receive(context, key, event));
  return answers.find(({ status }) => status !== 200) ?? answers.at(-1) ?? done('ignored');
}

const NO_EVENTS: WebhookAnswer = {
  status: 400,
  body: { status: 'bad-request', message: 'The body has no list of events.' },
};

const TOO_MANY: WebhookAnswer = {
  status: 413,
  body: { status: 'refused', message: `More than ${MOST_EVENTS} events at once.` },
};

interface StreamedEvent {
  type: StreamedType;
  executionId: string | null;
  /** Time by the service's clock. */
  at: Millis | null;
  data: JsonObject;
}

const EVENT = z.object({ type: z.enum(STREAMED_TYPES), execution_id: idField, timestamp: textField });

function parseEvent(value: Json): StreamedEvent[] {
  const { data: event } = EVENT.safeParse(value);
  if (!event || !isJsonObject(value)) return [];
  const { type, execution_id: executionId, timestamp } = event;
  const at = Date.parse(timestamp ?? '');
  return [{ type, executionId, at: Number.isNaN(at) ? null : at, data: objectIn(value, 'data') }];
}

async function receive(
  context: WebhookContext,
  key: CallbackKey,
  { type, executionId, at, data }: StreamedEvent,
): Promise<WebhookAnswer> {
  const notification = (what: string) => ({ key, kickoffId: executionId, what });
  switch (type) {
    case 'crew_kickoff_started':
      return record(context, notification('crew started'), (execution, now) => noteAlive(execution, executionId, now));
    case 'task_completed':
      return receiveTask(context, notification('task completed'), data);
    case 'tool_usage_finished':
    case 'tool_usage_error':
      await addStep(context, key, { at, data });
      return record(context, notification('step'), (execution, now) => noteStep(execution, executionId, now));
    case 'crew_kickoff_completed':
      return recordWithText(
        context,
        notification('crew completed'),
        resultOf(asResult(data)),
        (execution, result, now) => noteEnd(execution, { kind: 'completed', result, executionId }, now),
      );
    case 'crew_kickoff_failed': {
      const error = plainLine(outputText(pick(data, 'error', 'message')), ERROR_LENGTH);
      return record(context, notification('crew failed'), (execution, now) =>
        noteEnd(execution, { kind: 'failed', error, executionId }, now),
      );
    }
  }
}

async function receiveTask(context: WebhookContext, event: ToldEvent, data: JsonObject): Promise<WebhookAnswer> {
  const { kickoffId: executionId } = event;
  const task = parseTask(asTask(data));
  if (task.kind === 'bare') return record(context, event, (execution, now) => noteAlive(execution, executionId, now));
  const { name, agent, summary } = task;
  return recordNamedTask(context, event, task, (execution, output, now) =>
    noteTask(execution, { executionId, name, agent, summary, output }, now),
  );
}

const ERROR_LENGTH = 1_000;

/** A step gets our own time if the clocks differ by more. */
const MOST_SKEW_MS = 5 * 60_000;

/** Adds a step to the activity list. A repeated step has the same time, and is kept once. */
async function addStep(
  { executions, activity }: WebhookContext,
  { ref }: CallbackKey,
  event: Pick<StreamedEvent, 'at' | 'data'>,
): Promise<void> {
  const stored = await executions.load(ref, { mostAgeMs: 1_000 });
  const payload = parseStep(asStep(event.data));
  if (!stored || hasResumed(stored.execution) || payload.kind === 'bare') return;
  const now = Date.now();
  const at = event.at !== null && Math.abs(now - event.at) <= MOST_SKEW_MS ? event.at : now;
  await activity.add(ref, { at, ...payload.step });
}

// The next functions give the data of events the field names of the specification. Their own names vary with the service's version.

function asTask(data: JsonObject): JsonObject {
  const [task, output] = [objectIn(data, 'task'), objectIn(data, 'output')];
  return withoutNothing({
    task_id: pick(data, 'task_id', 'taskId') ?? pick(task, 'id'),
    name: pick(data, 'task_name', 'taskName', 'name') ?? pick(task, 'name') ?? pick(output, 'name'),
    agent: pick(data, 'agent_role', 'agent') ?? pick(output, 'agent'),
    output: textIn(data),
  });
}

function asStep(data: JsonObject): JsonObject {
  return withoutNothing({
    agent: pick(data, 'agent_role', 'agent'),
    tool: pick(data, 'tool_name', 'tool'),
    tool_input: pick(data, 'tool_args', 'tool_input'),
    result: pick(data, 'output', 'result', 'error'),
  });
}

function asResult(data: JsonObject): JsonObject {
  return withoutNothing({ result_json: pick(objectIn(data, 'output'), 'json_dict'), result: textIn(data) });
}

/** Reads an output, which is a text or an object with several forms of it. */
function textIn(data: JsonObject): Json | undefined {
  return pick(objectIn(data, 'output'), 'raw') ?? pick(data, 'output', 'result', 'raw');
}

function objectIn(data: JsonObject, name: string): JsonObject {
  const value = pick(data, name);
  return isJsonObject(value) ? value : {};
}

function withoutNothing(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
