// Approves several requests together, and says which ones can't be.

import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import type { Denial } from '../../../core/policy/permits.ts';
import type { VoteStanding } from '../../../core/policy/progress.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { roundOfSameText } from '../../../core/request/ask.ts';
import { findRequest } from '../../../core/state/execution.ts';
import { soon } from '../../api/soon.ts';
import { within } from '../../directory/directory.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { approvalBy, approve, findPermission, refusalWithoutRun } from '../../request/change-request.ts';
import { findStanding } from '../../request/outcome.ts';
import { explainRefusal } from '../../request/refusal.ts';
import { approvalValue } from '../../ui/button-value.ts';
import { seconds } from '../../ui/text/moment.ts';
import type { TickedRequest } from '../home/selection.ts';

export type Judged = Approvable | LeftOut;

export interface Approvable {
  kind: 'approvable';
  key: TickedRequest;
  model: CardModel;
  /** Whole text. Null if it is no longer stored. */
  output: string | null;
  /** Standing of this person's vote. Null if it decides. */
  standing: VoteStanding | null;
  /** The latest round before that had exactly the same text. Null if there is none. */
  sameAs: number | null;
}

/** A request that can't be approved. `model`: null if the person may not know of it. */
interface LeftOut {
  kind: 'left-out';
  key: TickedRequest;
  model: CardModel | null;
  why: WhyLeftOut;
}

type WhyLeftOut =
  | { kind: 'refused'; refusal: Refusal }
  /** The request may be a repeated notice of a round. */
  | { kind: 'repeats'; round: number }
  | { kind: 'approved-before' };

const RECENT_MS = 1_000;

/** Tries an approval by the person without storing it. Throws `StoreUnavailable`. */
export async function judgeTicked(context: ListenerContext, key: TickedRequest): Promise<Judged> {
  const { person: by } = context;
  const record = await context.store.load(key.ref, { mostAgeMs: RECENT_MS });
  if (!record) return leftOut(key, null, { kind: 'refused', refusal: await refusalWithoutRun(context, by) });
  const { execution, now } = record;
  const permission = await findPermission(context, execution, [by.id]);
  const { transition } = approvalBy(context, { by, note: null, review: 'unasked' });
  const verdict = transition(execution, { approvalId: key.approvalId, revision: key.hash, now, ...permission });
  const request = findRequest(execution, key.approvalId);
  const model = request && cardModel(execution, request);
  if (!verdict.ok)
    return leftOut(key, canKnow(verdict.refusal) ? model : null, { kind: 'refused', refusal: verdict.refusal });
  if (!request || !model) return leftOut(key, null, { kind: 'refused', refusal: { kind: 'unknown' } });
  if (verdict.value === execution) return leftOut(key, model, { kind: 'approved-before' });
  if (request.question.repeatsRound !== null)
    return leftOut(key, model, { kind: 'repeats', round: request.question.repeatsRound });
  const after = { execution: verdict.value, request: findRequest(verdict.value, key.approvalId) ?? request };
  return {
    kind: 'approvable',
    key,
    model,
    output: await context.outputs.get(key.ref, key.hash),
    standing: findStanding(context, after, by.id),
    sameAs: roundOfSameText(execution, request),
  };
}

/** Returns false for people of other organisations, who don't learn which requests exist. */
function canKnow(refusal: Refusal): boolean {
  return refusal.kind !== 'denied' || refusal.denial.kind !== ('stranger' satisfies Denial['kind']);
}

function leftOut(key: TickedRequest, model: CardModel | null, why: WhyLeftOut): LeftOut {
  return { kind: 'left-out', key, model, why };
}

export type BatchOutcome = { key: TickedRequest } & (
  | { kind: 'approved'; model: CardModel; standing: VoteStanding | null }
  | { kind: 'left-out'; why: WhyLeftOut; isNameable: boolean }
  /** There was no time left to approve the request. */
  | { kind: 'open' }
  /** Redis didn't answer in time, so the request may be approved. */
  | { kind: 'unclear' }
);

/** Leaves time to answer before Slack shows an error. */
const STORED_WITHIN_MS = 1_800;

/**
 * Approves one request after the other. Each is a decision of its own, bound to the listed text. Requests that aren't stored in time stay
 * open. Approving them again changes nothing. Throws if nothing could be stored: don't ack then.
 */
export async function approveBatch(context: ListenerContext, keys: readonly TickedRequest[]): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const key of keys) {
    const leftMs = context.receivedAt + STORED_WITHIN_MS - performance.now();
    const isStopped = outcomes.some(({ kind }) => kind === 'unclear');
    outcomes.push(isStopped || leftMs <= 0 ? { key, kind: 'open' } : await attempt(context, { key, leftMs, outcomes }));
  }
  return outcomes;
}

async function attempt(
  context: ListenerContext,
  { key, leftMs, outcomes }: { key: TickedRequest; leftMs: number; outcomes: readonly BatchOutcome[] },
): Promise<BatchOutcome> {
  try {
    return await soon<BatchOutcome, BatchOutcome>(leftMs, approveOne(context, key), { key, kind: 'unclear' });
  } catch (error) {
    if (!outcomes.some(({ kind }) => kind === 'approved')) throw error;
    context.log.warn({ ref: key.ref, err: error }, 'could not store one of several approvals');
    return { key, kind: 'unclear' };
  }
}

async function approveOne(context: ListenerContext, key: TickedRequest): Promise<BatchOutcome> {
  const { person: by } = context;
  const { stored, isRepeated } = await approve(contextOf(context, key), { key, by });
  if (!stored.ok) {
    const { refusal } = stored;
    return { key, kind: 'left-out', why: { kind: 'refused', refusal }, isNameable: canKnow(refusal) };
  }
  if (isRepeated) return { key, kind: 'left-out', why: { kind: 'approved-before' }, isNameable: true };
  const execution = stored.value;
  const request = findRequest(execution, key.approvalId);
  if (!request) return { key, kind: 'unclear' };
  const standing = findStanding(context, { execution, request }, by.id);
  return { key, kind: 'approved', model: cardModel(execution, request), standing };
}

/** Gives each request an id of its own, because two of them may be of one run. */
function contextOf(context: ListenerContext, { approvalId }: TickedRequest): ListenerContext {
  return {
    ...context,
    requestId: context.requestId === '' ? '' : `${context.requestId}:${approvalId}`,
    addToLog: ({ ref: _, approvalId: __, ...facts }) => context.addToLog(facts),
  };
}

/** Questions to Slack about the reasons must fit into its three seconds. */
const MOST_WAIT_MS = 500;

/** Says why a request isn't approved together with others. Mrkdwn with escaped names. Never throws. */
export async function whyLeftOut(context: ListenerContext, key: TickedRequest, why: WhyLeftOut): Promise<string> {
  const say = await context.say();
  switch (why.kind) {
    case 'repeats':
      return say('batch.repeats', { round: why.round });
    case 'approved-before':
      return say('batch.approved-before');
    case 'refused': {
      const { refusal } = why;
      if (refusal.kind === 'too-soon') return say('batch.too-soon', { time: seconds(refusal.afterMs, say) });
      if (refusal.kind === 'note-missing') return say('batch.needs-note');
      if (refusal.kind === 'sign-in-needed') return say('batch.needs-sign-in');
      if (refusal.kind === 'superseded' && refusal.by === 'newer-round') return say('batch.asked-again');
      if (refusal.kind === 'other-text') return say('batch.other-text');
      const explained = explainRefusal(context, approvalValue(key), refusal);
      const about = { log: context.log, about: { ref: key.ref } };
      return (await within(MOST_WAIT_MS, explained, about))?.text ?? say('batch.no-answer');
    }
  }
}
