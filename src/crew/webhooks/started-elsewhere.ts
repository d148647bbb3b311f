import { createHash } from 'node:crypto';
import type { Approval } from '../../core/approval/approval.ts';
import { ask } from '../../core/approval/request.ts';
import type { RulesOf } from '../../core/crew.ts';
import type { HumanInputRequest } from '../../core/execution/events.ts';
import { type Execution, isHeld } from '../../core/execution/execution.ts';
import { MOST_FROM_ELSEWHERE, MOST_UNREADABLE, weightOf } from '../../core/execution/limits.ts';
import { adoptExecution, checkAdoptionHold } from '../../core/execution/start.ts';
import type { Json } from '../../core/json.ts';
import type { ExecutionStore, OutputStore, Transition } from '../../core/ports.ts';
import { ok } from '../../core/result.ts';
import { isRef } from '../credentials.ts';
import { keyNames } from '../payload.ts';
import {
  changeWithText,
  done,
  idsOf,
  linkIds,
  tooOften,
  UNKNOWN_EXECUTION,
  type WebhookAnswer,
  type WebhookContext,
} from './context.ts';
import { askOnce, keepUnreadable, parseHumanInput, type ReadableRequest } from './human-input.ts';

/**
 * A request for human input at its crew's address: from an execution started elsewhere, which the crew may refuse, or from one of
 * our own after all.
 */
export async function receiveFromElsewhere(
  context: WebhookContext,
  crew: string,
  { value, text }: { value: Json; text: string },
): Promise<WebhookAnswer> {
  const tooMuch = await countIn(context, crew, text);
  if (tooMuch) return tooMuch;
  const payload = parseHumanInput(value);
  if (payload.kind === 'human-input') {
    const ids = idsOf(payload);
    if (ids.length > 0 || payload.metaRef !== null) return receiveFound(context, { crew, ids, payload });
  }
  if (refuses(context, crew)) return refused(context, crew);
  const { count, endsInMs } = await context.hourlyCounts.add('unreadable', `crew:${crew}`, 1);
  if (count > MOST_UNREADABLE) return tooOften(endsInMs);
  const keptUnder = context.refs.adoptedRef(crew, createHash('sha256').update(text).digest('hex'));
  await keepUnreadable(context, { crew, ref: null, keptUnder }, { keys: keyNames(value), text });
  return done('unsupported');
}

/** The answer to what is too much for this hour; null for anything else. */
async function countIn(
  { hourlyCounts, log }: WebhookContext,
  crew: string,
  text: string,
): Promise<WebhookAnswer | null> {
  const weight = weightOf(text);
  const { count, endsInMs } = await hourlyCounts.add('elsewhere', crew, weight);
  if (count <= MOST_FROM_ELSEWHERE) return null;
  // Later ones would only say the same.
  if (count - weight <= MOST_FROM_ELSEWHERE)
    log.warn({ crew }, 'refuses more from runs started elsewhere in this hour');
  return tooOften(endsInMs);
}

/** The execution that a request belongs to, or why there is none. */
type Owner = { kind: 'known'; ref: string } | { kind: 'refused'; answer: WebhookAnswer };

interface Found {
  crew: string;
  ids: string[];
  payload: ReadableRequest;
}

/** Looks again if the execution has just been merged into another one. */
async function receiveFound(context: WebhookContext, found: Found): Promise<WebhookAnswer> {
  for (let tries = 0; tries < 3; tries++) {
    const owner = await ownerOf(context, found);
    if (owner.kind === 'refused') return owner.answer;
    const answer = await askOnce(context, { ref: owner.ref, hop: 0 }, found.payload);
    if (answer) return answer;
  }
  return UNKNOWN_EXECUTION;
}

function refuses({ rulesOf }: WebhookContext, crew: string): boolean {
  return rulesOf(crew).startedElsewhere === 'refused';
}

/** Whether an execution proved to be started elsewhere, and its crew refuses those. */
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
 * The execution that the request belongs to, by our own meta or a known id; otherwise an adopted one. Before an id counts as
 * unknown, unanswered calls are counted and it is looked up again: an answer that arrives in between has linked it by then.
 */
async function ownerOf(context: WebhookContext, { crew, ids, payload }: Found): Promise<Owner> {
  const known = (await ofMeta(context, crew, payload.metaRef)) ?? (await ofIds(context, crew, ids));
  if (known !== null) {
    const found = await context.executions.load(known);
    return ownerIn(context, known, found?.execution ?? null);
  }
  const unanswered = await context.executions.unanswered(crew);
  const linkedSince = await ofIds(context, crew, ids);
  if (linkedSince !== null) return { kind: 'known', ref: linkedSince };
  const [id] = ids;
  if (id === undefined) return { kind: 'refused', answer: UNKNOWN_EXECUTION };
  return adopt(context, { crew, id, held: unanswered > 0 ? 'held' : 'free' });
}

function ownerIn(context: WebhookContext, ref: string, execution: Execution | null): Owner {
  return execution && isRefused(context, execution)
    ? { kind: 'refused', answer: refused(context, execution.crew) }
    : { kind: 'known', ref };
}

async function ofMeta({ executions }: WebhookContext, crew: string, metaRef: string | null): Promise<string | null> {
  if (metaRef === null || !isRef(metaRef)) return null;
  const found = await executions.load(metaRef);
  return found?.execution.crew === crew ? metaRef : null;
}

async function ofIds({ executions }: WebhookContext, crew: string, ids: string[]): Promise<string | null> {
  const refs = await Promise.all(ids.map((id) => executions.findById(crew, id)));
  return refs.find((ref) => ref !== null) ?? null;
}

async function adopt(
  context: WebhookContext,
  { crew, id, held }: { crew: string; id: string; held: 'held' | 'free' },
): Promise<Owner> {
  for (const older of context.refs.adoptedRefs(crew, id)) {
    const found = await context.executions.load(older);
    if (found) return ownerIn(context, older, found.execution);
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

interface AdoptionPorts {
  executions: ExecutionStore;
  outputs: OutputStore;
  rulesOf: RulesOf;
}

type SettledAdoption =
  | { kind: 'merged'; into: string }
  | { kind: 'waiting' }
  | { kind: 'released' }
  | { kind: 'refused' };

/**
 * Checks whether a held execution has proved to be one that we started. If so, its requests move there and it is deleted;
 * otherwise it stays on hold, or is released, or deleted where its crew refuses what was started elsewhere. Throws
 * `StoreUnavailable`.
 */
export async function settleAdoption(ports: AdoptionPorts, ref: string): Promise<SettledAdoption> {
  const found = await ports.executions.load(ref);
  if (!found || !isHeld(found.execution)) return { kind: 'released' };
  const unanswered = await ports.executions.unanswered(found.execution.crew);
  const owner = await ownRunOf(ports.executions, found.execution);
  if (owner !== null) {
    const merged = await merge(ports, found.execution, owner);
    if (merged === 'removed') return { kind: 'merged', into: owner };
    if (merged === 'kept') return { kind: 'waiting' };
  }
  const awaited = unanswered > 0 ? 'awaited' : 'settled';
  const isOver = !isHeld(checkAdoptionHold(found.execution, awaited, found.now));
  const isRefused = ports.rulesOf(found.execution.crew).startedElsewhere === 'refused';
  if (!isOver || !isRefused) return release(ports, found.execution, awaited);
  return { kind: (await removeHeld(ports, found.execution)) === 'removed' ? 'refused' : 'waiting' };
}

async function ownRunOf(
  store: ExecutionStore,
  { crew, ref, kickoffIds, executionId }: Execution,
): Promise<string | null> {
  const ids = executionId === null ? kickoffIds : [executionId, ...kickoffIds];
  const refs = await Promise.all(ids.map((id) => store.findById(crew, id)));
  return refs.find((each) => each !== null && each !== ref) ?? null;
}

async function merge(ports: AdoptionPorts, held: Execution, owner: string): Promise<'removed' | 'kept' | 'no-owner'> {
  const { executions, outputs, rulesOf } = ports;
  for (const approval of held.approvals) {
    const request = requestOf(held, approval);
    const transition: Transition<unknown> = (execution, now) => ask(execution, request, now, rulesOf(execution.crew));
    const text = await outputs.get(held.ref, approval.output.hash);
    const asked = await (text === null
      ? executions.change(owner, transition)
      : changeWithText({ executions, outputs }, { ref: owner, text }, () => transition));
    if (asked.kind === 'absent') return 'no-owner';
  }
  return removeHeld(ports, held);
}

/** If a request arrives meanwhile, the held execution is kept, and its next check sees that request as well. */
function removeHeld({ executions }: AdoptionPorts, held: Execution): Promise<'removed' | 'kept'> {
  return executions.remove(held.ref, ({ approvals }) => approvals.length === held.approvals.length);
}

function requestOf(
  { executionId }: Execution,
  { hop, kickoffId, taskId, taskName, output, file }: Approval,
): HumanInputRequest {
  return { hop, kickoffId, executionId, taskId, taskName, output, attachesFile: file !== null };
}

/** Links the ids only on release: until then they may prove to be another execution's. */
async function release(
  { executions }: AdoptionPorts,
  { ref }: Execution,
  awaited: 'awaited' | 'settled',
): Promise<SettledAdoption> {
  const checked = await executions.change<never>(ref, (each, now) => ok(checkAdoptionHold(each, awaited, now)));
  if (checked.kind !== 'changed' || isHeld(checked.after)) return { kind: 'waiting' };
  const { executionId, kickoffIds } = checked.after;
  await linkIds(executions, checked.after, { kickoffId: null, executionId });
  for (const kickoffId of kickoffIds) await linkIds(executions, checked.after, { kickoffId });
  return { kind: 'released' };
}
