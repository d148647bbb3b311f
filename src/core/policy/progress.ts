// How far a request has come: which approvals there are, and at least how many and whose are missing.

import type { Approval, CompletedStage, Vote } from '../state/approval.ts';
import type { PossibleRules } from './in-force.ts';
import { type Approver, approvalsNeeded, type Policy, quorumNow, stepsOf } from './policy.ts';
import type { RequestRules } from './rules.ts';

/** As what a vote counts; empty for one that needs no place of its own. */
export type CountedAs = Pick<Vote, 'rule' | 'seat' | 'under'>;

/** What the open stage of a request has and lacks by one of its possible rules. */
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
  policy: Pick<PossibleRules, 'quorum' | 'approvers' | 'allOf' | 'escalateTo' | 'isEscalated' | 'place'>,
  votes: readonly CountedAs[],
): Progress {
  const { allOf, place } = policy;
  const counted = votes.flatMap((vote) => countedBy(vote, place));
  const missing = allOf.filter(({ name }) => counted.every(({ seat }) => seat !== name));
  const names = quorumNow(policy).map(({ name }) => name);
  const counting =
    allOf.length === 0 ? counted : counted.filter(({ rule }) => rule !== undefined && names.includes(rule));
  const lacking = Math.max(0, policy.quorum - counting.length);
  const left = Math.max(lacking, missing.length);
  // Who counts for the quorum alone may come on top of those who have a seat.
  const seated = counted.filter(({ seat }) => seat !== undefined);
  const openSeats = Math.max(0, policy.quorum - counting.filter(({ seat }) => seat !== undefined).length);
  const useful = seated.length + Math.min(counting.filter(({ seat }) => seat === undefined).length, openSeats);
  const needed = Math.max(approvalsNeeded(policy), useful + left);
  return { given: needed - left, needed, missing, lacking };
}

/** As what a vote counts by the rules of a place; nothing where it doesn't count by them. */
function countedBy(vote: CountedAs, place: string): Pick<Vote, 'rule' | 'seat'>[] {
  if (!vote.under) return [vote];
  return vote.under.filter((each) => each.place === place);
}

/** The votes of the stages that are complete by these rules. */
export function votesBefore(
  { stages }: Pick<Approval, 'stages'>,
  { stageKeys, stage }: Pick<PossibleRules, 'stageKeys' | 'stage'>,
): readonly Vote[] {
  return stagesBefore(stages, { stageKeys, stage }).flatMap(({ votes }) => votes);
}

/** The stages that are complete by these rules, in their order. */
export function stagesBefore<Stage extends Pick<CompletedStage, 'key'>>(
  stages: readonly Stage[],
  { stageKeys, stage }: Pick<PossibleRules, 'stageKeys' | 'stage'>,
): readonly Stage[] {
  if (stages.length === 0) return [];
  const keys = stageKeys.slice(0, stage);
  return stages.filter(({ key }) => keys.includes(key));
}

/** The votes that may count for the stage that is open by these rules. */
export function votesNow(approval: Pick<Approval, 'stages' | 'votes'>, rules: PossibleRules): readonly Vote[] {
  const before = votesBefore(approval, rules).map(({ by }) => by.id);
  return before.length === 0 ? approval.votes : approval.votes.filter(({ by }) => !before.includes(by.id));
}

/** The progress of a request in a record. */
export function progressOn(policy: PossibleRules, approval: Pick<Approval, 'votes' | 'stages'>): Progress {
  return progressOf(policy, votesNow(approval, policy));
}

/** How many have to approve in all stages, at least. */
export function approvalsInAll(policy: Policy): number {
  return stepsOf(policy).reduce((sum, step) => sum + approvalsNeeded(step), 0);
}

/** How many more have to, in this and the stages that come, at least. */
export function approvalsLeft(policy: PossibleRules, approval: Pick<Approval, 'votes' | 'stages'>): number {
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
  rules: Pick<PossibleRules, 'stages' | 'stage' | 'stageKeys'>,
  personId: string,
): ApprovedStage | null {
  const isTheirs = ({ votes }: CompletedStage) => votes.some(({ by }) => by.id === personId);
  const approved = stagesBefore(approval.stages, rules).find(isTheirs);
  const open = rules.stages[rules.stage]?.name;
  return approved && open !== undefined ? { approved: approved.name, open } : null;
}

/** What the approval of a person has come to, as long as others have to approve, too. */
export type VoteStanding = { kind: 'stage'; stage: ApprovedStage } | ({ kind: 'counts' } & Progress);

/** By the possible rules that want most. Null for a request that doesn't wait, or whose rules aren't known. */
export function voteStandingOf(
  { request, policies }: Pick<RequestRules, 'request' | 'policies'>,
  personId: string,
): VoteStanding | null {
  const policy = mostLacking(policies, request);
  if (policy === null || request.status !== 'pending') return null;
  const hasVote = request.votes.some(({ by }) => by.id === personId);
  const stage = hasVote ? null : stageApprovedBy(request, policy, personId);
  return stage ? { kind: 'stage', stage } : { kind: 'counts', ...progressOn(policy, request) };
}

/** The possible rules by which most approvals are missing; the first of them where several want the same. */
export function mostLacking(
  policies: readonly PossibleRules[],
  approval: Pick<Approval, 'votes' | 'stages'>,
): PossibleRules | null {
  const [first = null, ...others] = policies;
  return others.reduce(
    (most, each) => (most && approvalsLeft(each, approval) > approvalsLeft(most, approval) ? each : most),
    first,
  );
}
