import type { Execution } from '../execution/execution.ts';
import { findApproval, starterOf } from '../execution/execution.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';
import type { Facts } from './policy/facts.ts';
import type { Subject } from './policy/permits.ts';
import { permits } from './policy/permits.ts';
import type { CrewPolicy, Policy } from './policy/policy.ts';
import { policyFor } from './policy/policy.ts';
import type { Refusal } from './refusal.ts';

/** What a transition needs to ask the policy itself. */
export interface Permission {
  policy: CrewPolicy;
  facts: Facts;
}

/** A request that a person may act on, the policy of its task, and the rule that lets them. */
export interface Permitted {
  approval: Approval;
  policy: Policy;
  rule: string;
}

/** A hand-over for an absence counts only until that is over. */
export function subjectOf(execution: Execution, { times, handedOver }: Approval, now: Millis): Subject {
  return {
    starterId: starterOf(execution)?.id ?? null,
    isEscalated: times.escalatedAt !== null,
    handedTo: handedOver.filter(({ until }) => until === null || now < until).map(({ to }) => to.id),
  };
}

/** The request, if the policy in force lets this person decide it. Whom it refuses learns nothing about the request. */
export function findPermitted(
  execution: Execution,
  approvalId: string,
  { personId, now, ...permission }: Permission & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const { facts } = permission;
  const approval = findApproval(execution, approvalId);
  const policy = approval ? policyFor(permission.policy, approval) : permission.policy;
  const needed = peopleToKnow(execution, { approval, policy, personId });
  const unknown = needed.filter((id) => facts.accounts[id] === undefined);
  if (unknown.length > 0) return refuse({ kind: 'facts-needed', people: needed });
  const subject = approval
    ? subjectOf(execution, approval, now)
    : { ...NOBODY, starterId: starterOf(execution)?.id ?? null };
  const permit = permits(policy, subject, personId, facts);
  if (permit.kind === 'denied') return refuse({ kind: 'denied', denial: permit.denial });
  return approval ? ok({ approval, policy, rule: permit.rule }) : refuse({ kind: 'unknown' });
}

const NOBODY: Subject = { starterId: null, isEscalated: false, handedTo: [] };

/** The people whose accounts decide whether this person may act: a vote counts only if its voter may still decide. */
function peopleToKnow(
  execution: Execution,
  { approval, policy, personId }: { approval: Approval | null; policy: Policy; personId: string },
): string[] {
  const starterId = policy.selfApproval ? null : (starterOf(execution)?.id ?? null);
  const voterIds = approval?.status === 'pending' ? approval.votes.map(({ by }) => by.id) : [];
  return [...new Set([personId, ...(starterId === null ? [] : [starterId]), ...voterIds])];
}
