// Judges the effect of a verdict: `decide.ts` asks `evaluate` for each click, `name-task.ts` asks `evaluateVotes` once a request
// has fewer possible rules. `permits.ts` judges whether one person may decide.

import type { Verdict } from '../state/request.ts';
import { hasNextStage, nextStage, type PossibleRules, stepsFrom } from './in-force.ts';
import { matchPlaces } from './matching.ts';
import {
  countsAs,
  type Denial,
  type Facts,
  isSamePerson,
  mostTelling,
  type Permitted,
  permits,
  type Right,
  type Subject,
} from './permits.ts';
import { type Approver, mustBeLookedUp, quorumNow } from './policy.ts';

/** The votes on a request, and what they are judged by. */
interface Votes {
  subject: Subject;
  /** The ids of the voters, oldest vote first. */
  votes: readonly string[];
  /** The ids of the voters who have signed in to approve. */
  signedIn: readonly string[];
  /** The stages that are complete by any of the possible rules: who approved them, and whose rights they used. */
  stages: readonly { key: string; used: readonly UsedRight[] }[];
  facts: Facts;
}

/** A verdict that a person gives now, after the earlier votes. */
interface Ballot extends Votes {
  verdict: Verdict;
  personId: string;
}

interface UsedRight {
  personId: string;
  holder: string;
}

/** A vote that counts by the rules at `place`. */
export interface CountedVote {
  personId: string;
  place: string;
  /** The rule that lets the voter decide. */
  rule: string;
  right: Right;
  /** The approver that stands for the voter, where the right is lent and only people whom the policy names may use it. */
  named?: string | undefined;
  /** The approver of `allOf` for whom the vote stands. */
  seat?: string | undefined;
}

/**
 * A vote that no possible rules count any more: its voter may no longer decide, another vote uses the same right, or approving now
 * takes a sign-in that the vote lacks.
 */
export interface LapsedVote {
  personId: string;
  denial: NotCounted;
}

type NotCounted = Denial | { kind: 'not-signed-in' };

/** The progress that the votes make by one of the possible rules of a request. */
export interface Course {
  /** The rules of the stage that the votes leave open. */
  rules: PossibleRules;
  /** The stages that the votes complete before that one, in their order. */
  completes: readonly { key: string; name: string; votes: readonly CountedVote[] }[];
  /** The votes that count for the open stage, oldest first. */
  votes: readonly CountedVote[];
  /** Number of approvals that are missing at least, among them one for each approver in `missing`. */
  more: number;
  missing: readonly string[];
}

/**
 * The effect of a verdict. `decides`: it completes the decision. `counts`: it is a vote, and others are needed. `not-signed-in`:
 * it would count if the person signed in.
 */
export type Evaluation = Counted | { kind: 'refused'; denial: Denial } | { kind: 'not-signed-in' };

export interface Counted {
  kind: 'decides' | 'counts';
  /** The verdict as it counts by each of the rules that count it. */
  own: readonly [CountedVote, ...CountedVote[]];
  /** One for each of the possible rules; empty for a rejection, which needs no votes and ends none. */
  courses: readonly Course[];
  lapsed: readonly LapsedVote[];
}

/**
 * Judges a verdict by all possible rules. An approval decides once it is complete by each of them. A person may approve or reject
 * if one of the rules lets them decide, and decline only if each does. While Slack can't tell about one of the voters, nothing is
 * approved.
 */
export function evaluate(policies: readonly PossibleRules[], { verdict, personId, ...ballot }: Ballot): Evaluation {
  const { subject, facts } = ballot;
  const permitted: CountedVote[] = [];
  const denials: Denial[] = [];
  for (const rules of policies) {
    const permit = permits(rules, subject, personId, facts);
    if (permit.kind === 'denied') denials.push(permit.denial);
    else permitted.push(countedBy(rules, { ...permit, personId }, permit.rights[0]));
  }
  const [first, ...others] = permitted;
  const denial = denials.length === 0 ? undefined : mostTelling(denials);
  if (denial && (!first || verdict === 'decline')) return { kind: 'refused', denial };
  if (!first) throw new RangeError('A request without rules can not be judged.');
  if (verdict !== 'approve') return { kind: 'decides', own: [first, ...others], courses: [], lapsed: [] };
  if (denial?.kind === 'unsure') return { kind: 'refused', denial };
  const earlier = ballot.votes.filter((id) => !isSamePerson(id, personId, facts));
  const signedIn = [...ballot.signedIn, personId];
  const tally = countByAll(policies, { ...ballot, votes: [...earlier, personId], signedIn });
  if (tally.kind === 'unsure') return { kind: 'refused', denial: tally.denial };
  const { courses, reasons } = tally;
  const [own, ...ownOthers] = courses.flatMap(votesIn).filter((vote) => vote.personId === personId);
  const reason = reasons.get(personId);
  if (!own)
    return reason && reason.kind !== 'not-signed-in' ? { kind: 'refused', denial: reason } : { kind: 'not-signed-in' };
  if (takesSignIn(courses, personId) && !ballot.signedIn.includes(personId)) return { kind: 'not-signed-in' };
  const kind = courses.every(({ more }) => more === 0) ? 'decides' : 'counts';
  const lapsed = earlier.length === 0 ? [] : lapsedIn(earlier, tally, ballot);
  return { kind, own: [own, ...ownOthers], courses, lapsed };
}

/** Judges the existing votes after the possible rules have become fewer. `unsure`: Slack can't tell about a voter. */
export function evaluateVotes(
  policies: readonly PossibleRules[],
  ballot: Votes,
): { kind: 'unsure'; denial: Denial } | { kind: 'judged'; courses: readonly Course[]; lapsed: readonly LapsedVote[] } {
  const tally = countByAll(policies, ballot);
  return tally.kind === 'unsure' ? tally : { ...tally, lapsed: lapsedIn(ballot.votes, tally, ballot) };
}

/** Returns all votes that a course counts, those of the stages that they complete included. */
export function votesIn({ completes, votes }: Course): CountedVote[] {
  return [...completes.flatMap((stage) => stage.votes), ...votes];
}

/** Returns true if rules that count the approval of a person require them to sign in. */
export function takesSignIn(courses: readonly Course[], personId: string): boolean {
  const isCounted = (votes: readonly CountedVote[]) => votes.some((vote) => vote.personId === personId);
  return courses.some(({ rules, completes, votes }) => {
    const needsSignIn = (stage: string) => rules.stages.find(({ name }) => name === stage)?.stepUp === true;
    return (
      (rules.stepUp && isCounted(votes)) || completes.some((stage) => isCounted(stage.votes) && needsSignIn(stage.name))
    );
  });
}

interface Tally {
  kind: 'judged';
  courses: readonly Course[];
  /** Reasons why some rules don't count a vote, by the voter's id. */
  reasons: ReadonlyMap<string, NotCounted>;
}

/** Counts the votes by each of the rules, which have their own seats and stages. */
function countByAll(policies: readonly PossibleRules[], ballot: Votes): Tally | { kind: 'unsure'; denial: Denial } {
  const reasons = new Map<string, NotCounted>();
  const courses: Course[] = [];
  for (const rules of policies) {
    const course = courseBy(rules, ballot, reasons);
    if ('kind' in course) return { kind: 'unsure', denial: course };
    courses.push(course);
  }
  return { kind: 'judged', courses, reasons };
}

function courseBy(policy: PossibleRules, ballot: Votes, reasons: Map<string, NotCounted>): Course | Denial {
  const completes: Course['completes'][number][] = [];
  let before = ballot.stages.length === 0 ? [] : usedBefore(policy, ballot.stages);
  for (let rules = policy; ; rules = nextStage(rules)) {
    const counted = countVotes(rules, { ...ballot, before, reasons });
    if ('kind' in counted) return counted;
    const seated = seatVotes(rules, counted, ballot);
    if ('kind' in seated) return seated;
    const { more, missing, votes } = seated;
    if (more > 0 || !hasNextStage(rules)) return { rules, completes, votes, more, missing };
    completes.push({ key: rules.stageKeys[rules.stage] ?? '', name: rules.stages[rules.stage]?.name ?? '', votes });
    before = [...before, ...votes.map(({ personId, right }) => ({ personId, holder: right.holder }))];
  }
}

/** Returns who approved the stages before the open one, and whose rights they used. */
function usedBefore({ stageKeys, stage }: PossibleRules, stages: Votes['stages']): readonly UsedRight[] {
  const keys = stageKeys.slice(0, stage);
  return stages.filter(({ key }) => keys.includes(key)).flatMap(({ used }) => used);
}

/** Counts the votes by one set of rules: once for each person, whatever accounts they have, and once for each right. */
function countVotes(
  rules: PossibleRules,
  ballot: Votes & { before: readonly UsedRight[]; reasons: Map<string, NotCounted> },
): CountedVote[] | Denial {
  const { subject, votes, signedIn, before, facts, reasons } = ballot;
  const valid: PermittedVote[] = [];
  for (const personId of votes) {
    const earlier = [...before, ...valid].find((each) => isSamePerson(each.personId, personId, facts));
    if (earlier) {
      reasons.set(personId, { kind: 'right-used', by: earlier.personId });
      continue;
    }
    const permit = permits(rules, subject, personId, facts);
    if (permit.kind === 'denied') {
      if (permit.denial.kind === 'unsure') return permit.denial;
      // A reason from rules that let the person decide says more, so it stays.
      if (!reasons.has(personId)) reasons.set(personId, permit.denial);
    } else if (rules.stepUp && !signedIn.includes(personId)) reasons.set(personId, { kind: 'not-signed-in' });
    else valid.push({ ...permit, personId });
  }
  const [only] = valid;
  // The first voter can use any of their rights.
  if (only && valid.length === 1 && before.length === 0) return [countedBy(rules, only, only.rights[0])];
  const assigned = assignRights(valid, before, facts);
  return valid.flatMap((vote) => {
    const right = assigned.rightOf(vote);
    if (right) return [countedBy(rules, vote, right)];
    reasons.set(vote.personId, assigned.denialOf(vote));
    return [];
  });
}

function countedBy({ place }: PossibleRules, { personId, rule, named }: PermittedVote, right: Right): CountedVote {
  return { personId, place, rule, right, named };
}

/** Seats the votes, and says what they lack. Votes on a seat of `allOf` count for the quorum only if `approvers` let them in. */
function seatVotes(
  rules: PossibleRules,
  votes: readonly CountedVote[],
  { facts }: Pick<Votes, 'facts'>,
): Pick<Course, 'votes' | 'more' | 'missing'> | Denial {
  const names = quorumNow(rules).map(({ name }) => name);
  const lacking = Math.max(0, rules.quorum - votes.filter(({ right: { rule } }) => names.includes(rule)).length);
  if (rules.allOf.length === 0) return { votes, more: lacking, missing: [] };
  const seats = assignSeats(rules.allOf, votes, facts);
  const taken = new Set(seats.values());
  const missing = rules.allOf.filter(({ name }) => !taken.has(name));
  const unsure = missing.find((each) => mustBeLookedUp(each) && !facts.members[each.name]);
  const [voter] = votes.slice(-1);
  if (unsure && voter) return { kind: 'unsure', personId: voter.personId, approver: unsure.name };
  const seated = votes.map((vote) => {
    const seat = seats.get(vote);
    return seat === undefined ? vote : { ...vote, seat };
  });
  return { votes: seated, more: Math.max(lacking, missing.length), missing: missing.map(({ name }) => name) };
}

/** Returns the votes that no rules count, neither now nor, as far as Slack can tell, in a later stage. */
function lapsedIn(votes: readonly string[], { courses, reasons }: Tally, ballot: Votes): LapsedVote[] {
  const { subject, facts, stages } = ballot;
  const isOfUse = (personId: string) =>
    courses.some((course) => {
      const { rules } = course;
      const used = [...usedBefore(rules, stages), ...votesIn(course)];
      if (used.some((each) => isSamePerson(each.personId, personId, facts))) return true;
      const [, ...later] = stepsFrom(rules);
      return later.some((step) => {
        const permit = permits(step, subject, personId, facts);
        return permit.kind === 'permitted' || permit.denial.kind === 'unsure';
      });
    });
  return votes.flatMap((personId) => {
    const denial = reasons.get(personId);
    return denial && !isOfUse(personId) ? [{ personId, denial }] : [];
  });
}

/** Gives as many approvers of `allOf` as possible a vote of their own. Returns the names of the approvers by their votes. */
function assignSeats(
  allOf: readonly Approver[],
  votes: readonly CountedVote[],
  facts: Facts,
): ReadonlyMap<CountedVote, string> {
  const names = new Set(allOf.map(({ name }) => name));
  return matchPlaces([...names], (name) => {
    const approvers = allOf.filter((each) => each.name === name);
    return votes.filter(({ right }) => approvers.some((each) => countsAs(each, right.holder, facts)));
  });
}

interface PermittedVote extends Permitted {
  personId: string;
}

/** Gives as many votes as possible a right of their own, the oldest first. A right that an earlier stage used is used for good. */
function assignRights(votes: readonly PermittedVote[], before: readonly UsedRight[], facts: Facts) {
  const holders: string[] = [];
  /** One number for all accounts of the holder. */
  const placeOf = ({ holder }: Right): number => {
    const place = holders.findIndex((id) => isSamePerson(id, holder, facts));
    return place === -1 ? holders.push(holder) - 1 : place;
  };
  const useBefore = ({ holder: own }: Right) =>
    before.find(({ personId, holder }) => [personId, holder].some((id) => isSamePerson(id, own, facts)));
  const unused = ({ rights }: PermittedVote) => rights.filter((right) => !useBefore(right));
  const users = matchPlaces(votes, (vote) => unused(vote).map(placeOf));
  return {
    rightOf(vote: PermittedVote): Right | undefined {
      return unused(vote).find((each) => users.get(placeOf(each)) === vote);
    },
    denialOf({ rights: [right] }: PermittedVote): Denial {
      const user = useBefore(right) ?? users.get(placeOf(right));
      return { kind: 'right-used', by: user?.personId ?? '' };
    },
  };
}
