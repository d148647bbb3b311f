// Requests at a crew's own address, for executions that were started elsewhere.

import { createHash } from 'node:crypto';
import { MOST_FROM_ELSEWHERE, MOST_UNREADABLE, weightOf } from '../../core/execution/limits.ts';
import { adoptExecution } from '../../core/execution/start.ts';
import { type Execution, isHeld } from '../../core/state/execution.ts';
import type { Json } from '../../core/values/json.ts';
import { isRef } from '../credentials.ts';
import { keyNames } from '../payload.ts';
import { done, idsOf, tooOften, UNKNOWN_EXECUTION, type WebhookAnswer, type WebhookContext } from './context.ts';
import { askOnce, keepUnreadable, parseHumanInput, type ReadableRequest } from './human-input.ts';

/** Takes a request at a crew's address. Its execution was started elsewhere, which the crew may refuse, or is one of ours after all. */
export async function receiveFromElsewhere(
  context: WebhookContext,
  crew: string,
  { value, text }: { value: Json; text: string },
): Promise<WebhookAnswer> {
  const refusal = await limitHourly(context, crew, text);
  if (refusal) return refusal;
  const payload = parseHumanInput(value);
  if (payload.kind === 'human-input') {
    const ids = idsOf(payload);
    if (ids.length > 0 || payload.metaRef !== null) return receiveRequest(context, { crew, ids, payload });
  }
  return receiveUnreadable(context, crew, { keys: keyNames(value), text });
}

/** Stores and reports an unreadable request. */
export async function receiveUnreadable(
  context: WebhookContext,
  crew: string,
  { keys, text }: { keys: string[]; text: string },
): Promise<WebhookAnswer> {
  if (refuses(context, crew)) return refused(context, crew);
  const { count, endsInMs } = await context.hourlyCounts.add('unreadable', `crew:${crew}`, 1);
  if (count > MOST_UNREADABLE) return tooOften(endsInMs);
  const keptUnder = context.refs.adoptedRef(crew, createHash('sha256').update(text).digest('hex'));
  await keepUnreadable(context, { crew, ref: null, keptUnder }, { keys, text });
  return done('unsupported');
}

/** Counts the text against this hour's limit of its crew, and refuses it above the limit. */
export async function limitHourly(
  { hourlyCounts, log }: WebhookContext,
  crew: string,
  text: string,
): Promise<WebhookAnswer | null> {
  const weight = weightOf(text);
  const { count, endsInMs } = await hourlyCounts.add('elsewhere', crew, weight);
  if (count <= MOST_FROM_ELSEWHERE) return null;
  // The first refusal is logged, and no other.
  if (count - weight <= MOST_FROM_ELSEWHERE)
    log.warn({ crew }, 'refuses more from runs started elsewhere in this hour');
  return tooOften(endsInMs);
}

/** The execution that a request belongs to, or why there is none. */
type Owner = { kind: 'known'; ref: string } | { kind: 'refused'; answer: WebhookAnswer };

interface IdentifiedRequest {
  crew: string;
  ids: string[];
  payload: ReadableRequest;
}

/** Finds the execution of a request, and asks people. Tries again if the execution has just been merged into another one. */
export async function receiveRequest(context: WebhookContext, request: IdentifiedRequest): Promise<WebhookAnswer> {
  for (let tries = 0; tries < 3; tries++) {
    const owner = await ownerOf(context, request);
    if (owner.kind === 'refused') return owner.answer;
    const answer = await askOnce(context, { ref: owner.ref, hop: 0 }, request.payload);
    if (answer) return answer;
  }
  return UNKNOWN_EXECUTION;
}

function refuses({ rulesOf }: WebhookContext, crew: string): boolean {
  return rulesOf(crew).startedElsewhere === 'refused';
}

/** Returns true if an execution was surely started elsewhere, and its crew refuses those. */
function isRefused(context: WebhookContext, execution: Execution): boolean {
  return execution.origin.kind === 'elsewhere' && !isHeld(execution) && refuses(context, execution.crew);
}

function refused({ countRefused }: WebhookContext, crew: string): WebhookAnswer {
  countRefused(crew);
  return {
    status: 403,
    body: { status: 'refused', message: 'This crew is set to refuse executions that were started elsewhere.' },
  };
}

const NO_CHANNEL: WebhookAnswer = {
  status: 409,
  body: { status: 'no-channel', message: 'This crew has no channel for executions started elsewhere.' },
};

/**
 * Finds the execution of a request by our own meta or a known id, or else adopts one. Before an id counts as unknown, unanswered calls
 * are counted and it is looked up again: an answer that arrived in between has linked it by then.
 */
async function ownerOf(context: WebhookContext, { crew, ids, payload }: IdentifiedRequest): Promise<Owner> {
  const ref = (await refByMeta(context, crew, payload.metaRef)) ?? (await refByIds(context, crew, ids));
  if (ref !== null) {
    const stored = await context.executions.load(ref);
    return judgeOwner(context, ref, stored?.execution ?? null);
  }
  const unanswered = await context.executions.unanswered(crew);
  const linkedSince = await refByIds(context, crew, ids);
  if (linkedSince !== null) return { kind: 'known', ref: linkedSince };
  const [id] = ids;
  if (id === undefined) return { kind: 'refused', answer: UNKNOWN_EXECUTION };
  return adopt(context, { crew, id, held: unanswered > 0 ? 'held' : 'free' });
}

function judgeOwner(context: WebhookContext, ref: string, execution: Execution | null): Owner {
  return execution && isRefused(context, execution)
    ? { kind: 'refused', answer: refused(context, execution.crew) }
    : { kind: 'known', ref };
}

/**
 * Accepts the ref in a meta only for a run of this crew, and not for the ask of a program or workflow, which would get the answer
 * otherwise: such a request goes by its own ids.
 */
async function refByMeta({ executions }: WebhookContext, crew: string, metaRef: string | null): Promise<string | null> {
  if (metaRef === null || !isRef(metaRef)) return null;
  const stored = await executions.load(metaRef);
  return stored?.execution.crew === crew && stored.execution.origin.kind !== 'ask' ? metaRef : null;
}

async function refByIds({ executions }: WebhookContext, crew: string, ids: string[]): Promise<string | null> {
  const refs = await Promise.all(ids.map((id) => executions.findById(crew, id)));
  return refs.find((ref) => ref !== null) ?? null;
}

async function adopt(
  context: WebhookContext,
  { crew, id, held }: { crew: string; id: string; held: 'held' | 'free' },
): Promise<Owner> {
  for (const older of context.refs.adoptedRefs(crew, id)) {
    const stored = await context.executions.load(older);
    if (stored) return judgeOwner(context, older, stored.execution);
  }
  if (held === 'free' && refuses(context, crew)) return { kind: 'refused', answer: refused(context, crew) };
  const channel = await context.channelOf(crew);
  if (channel === null) {
    context.log.warn({ crew }, 'the crew has no channel for an execution started elsewhere');
    return { kind: 'refused', answer: NO_CHANNEL };
  }
  const ref = context.refs.adoptedRef(crew, id);
  const created = await context.executions.create(ref, (now) => adoptExecution({ ref, crew, channel, held }, now));
  if (created === 'created') context.log.info({ crew, ref, held }, 'adopted an execution started elsewhere');
  return { kind: 'known', ref };
}
