import type { Execution } from '../execution/execution.ts';
import { findApproval, starterOf, withApproval } from '../execution/execution.ts';
import { duePost } from '../messages/post.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Notice, Person } from './approval.ts';
import type { Approver } from './policy/approver.ts';
import type { CrewPolicy, Policy } from './policy/policy.ts';
import { policyFor } from './policy/policy.ts';
import type { Refusal } from './refusal.ts';
import { whyClosed } from './refusal.ts';

/** People are asked by others at most this often, for each request. */
const ASK_PAUSE_MS = 60 * 60_000;

/** Asks those who may decide, on behalf of somebody who may not. */
export function askApprovers(
  execution: Execution,
  approvalId: string,
  { by, policy }: { by: Person; policy: CrewPolicy },
  now: Millis,
): Result<Execution, Refusal> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return refuse({ kind: 'unknown' });
  if (approval.status !== 'pending') return refuse(whyClosed(approval) ?? { kind: 'unknown' });
  const { askedAgainAt } = approval.times;
  if (askedAgainAt !== null && now < askedAgainAt + ASK_PAUSE_MS)
    return refuse({ kind: 'asked-lately', at: askedAgainAt });
  const mentions = mentionsFor(execution, approval, policyFor(policy, approval));
  const asked = withNotice(approval, { kind: 'ask', by, mentions }, now);
  return ok(withApproval(execution, { ...asked, times: { ...asked.times, askedAgainAt: now } }));
}

/** A new notice is due. Earlier ones that were posted, or no longer can be, are forgotten. */
export function withNotice<Each extends Approval>(
  approval: Each,
  notice: Pick<Notice, 'kind' | 'by' | 'mentions'>,
  now: Millis,
): Each {
  const { notices } = approval;
  const id = String(Math.max(0, ...notices.map((each) => Number(each.id))) + 1);
  const kept = notices.filter(({ post }, i) => i === notices.length - 1 || !isOver(post.status));
  return { ...approval, notices: [...kept, { id, ...notice, post: duePost(now) }] };
}

function isOver(status: Notice['post']['status']): boolean {
  return status === 'posted' || status === 'gone';
}

/** Those who may decide and haven't voted, but for those whom the policy doesn't name one by one or as a group. */
export function mentionsFor(execution: Execution, { votes, handedOver, times }: Approval, policy: Policy): string[] {
  const approvers = times.escalatedAt === null ? policy.approvers : [...policy.approvers, ...policy.escalateTo];
  const starterId = policy.selfApproval ? null : starterOf(execution)?.id;
  const passed = new Set([starterId, ...votes.map(({ by }) => by.id)]);
  const named = [...approvers.filter(isMentioned).map(({ name }) => name), ...handedOver.map(({ to }) => to.id)];
  return [...new Set(named)].filter((name) => !passed.has(name));
}

export function isMentioned({ kind }: Approver): boolean {
  return kind !== 'channel' && kind !== 'workspace';
}
