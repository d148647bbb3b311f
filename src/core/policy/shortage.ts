// Judges whether enough people are left to complete a request, and why not: `undecidable.ts` and the directory of people ask here,
// and the thread says so. A "crowd" is the people who can decide one stage, a "pool" the people who can take one of its places.

import { peopleBehind } from '../state/request.ts';
import type { Shortage } from '../state/shortage.ts';
import { canComplete, type DecidersOf, MOST_SEATS, type PeopleFor } from './enough-people.ts';
import { type PossibleRules, stepsFrom } from './in-force.ts';
import { type Facts, isSamePerson, permitsByRules, type Rules } from './permits.ts';
import { type Approver, approvalsNeeded, approversNow, quorumNow } from './policy.ts';
import { votesBefore, votesNow } from './progress.ts';
import type { RequestRules } from './rules.ts';

/** Returns false if the request can't run short of people: the workspace and a channel always have enough. */
export function canRunShort(policies: readonly PossibleRules[]): boolean {
  return policies.some((rules) => {
    const choices = stepsFrom(rules).flatMap((step) => [step.approvers, ...step.allOf.map((each) => [each])]);
    return (rules.isEscalated && rules.escalateTo.length > 0) || !choices.every(isForAnybody);
  });
}

/**
 * Returns why possible rules of a request can't be completed; nothing for rules that can. `unsure`: Slack can't tell.
 * @param people the ids of all people whom these rules name. If some are left out, an empty result is still right.
 */
export function shortagesOf(rules: RequestRules, people: readonly string[], facts: Facts): Shortage[] | 'unsure' {
  const shortages = rules.policies.flatMap((policy) => shortageOf(policy, rules, { people, facts }));
  const answers = [...Object.values(facts.members), ...people.map((id) => facts.accounts[id] ?? null)];
  return shortages.length > 0 && answers.includes(null) ? 'unsure' : shortages;
}

/** Returns true if nobody at all can decide the open stage, by any of the possible rules. */
export function isLeftToNobody({ policies }: Pick<RequestRules, 'policies'>, shortages: readonly Shortage[]): boolean {
  const lacks = ({ place }: PossibleRules) =>
    shortages.some((each) => each.place === place && each.lack === 'nobody' && each.isOpen);
  return policies.length > 0 && policies.every(lacks);
}

interface People {
  people: readonly string[];
  facts: Facts;
}

function shortageOf(policy: PossibleRules, { request, subject }: RequestRules, facts: People): Shortage[] {
  const steps = stepsFrom(policy);
  const [open, ...later] = steps;
  if (steps.reduce((sum, { allOf }) => sum + allOf.length, 0) > MOST_SEATS) return [];
  const people = differentPeople(facts);
  const judged = { ...facts, subject };
  const used = peopleBehind(votesBefore(request.discussion, policy));
  const voted = peopleBehind(votesNow(request.discussion, policy));
  const isAmong = (ids: readonly string[], person: string) => ids.some((id) => isSamePerson(id, person, facts.facts));
  const isFree = (person: string) => !isAmong(used, person);
  const openCrowd = crowdOf(open, isFree, judged);
  // An approval that can count for the open stage doesn't count for a later one.
  const countsNow = (person: string) => isAmong(voted, person) && isListedIn(openCrowd, person);
  const laterCrowds = later.map((step) => crowdOf(step, (person) => isFree(person) && !countsNow(person), judged));
  const crowds = [openCrowd, ...laterCrowds];
  const failing = crowds.findIndex((_, i) => !canComplete(crowds.slice(0, i + 1), people));
  const step = steps[failing];
  if (!step) return unusedEscalation(policy, people, judged);
  const escalated = [{ ...open, isEscalated: true }, ...later].map((each) => crowdOf(each, isFree, judged));
  const canEscalate = policy.escalateAfterMs !== null && !policy.isEscalated;
  return [
    {
      place: policy.place,
      stage: stageName(step),
      isOpen: step === open,
      ...lackOf(steps.slice(0, failing + 1), crowds, { people, judged }),
      untilEscalated: canEscalate && canComplete(escalated, people),
    },
  ];
}

function stageName({ stages, stage }: PossibleRules): string | null {
  return stages[stage]?.name ?? null;
}

/** Returns a shortage if nobody to whom the request was escalated can decide it, although others can. */
function unusedEscalation(policy: PossibleRules, people: readonly string[], judged: Judged): Shortage[] {
  const { place, isEscalated, escalateTo } = policy;
  if (!isEscalated || escalateTo.length === 0) return [];
  const pool = poolOf(escalateTo, policy, () => true, judged);
  if (pool.isAnybody || people.some(pool.has)) return [];
  const approvers = escalateTo.map(({ name }) => name);
  const lack = { lack: 'escalation', why: 'inactive', approvers, needed: 1, left: [] } as const;
  return [{ place, stage: null, isOpen: true, ...lack, untilEscalated: false }];
}

/** Returns what the last of these steps lacks. */
function lackOf(
  steps: readonly PossibleRules[],
  crowds: readonly Crowd[],
  { people, judged }: { people: readonly string[]; judged: Judged },
): Pick<Shortage, 'lack' | 'why' | 'approvers' | 'needed' | 'left'> {
  const last = steps.length - 1;
  const step = steps[last];
  const crowd = crowds[last];
  if (!step || !crowd) throw new RangeError('There is no step.');
  const leftIn = (each: Crowd) => people.filter((person) => isListedIn(each, person));
  const left = leftIn(crowd);
  const whyNone = (approvers: readonly Approver[]): Shortage['why'] => {
    const anybody = poolOf(approvers, step, () => true, judged);
    if (people.some(anybody.has)) return 'voted';
    const withStarter = poolOf(approvers, { ...step, selfApproval: true }, () => true, judged);
    return people.some(withStarter.has) ? 'starter' : 'inactive';
  };
  const lacking = (lack: Shortage['lack'], choice: readonly Approver[]) => {
    const approvers = [...new Set(choice.map(({ name }) => name))];
    return { lack, why: whyNone(choice), approvers, needed: approvalsNeeded(step), left };
  };
  if (left.length === 0 && crowd.pools.every(({ isAnybody }) => !isAnybody))
    return lacking('nobody', approversNow(step));
  const [, ...seats] = crowd.pools;
  const empty = step.allOf.find((_, i) => seats[i]?.isAnybody === false && !people.some((each) => seats[i]?.has(each)));
  if (empty) return lacking('seat', [empty]);
  if (!canComplete([crowd], people)) return lacking('people', approversNow(step));
  const all = crowds.slice(0, last + 1).flatMap(leftIn);
  const needed = steps.reduce((sum, each) => sum + approvalsNeeded(each), 0);
  return { ...lacking('stages', steps.flatMap(approversNow)), needed, left: [...new Set(all)] };
}

type Crowd = DecidersOf<PeopleFor<string>>;
type Judged = People & Pick<RequestRules, 'subject'>;

/** Returns true if a pool that isn't open to everybody has this person. */
function isListedIn({ pools }: Crowd, person: string): boolean {
  return pools.some((pool) => !pool.isAnybody && pool.has(person));
}

function crowdOf(step: PossibleRules, isFree: (person: string) => boolean, judged: Judged): Crowd {
  const pool = (approvers: readonly Approver[]) => poolOf(approvers, step, isFree, judged);
  return { quorum: step.quorum, pools: [pool(quorumNow(step)), ...step.allOf.map((seat) => pool([seat]))] };
}

/** Returns the people who can take a place. Hand-overs add nobody: they use the right of somebody who could decide themselves. */
function poolOf(
  approvers: readonly Approver[],
  step: Rules,
  isFree: (person: string) => boolean,
  { subject, facts }: Judged,
): PeopleFor<string> {
  if (isForAnybody(approvers)) return { isAnybody: true, has: () => true };
  const rules = { ...step, approvers, allOf: [], escalateTo: [], isEscalated: false };
  // People can still connect a token of their own.
  const has = (person: string) =>
    permitsByRules(rules, subject, person, { ...facts, connected: null }).kind === 'permitted';
  return { isAnybody: false, has: (person) => isFree(person) && has(person) };
}

function isForAnybody(approvers: readonly Approver[]): boolean {
  return approvers.some(({ kind }) => kind === 'workspace' || kind === 'channel');
}

/** Keeps one account of each person. */
function differentPeople({ people, facts }: People): string[] {
  return people.filter((id, i) => !people.slice(0, i).some((other) => isSamePerson(id, other, facts)));
}
