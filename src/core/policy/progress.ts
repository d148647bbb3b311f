// Computes the progress of a request: the approvals that count, and how many and whose are missing at least. Cards, lists and
// transitions ask here. Only the votes themselves count: the next vote judges whether the voters may still decide.

import type { CompletedStage, Discussion, Vote } from '../state/request.ts';
import type { PossibleRules } from './in-force.ts';
import { type Approver, approvalsNeeded, type Policy, quorumNow, stepsOf } from './policy.ts';
import type { RequestRules } from './rules.ts';

/** The way a vote counts; empty for a vote that needs no place of its own. */
export type CountedAs = Pick<Vote, 'rule' | 'seat' | 'under'>;

/** The approvals that the open stage of a request has and lacks by one of its possible rules. */
export interface Progress {
  /** `needed - given` more people, or even more, have to approve. */
  given: number;
  needed: number;
  /** Another person has to approve for each of these. */
  missing: readonly Approver[];
  /** Number of people from `approvers` who have to approve; they may be the same people as for `missing`. */
  lacking: number;
}

/** Returns the progress that these votes make by one of the possible rules. */
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
  // Votes that count for the quorum alone come on top of those that have a seat.
  const seated = counted.filter(({ seat }) => seat !== undefined);
  const openSeats = Math.max(0, policy.quorum - counting.filter(({ seat }) => seat !== undefined).length);
  const useful = seated.length + Math.min(counting.filter(({ seat }) => seat === undefined).length, openSeats);
  const needed = Math.max(approvalsNeeded(policy), useful + left);
  return { given: needed - left, needed, missing, lacking };
}

/** Returns how a vote counts by the rules at a place; empty where it doesn't count. */
function countedBy(vote: CountedAs, place: string): Pick<Vote, 'rule' | 'seat'>[] {
  if (!vote.under) return [vote];
  return vote.under.filter((each) => each.place === place);
}

/** Returns the votes of the stages that are complete by these rules. */
export function votesBefore(
  { stages }: Pick<Discussion, 'stages'>,
  { stageKeys, stage }: Pick<PossibleRules, 'stageKeys' | 'stage'>,
): readonly Vote[] {
  return stagesBefore(stages, { stageKeys, stage }).flatMap(({ votes }) => votes);
}

/** Returns the stages that are complete by these rules, in their order. */
export function stagesBefore<Stage extends Pick<CompletedStage, 'key'>>(
  stages: readonly Stage[],
  { stageKeys, stage }: Pick<PossibleRules, 'stageKeys' | 'stage'>,
): readonly Stage[] {
  if (stages.length === 0) return [];
  const keys = stageKeys.slice(0, stage);
  return stages.filter(({ key }) => keys.includes(key));
}

/** Returns the votes that may count for the stage that is open by these rules. */
export function votesNow(discussion: Pick<Discussion, 'stages' | 'votes'>, rules: PossibleRules): readonly Vote[] {
  const before = votesBefore(discussion, rules).map(({ by }) => by.id);
  return before.length === 0 ? discussion.votes : discussion.votes.filter(({ by }) => !before.includes(by.id));
}

/** Returns the progress of a request's open stage. */
export function progressOn(policy: PossibleRules, discussion: Pick<Discussion, 'votes' | 'stages'>): Progress {
  return progressOf(policy, votesNow(discussion, policy));
}

/** Returns how many people have to approve in all stages, at least. */
export function approvalsInAll(policy: Policy): number {
  return stepsOf(policy).reduce((sum, step) => sum + approvalsNeeded(step), 0);
}

/** Returns how many more people have to approve in the open stage and the later ones, at least. */
export function approvalsLeft(policy: PossibleRules, discussion: Pick<Discussion, 'votes' | 'stages'>): number {
  const { given, needed } = progressOn(policy, discussion);
  const later = stepsOf(policy).slice(policy.stage + 1);
  return needed - given + later.reduce((sum, step) => sum + approvalsNeeded(step), 0);
}

/** The names of a complete stage that a person has approved, and of the one that is open now. */
export interface ApprovedStage {
  approved: string;
  open: string;
}

/** Returns null if the person has approved no complete stage of these rules. */
export function stageApprovedBy(
  discussion: Pick<Discussion, 'stages'>,
  rules: Pick<PossibleRules, 'stages' | 'stage' | 'stageKeys'>,
  personId: string,
): ApprovedStage | null {
  const isTheirs = ({ votes }: CompletedStage) => votes.some(({ by }) => by.id === personId);
  const approved = stagesBefore(discussion.stages, rules).find(isTheirs);
  const open = rules.stages[rules.stage]?.name;
  return approved && open !== undefined ? { approved: approved.name, open } : null;
}

/** The effect of a person's approval as long as others have to approve as well. */
export type VoteStanding = { kind: 'stage'; stage: ApprovedStage } | ({ kind: 'counts' } & Progress);

/** Judges by the rules that need most approvals. Null for a request that doesn't wait, or whose crew isn't configured. */
export function voteStandingOf(
  { request, policies }: Pick<RequestRules, 'request' | 'policies'>,
  personId: string,
): VoteStanding | null {
  const policy = mostLacking(policies, request.discussion);
  if (policy === null || request.state.status !== 'pending') return null;
  const hasVote = request.discussion.votes.some(({ by }) => by.id === personId);
  const stage = hasVote ? null : stageApprovedBy(request.discussion, policy, personId);
  return stage ? { kind: 'stage', stage } : { kind: 'counts', ...progressOn(policy, request.discussion) };
}

/** Returns the first of the possible rules by which most approvals are missing. */
export function mostLacking(
  policies: readonly PossibleRules[],
  discussion: Pick<Discussion, 'votes' | 'stages'>,
): PossibleRules | null {
  const [first = null, ...others] = policies;
  return others.reduce(
    (most, each) => (most && approvalsLeft(each, discussion) > approvalsLeft(most, discussion) ? each : most),
    first,
  );
}
