// Requests for human input at the address of their execution.

import { z } from 'zod';
import type { HumanInputRequest } from '../../core/execution/events.ts';
import { MOST_UNREADABLE } from '../../core/execution/limits.ts';
import { ask } from '../../core/request/ask.ts';
import { headingOf } from '../../core/state/about.ts';
import { declineOf, type Execution, isHeld } from '../../core/state/execution.ts';
import type { Json } from '../../core/values/json.ts';
import { META_REF } from '../credentials.ts';
import {
  candidates,
  has,
  idField,
  isJsonObject,
  type JsonObject,
  keyNames,
  outputText,
  own,
  pick,
  plainLine,
  requiredId,
  textField,
} from '../payload.ts';
import {
  beyondLimit,
  changeWithText,
  done,
  linkIds,
  TAKES_NO_REQUESTS,
  tooOften,
  UNKNOWN_EXECUTION,
  type WebhookAnswer,
  type WebhookContext,
} from './context.ts';

export async function receiveHumanInput(
  context: WebhookContext,
  { ref, hop }: { ref: string; hop: number },
  { value, text }: { value: Json; text: string },
): Promise<WebhookAnswer> {
  // An old state is enough for the crew's name; the change shows whether the execution still exists.
  const stored = await context.executions.load(ref, { mostAgeMs: Number.POSITIVE_INFINITY });
  if (!stored) return UNKNOWN_EXECUTION;
  const payload = parseHumanInput(value);
  if (payload.kind === 'unsupported') {
    const { count, endsInMs } = await context.hourlyCounts.add('unreadable', ref, 1);
    if (count > MOST_UNREADABLE) return tooOften(endsInMs);
    await keepUnreadable(context, { crew: stored.execution.crew, ref, keptUnder: ref }, { keys: payload.keys, text });
    return done('unsupported');
  }
  return (await askOnce(context, { ref, hop }, payload)) ?? UNKNOWN_EXECUTION;
}

/** Stores the request with its output; null if the execution no longer exists. */
export async function askOnce(
  context: WebhookContext,
  { ref, hop }: { ref: string; hop: number },
  payload: ReadableRequest,
): Promise<WebhookAnswer | null> {
  const { kickoffId, executionId, taskId, taskName, flow } = payload;
  const heading = headingOf(payload.output);
  const change = await changeWithText(context, { ref, text: payload.output }, (output) => {
    const attachesFile = output.length > context.readableLength;
    const plain = { hop, kickoffId, executionId, taskId, taskName, output, heading, attachesFile };
    const request: HumanInputRequest = { ...plain, ...(flow && ofFlow(context, ref, flow)) };
    return (execution, now) =>
      ask(execution, flow ? withoutNewId(request, execution) : request, now, context.rulesOf(execution.crew));
  });
  const ids = { ref, kickoffId, hop };
  switch (change.kind) {
    case 'absent':
      return null;
    case 'refused':
      if (typeof change.refusal === 'object') return beyondLimit(context, ref, change.refusal);
      if (change.refusal === 'asks-once') return TAKES_NO_REQUESTS;
      await linkSettled(context, change.execution, payload);
      context.log.info({ ...ids, outcome: change.refusal }, 'human input request changed nothing');
      return done(change.refusal);
    case 'unchanged':
      return done('duplicate');
    case 'changed':
      await linkSettled(context, change.after, payload);
      return accept(context, ids, change);
  }
}

/** Seals the address for the answer, so that only this bot can read it in the record. */
function ofFlow({ addresses }: WebhookContext, ref: string, flow: NonNullable<ReadableRequest['flow']>) {
  const { callbackUrl, ...others } = flow;
  return { ...others, destination: { kind: 'flow', sealedUrl: addresses.seal(callbackUrl, ref) } as const };
}

/** Drops a flow's own id once the run has one: polls need the id with which the flow was started. */
function withoutNewId(request: HumanInputRequest, { kickoffIds }: Execution): HumanInputRequest {
  return kickoffIds.length === 0 ? request : { ...request, kickoffId: null };
}

/** Stores an unreadable request verbatim and reports it in Slack: a sender that doesn't retry would lose it. */
export async function keepUnreadable(
  context: WebhookContext,
  { crew, ref, keptUnder }: { crew: string; ref: string | null; keptUnder: string },
  { keys, text }: { keys: string[]; text: string },
): Promise<void> {
  const { hash } = await context.outputs.put(keptUnder, text);
  context.log.warn({ crew, ref: keptUnder, hash, keys }, 'human input request has an unknown shape');
  try {
    await context.report({ kind: 'unreadable-request', crew, ref, keys });
  } catch (error) {
    context.log.error({ err: error, crew, ref }, 'unreadable request could not be reported in Slack');
  }
}

/** Links the ids, except of a held execution: they may prove to be another one's, and are linked on its release. */
async function linkSettled(
  { executions }: WebhookContext,
  execution: Execution,
  payload: ReadableRequest,
): Promise<void> {
  if (!isHeld(execution)) await linkIds(executions, execution, payload);
}

/** Acknowledges a request. In a declined or untracked run it is stored without a card. */
function accept(
  { log }: WebhookContext,
  ids: Record<string, unknown>,
  { before, after }: { before: Execution; after: Execution },
): WebhookAnswer {
  const isNew = after.requests.length > before.requests.length;
  log.info({ ...ids, ...(isNew && { approvalId: after.requests.at(-1)?.id }) }, 'human input requested');
  if (declineOf(after)) return done('declined');
  return done(after.unfollowed === null ? 'accepted' : 'unfollowed');
}

export interface ReadableRequest extends Pick<HumanInputRequest, 'kickoffId' | 'executionId' | 'taskId' | 'taskName'> {
  kind: 'human-input';
  output: string;
  /** The execution's ref in our own meta, if the service echoes it. */
  metaRef: string | null;
  /** The further fields of a flow's request. */
  flow?: Pick<Required<HumanInputRequest>, 'requestId' | 'outcomes' | 'inputs'> & {
    /** The address for the answer, which holds a secret. */
    callbackUrl: string;
  };
}

type HumanInputPayload = ReadableRequest | { kind: 'unsupported'; keys: string[] };

const OUTPUT_NAMES = ['task_output', 'taskOutput', 'output', 'result', 'raw'];

const humanInput = z.object({
  kickoffId: idField,
  executionId: idField,
  taskId: requiredId,
  taskName: textField,
  metaRef: textField,
});

/** Reads a request for human input (specification, section 6) in every shape seen in the field. */
export function parseHumanInput(body: Json): HumanInputPayload {
  for (const candidate of candidates(body)) {
    const parsed = humanInput.safeParse(canonical(candidate));
    if (!parsed.success || !has(candidate, ...OUTPUT_NAMES)) continue;
    const { taskName } = parsed.data;
    return {
      kind: 'human-input',
      ...parsed.data,
      taskName: taskName && plainLine(taskName, 200),
      output: outputText(pick(candidate, ...OUTPUT_NAMES)),
    };
  }
  return { kind: 'unsupported', keys: keyNames(body) };
}

function canonical(payload: JsonObject): JsonObject {
  const meta = pick(payload, 'meta');
  return {
    kickoffId: pick(payload, 'kickoff_id', 'kickoffId') ?? null,
    executionId: pick(payload, 'execution_id', 'executionId') ?? null,
    taskId: pick(payload, 'task_id', 'taskId') ?? null,
    taskName: pick(payload, 'task_name', 'taskName', 'name') ?? null,
    metaRef: (isJsonObject(meta) && own(meta, META_REF)) || null,
  };
}
