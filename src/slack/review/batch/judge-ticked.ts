import type { Approval, Person } from '../../../core/approval/approval.ts';
import type { Refusal } from '../../../core/approval/permission.ts';
import type { Denial } from '../../../core/approval/policy/permits.ts';
import { policyFor } from '../../../core/approval/policy/policy.ts';
import { roundOfSameText } from '../../../core/approval/rounds.ts';
import { findApproval, starterOf } from '../../../core/execution/execution.ts';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import type { ListenerContext } from '../../app/context.ts';
import { plainApproval } from '../../features/approval/approve.ts';
import { findPermission, unknownTo } from '../../features/approval/change-request.ts';
import type { TickedRequest } from '../../home/ticks.ts';

/** A ticked request, as it is now. */
export type Judged = Approvable | LeftOut;

/** It can be approved together with others. */
export interface Approvable {
  kind: 'approvable';
  key: TickedRequest;
  model: CardModel;
  starter: Person | null;
  /** The whole text; null if it is no longer stored. */
  output: string | null;
  /** How many have approved once this person has, and how many have to. */
  votes: number;
  quorum: number;
  /** The latest round before that had exactly the same text. */
  sameAs: number | null;
}

/** It can't; null for a request that the person may not know of. */
interface LeftOut {
  kind: 'left-out';
  key: TickedRequest;
  model: CardModel | null;
  why: WhyLeftOut;
}

export type WhyLeftOut =
  | { kind: 'refused'; refusal: Refusal }
  /** It may be a repeated notice of a round. */
  | { kind: 'repeats'; round: number }
  | { kind: 'approved-before' };

const RECENT_MS = 1_000;

/** What an approval by this person would come to, without storing it. Throws `StoreUnavailable`. */
export async function judgeTicked(context: ListenerContext, by: Person, key: TickedRequest): Promise<Judged> {
  const found = await context.store.load(key.ref, { mostAgeMs: RECENT_MS });
  if (!found) return leftOut(key, null, { kind: 'refused', refusal: await unknownTo(context, by) });
  const { execution, now } = found;
  const permission = await findPermission(context, execution, [by.id]);
  const { transition } = plainApproval(context, by, 'unasked');
  const tried = transition(execution, { approvalId: key.approvalId, revision: key.hash, now, ...permission });
  const approval = findApproval(execution, key.approvalId);
  const model = approval && cardModel(execution, approval);
  if (!tried.ok)
    return leftOut(key, mayKnow(tried.refusal) ? model : null, { kind: 'refused', refusal: tried.refusal });
  if (!approval || !model) return leftOut(key, null, { kind: 'refused', refusal: { kind: 'unknown' } });
  if (tried.value === execution) return leftOut(key, model, { kind: 'approved-before' });
  if (approval.repeatsRound !== null) return leftOut(key, model, { kind: 'repeats', round: approval.repeatsRound });
  const quorum = policyFor(permission.policy, approval)?.quorum ?? 1;
  const after = findApproval(tried.value, key.approvalId);
  return {
    ...{ kind: 'approvable', key, model, starter: starterOf(execution) },
    output: await context.outputs.get(key.ref, key.hash),
    ...{ votes: votesOn(after), quorum, sameAs: roundOfSameText(execution, approval) },
  };
}

/** With the one that has decided it. */
function votesOn(approval: Approval | null): number {
  return (approval?.votes.length ?? 0) + (approval?.status === 'pending' ? 0 : 1);
}

/** People of other organisations don't learn which requests exist. */
export function mayKnow(refusal: Refusal): boolean {
  return refusal.kind !== 'denied' || refusal.denial.kind !== ('stranger' satisfies Denial['kind']);
}

function leftOut(key: TickedRequest, model: CardModel | null, why: WhyLeftOut): LeftOut {
  return { kind: 'left-out', key, model, why };
}
