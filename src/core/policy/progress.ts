// How far a request has come: which approvals there are, and at least how many and whose are missing.

import type { Approval, CompletedStage, Vote } from '../state/approval.ts';
import { type Approver, approvalsNeeded, type Policy, quorumNow, stepsOf } from './policy.ts';
import type { RequestRules } from './rules.ts';

/** As what a vote counts; empty for one that needs no place of its own. */
export type CountedAs = Pick<Vote, 'rule' | 'seat'>;

/** What the open stage of a request has and lacks. */
export interface Progress {
  /** At least `needed - given` more have to approve. */
  given: number;
  needed: number;
  /** Of each of these, another person still has to. */
  missing: readonly Approver[];
  /** How many of `approvers` still have to, who may be the same people. */
  lacking: number;
}

/** As far as the votes themselves tell: whether their voters still may decide is found out with the next one. */
export function progressOf(
  policy: Pick<Policy, 'quorum' | 'approvers' | 'allOf' | 'escalateTo'>,
  { votes, isEscalated }: { votes: readonly CountedAs[]; isEscalated: boolean },
): Progress {
  const { allOf } = policy;
  const missing = allOf.filter(({ name }) => votes.every(({ seat }) => seat !== name));
  const names = quorumNow(policy, { isEscalated }).map(({ name }) => name);
  const counting = allOf.length === 0 ? votes : votes.filter(({ rule }) => rule !== undefined && names.includes(rule));
  const lacking = Math.max(0, policy.quorum - counting.length);
  const needed = approvalsNeeded(policy);
  return { given: Math.max(0, needed - Math.max(lacking, missing.length)), needed, missing, lacking };
}

/** The same of a request in a list or a record. */
export function progressOn(policy: Policy, { votes, times }: Pick<Approval, 'votes' | 'times'>): Progress {
  return progressOf(policy, { votes, isEscalated: times.escalatedAt !== null });
}

/** How many have to approve in all stages, at least. */
export function approvalsInAll(policy: Policy): number {
  return stepsOf(policy).reduce((sum, step) => sum + approvalsNeeded(step), 0);
}

/** How many more have to, in this and the stages that come, at least. */
export function approvalsLeft(policy: Policy, approval: Pick<Approval, 'votes' | 'times'>): number {
  const { given, needed } = progressOn(policy, approval);
  const later = stepsOf(policy).slice(policy.stage + 1);
  return needed - given + later.reduce((sum, step) => sum + approvalsNeeded(step), 0);
}

/** A stage that a person has approved and that is complete, and the one that is open by now. */
export interface ApprovedStage {
  approved: string;
  open: string;
}

/** Null if they have approved none that counts. */
export function stageApprovedBy(
  approval: Pick<Approval, 'stages'>,
  { stages, stage }: Pick<Policy, 'stages' | 'stage'>,
  personId: string,
): ApprovedStage | null {
  const isTheirs = ({ votes }: CompletedStage) => votes.some(({ by }) => by.id === personId);
  const found = approval.stages.slice(0, stage).find(isTheirs);
  const open = stages[stage]?.name;
  return found && open !== undefined ? { approved: found.name, open } : null;
}

/** What the approval of a person has come to, as long as others have to approve, too. */
export type VoteStanding = { kind: 'stage'; stage: ApprovedStage } | ({ kind: 'counts' } & Progress);

/** Null for a request that doesn't wait, or whose rules aren't known. */
export function voteStandingOf(
  { request, policies: [policy] }: Pick<RequestRules, 'request' | 'policies'>,
  personId: string,
): VoteStanding | null {
  if (policy === undefined || request.status !== 'pending') return null;
  const hasVote = request.votes.some(({ by }) => by.id === personId);
  const stage = hasVote ? null : stageApprovedBy(request, policy, personId);
  return stage ? { kind: 'stage', stage } : { kind: 'counts', ...progressOn(policy, request) };
}
