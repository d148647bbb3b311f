// Requests of flows: https://docs.crewai.com/en/enterprise/features/flow-hitl-management

import { z } from 'zod';
import { MOST_UNREADABLE } from '../../core/execution/limits.ts';
import { ASSIGNEE } from '../../core/policy/crew.ts';
import { MOST_OUTCOMES, OUTCOME_LENGTH } from '../../core/policy/outcomes.ts';
import type { Json } from '../../core/values/json.ts';
import { whyNotCallback } from '../asks/askers.ts';
import {
  candidates,
  has,
  idField,
  isJsonObject,
  type JsonObject,
  keyNames,
  outputText,
  parseJsonBody,
  pick,
  plainLine,
  requiredId,
  textField,
} from '../payload.ts';
import { done, tooOften, type WebhookAnswer, type WebhookContext } from './context.ts';
import type { ReadableRequest } from './human-input.ts';
import { limitHourly, receiveRequest, receiveUnreadable } from './started-elsewhere.ts';

interface FlowSender {
  crew: string;
  /** Called with the shape of each readable notification, for the log. */
  met: (shape: FlowNotification['shape']) => void;
}

/**
 * Takes a signed notification of a crew's flows. A request belongs to the run that it names, which may have been started here. A
 * repetition, or an escalation by the flow's own rules, is a request that we have already.
 */
export async function receiveFlow(
  context: WebhookContext,
  { crew: name, met }: FlowSender,
  { value, text }: { value: Json; text: string },
): Promise<WebhookAnswer> {
  const refusal = await limitHourly(context, name, text);
  if (refusal) return refusal;
  const notification = parseFlowNotification(value);
  met(notification.shape);
  switch (notification.kind) {
    case 'other':
      return done('ignored');
    case 'unsupported':
      // Its address is a secret that nothing here needs.
      return receiveUnreadable(context, name, { keys: notification.keys, text: withoutSecrets(value) });
    case 'request': {
      const { request } = notification;
      const refused = await refuseAddress(context, name, request.flow.callbackUrl);
      if (refused) return refused;
      // A flow keeps its own id, but perhaps not its execution's.
      const ids = [request.kickoffId, request.executionId].filter((id) => id !== null);
      return receiveRequest(context, { crew: name, ids, payload: request });
    }
  }
}

/** Refuses a request whose answer can't be sent, and reports it to the crew's channel; null if the address is allowed. */
async function refuseAddress(
  { crews, hourlyCounts, report, log }: WebhookContext,
  name: string,
  address: string,
): Promise<WebhookAnswer | null> {
  const callbackHosts = crews.find((crew) => crew.name === name)?.callbackHosts ?? [];
  const why = whyNotCallback(address, { callbackHosts });
  if (why === null) return null;
  const { count, endsInMs } = await hourlyCounts.add('unreadable', `crew:${name}`, 1);
  if (count > MOST_UNREADABLE) return tooOften(endsInMs);
  log.warn({ crew: name, why }, 'a flow asks for an answer at an address that none may go to');
  const { host } = URL.canParse(address) ? new URL(address) : { host: '' };
  const unnamed = callbackHosts.includes(host) ? '' : plainLine(host, 100);
  await report({ kind: 'unanswerable-request', crew: name, ref: null, host: unnamed }).catch((error) =>
    log.error({ err: error, crew: name }, 'a request that can not be answered could not be reported in Slack'),
  );
  return { status: 403, body: { status: 'refused', message: `The callback_url ${why}.` } };
}

type FlowNotification = { shape: 'flat' | 'nested' } & (
  | { kind: 'request'; request: FlowRequest }
  /** A notification that isn't a request. */
  | { kind: 'other' }
  | { kind: 'unsupported'; keys: string[] }
);

/** A request whose task is the method that asks. */
type FlowRequest = ReadableRequest & { flow: NonNullable<ReadableRequest['flow']> };

/** An escalation repeats the whole request, so it also counts if the first notification got lost. */
const ASKING = ['new_request', 'escalation'];

const flowRequest = z.object({
  requestId: requiredId,
  methodName: requiredId,
  flowId: idField,
  executionId: idField,
  callbackUrl: z.string().min(1).max(2_000),
  message: textField,
  assignee: textField,
});

/** Reads what flows send in both shapes seen in the field: all fields at the top, or most of them below `request`. */
export function parseFlowNotification(body: Json): FlowNotification {
  const payloads = candidates(body).map(unfolded);
  for (const { shape, payload } of payloads) {
    const event = textField.parse(pick(payload, 'event_type', 'eventType', 'event') ?? null);
    const status = textField.parse(pick(payload, 'status') ?? 'pending');
    const request = event === null || ASKING.includes(event) ? readRequest(payload) : null;
    if (request && status === 'pending') return { kind: 'request', shape, request };
    if (request || (event !== null && !ASKING.includes(event))) return { kind: 'other', shape };
  }
  return { kind: 'unsupported', shape: payloads[0]?.shape ?? 'flat', keys: keyNames(body) };
}

function unfolded(payload: JsonObject): { shape: FlowNotification['shape']; payload: JsonObject } {
  const request = pick(payload, 'request');
  return isJsonObject(request) ? { shape: 'nested', payload: { ...payload, ...request } } : { shape: 'flat', payload };
}

const TEXT_NAMES = ['output', 'message'];

/** Returns null if people couldn't answer the request, or not with what it offers. */
function readRequest(payload: JsonObject): FlowRequest | null {
  const parsed = flowRequest.safeParse(canonical(payload));
  const outcomes = outcomesIn(pick(payload, 'emit', 'emit_options', 'emitOptions'));
  if (!parsed.success || outcomes === 'unsupported' || !has(payload, ...TEXT_NAMES)) return null;
  const { requestId, methodName, flowId, executionId, callbackUrl, message, assignee } = parsed.data;
  if (flowId === null && executionId === null) return null;
  return {
    kind: 'human-input',
    kickoffId: flowId,
    executionId,
    taskId: methodName,
    taskName: plainLine(methodName, 200),
    output: textOf(message, pick(payload, 'output')),
    metaRef: null,
    // Set even if it is assigned to nobody, so that the starter of the run can't put somebody in.
    flow: { requestId, callbackUrl, outcomes, inputs: { [ASSIGNEE]: assignee?.trim() ?? null } },
  };
}

function canonical(payload: JsonObject): JsonObject {
  const assigned = pick(payload, 'assigned_to', 'assignedTo');
  return {
    requestId: pick(payload, 'id', 'request_id', 'requestId') ?? null,
    methodName: pick(payload, 'method_name', 'methodName') ?? null,
    flowId: pick(payload, 'flow_id', 'flowId', 'kickoff_id') ?? null,
    executionId: pick(payload, 'flow_execution_id', 'flowExecutionId', 'execution_id') ?? null,
    callbackUrl: pick(payload, 'callback_url', 'callbackUrl') ?? null,
    message: pick(payload, 'message') ?? null,
    assignee:
      pick(payload, 'assigned_to_email', 'assignedToEmail') ??
      (isJsonObject(assigned) ? pick(assigned, 'email') : null) ??
      null,
  };
}

/** Returns the outcomes to choose from; null where people approve or reject. None is ever cut, since its name is sent back. */
function outcomesIn(emit: Json | undefined): string[] | null | 'unsupported' {
  if (!Array.isArray(emit)) return null;
  const names = new Set(emit.flatMap((each) => (typeof each === 'string' ? [each.trim()] : [])).filter(Boolean));
  const isShown = (name: string) => name.length <= OUTCOME_LENGTH && name.isWellFormed();
  if (names.size > MOST_OUTCOMES || ![...names].every(isShown)) return 'unsupported';
  return names.size < 2 ? null : [...names];
}

/** Returns the question above its subject, which may be JSON as a text. */
function textOf(message: string | null, output: Json | undefined): string {
  const parsed = typeof output === 'string' ? parseJsonBody(output) : null;
  const isData = parsed !== null && typeof parsed.value === 'object' && parsed.value !== null;
  const text = outputText(isData ? parsed.value : output);
  if (message === null || text.trim() === '') return message?.toWellFormed() ?? text;
  const below = isData || (typeof output === 'object' && output !== null) ? `\`\`\`json\n${text}\n\`\`\`` : text;
  return `${message.trim().toWellFormed()}\n\n${below}`;
}

const SECRET_NAMES = ['callback_url', 'callbackUrl', 'response_token', 'responseToken'];

function withoutSecrets(value: Json): string {
  return JSON.stringify(value, (name, each) => (SECRET_NAMES.includes(name) ? '(left out)' : each));
}
