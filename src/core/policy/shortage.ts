// Whether enough people are left to complete a request by each of its possible rules, and if not, why.

import type { Vote } from '../state/approval.ts';
import type { Shortage } from '../state/shortage.ts';
import { canComplete, type DecidersOf, MOST_SEATS, type PeopleFor } from './enough-people.ts';
import { type Facts, isSamePerson, permitsByRules, type Rules } from './evaluate.ts';
import type { PossibleRules } from './in-force.ts';
import { type Approver, approvalsNeeded, approversNow, quorumNow, type StagePolicy } from './policy.ts';
import { votesBefore, votesNow } from './progress.ts';
import type { RequestRules } from './rules.ts';

/** Whether it has to be found out who is left: the workspace or a channel always has enough people. */
export function canRunShort(policies: readonly PossibleRules[]): boolean {
  return policies.some((rules) => {
    const named = stepsLeft(rules).flatMap((step) => [step.approvers, ...step.allOf.map((each) => [each])]);
    return (rules.isEscalated && rules.escalateTo.length > 0) || !named.every(isForAnybody);
  });
}

/**
 * Why the possible rules of a request can't be completed; none for rules that can. `unsure`: Slack can't tell.
 * @param people all whom these rules name. With only some of them, no shortage is still certain.
 */
export function shortagesOf(rules: RequestRules, people: readonly string[], facts: Facts): Shortage[] | 'unsure' {
  const shortages = rules.policies.flatMap((policy) => shortageOf(policy, rules, { people, facts }));
  const answers = [...Object.values(facts.members), ...people.map((id) => facts.accounts[id] ?? null)];
  return shortages.length > 0 && answers.includes(null) ? 'unsure' : shortages;
}

/** Whether none of those who are asked to decide could. */
export function isLeftToNobody({ policies }: Pick<RequestRules, 'policies'>, shortages: readonly Shortage[]): boolean {
  const lacks = ({ place }: PossibleRules) =>
    shortages.some((each) => each.place === place && each.lack === 'nobody' && each.isOpen);
  return policies.length > 0 && policies.every(lacks);
}

interface Known {
  people: readonly string[];
  facts: Facts;
}

/** A stage that isn't complete yet, as it is in force. */
type Step = StagePolicy & Pick<PossibleRules, 'isEscalated'>;

function stepsLeft(rules: PossibleRules): Step[] {
  const { stages, stage, ...open } = rules;
  const later = stages.slice(stage + 1).map((each) => ({ ...each, isEscalated: false }));
  return [{ ...open, name: stages[stage]?.name ?? '' }, ...later];
}

function shortageOf(policy: PossibleRules, { request, subject }: RequestRules, known: Known): Shortage[] {
  const steps = stepsLeft(policy);
  const [open] = steps;
  if (!open || steps.reduce((sum, { allOf }) => sum + allOf.length, 0) > MOST_SEATS) return [];
  const people = differentPeople(known);
  const used = holdersOf(votesBefore(request, policy));
  const voted = holdersOf(votesNow(request, policy));
  const isAmong = (ids: readonly string[], person: string) => ids.some((id) => isSamePerson(id, person, known.facts));
  const crowdsOf = (wanted: readonly Step[], without: (step: Step, person: string) => boolean) =>
    wanted.map((step) =>
      crowdOf(step, (person) => !without(step, person) && !isAmong(used, person), { ...known, subject }),
    );
  const [openCrowd] = crowdsOf([open], () => false);
  // An approval counts for the stage that is open if it can, and so for no later one.
  const hasVoted = (step: Step, person: string) =>
    step !== open &&
    isAmong(voted, person) &&
    openCrowd?.pools.some((pool) => !pool.isAnybody && pool.has(person)) === true;
  const crowds = crowdsOf(steps, hasVoted);
  const failing = crowds.findIndex((_, i) => !canComplete(crowds.slice(0, i + 1), people));
  const step = steps[failing];
  const crowd = crowds[failing];
  const shortage = { place: policy.place, stage: step?.name || null, isOpen: step === open };
  if (!step || !crowd) {
    const others = policy.escalateTo.length > 0 && policy.isEscalated && !isForAnybody(policy.escalateTo);
    if (!others) return [];
    const pool = poolOf(policy.escalateTo, policy, () => true, { ...known, subject });
    return people.some((person) => pool.has(person))
      ? []
      : [
          {
            ...shortage,
            ...{ stage: null, isOpen: true, lack: 'escalation', why: 'inactive', needed: 1, left: [] },
            ...{ approvers: policy.escalateTo.map(({ name }) => name), untilEscalated: false },
          },
        ];
  }
  const escalated = [{ ...open, isEscalated: true }, ...steps.slice(1)];
  const untilEscalated =
    policy.escalateAfterMs !== null &&
    !policy.isEscalated &&
    canComplete(
      crowdsOf(escalated, () => false),
      people,
    );
  return [{ ...shortage, ...lackOf(steps.slice(0, failing + 1), crowds, { people, known, subject }), untilEscalated }];
}

/** What the last of these steps lacks. */
function lackOf(
  steps: readonly Step[],
  crowds: readonly Crowd[],
  { people, known, subject }: { people: readonly string[]; known: Known; subject: RequestRules['subject'] },
): Pick<Shortage, 'lack' | 'why' | 'approvers' | 'needed' | 'left'> {
  const last = steps.length - 1;
  const step = steps[last];
  const crowd = crowds[last];
  if (!step || !crowd) throw new RangeError('There is no step.');
  const leftIn = (each: Crowd) =>
    people.filter((person) => each.pools.some((pool) => !pool.isAnybody && pool.has(person)));
  const left = leftIn(crowd);
  const isBarred = (named: readonly Approver[]) => ({
    starter: poolOf(named, { ...step, selfApproval: true }, () => true, { ...known, subject }),
    anybody: poolOf(named, step, () => true, { ...known, subject }),
  });
  const whyNone = (named: readonly Approver[]): Shortage['why'] => {
    const { starter, anybody } = isBarred(named);
    if (people.some((person) => anybody.has(person))) return 'voted';
    return people.some((person) => starter.has(person)) ? 'starter' : 'inactive';
  };
  const lacking = (lack: Shortage['lack'], named: readonly Approver[]) => ({
    ...{ lack, why: whyNone(named), needed: approvalsNeeded(step), left },
    approvers: [...new Set(named.map(({ name }) => name))],
  });
  if (left.length === 0 && crowd.pools.every(({ isAnybody }) => !isAnybody))
    return lacking('nobody', approversNow(step));
  const [, ...seats] = crowd.pools;
  const empty = step.allOf.find((_, i) => seats[i]?.isAnybody === false && !people.some((each) => seats[i]?.has(each)));
  if (empty) return lacking('seat', [empty]);
  const isAlone = canComplete([crowd], people);
  if (!isAlone) return lacking('people', approversNow(step));
  const all = crowds.slice(0, last + 1).flatMap(leftIn);
  const needed = steps.reduce((sum, each) => sum + approvalsNeeded(each), 0);
  return { ...lacking('stages', steps.flatMap(approversNow)), needed, left: [...new Set(all)] };
}

type Crowd = DecidersOf<PeopleFor<string>>;
type Judged = Known & Pick<RequestRules, 'subject'>;

function crowdOf(step: Step, isFree: (person: string) => boolean, judged: Judged): Crowd {
  const pool = (named: readonly Approver[]) => poolOf(named, step, isFree, judged);
  return { quorum: step.quorum, pools: [pool(quorumNow(step)), ...step.allOf.map((seat) => pool([seat]))] };
}

/** What was handed over adds nobody: it uses the right of somebody who could decide themselves. */
function poolOf(
  approvers: readonly Approver[],
  step: Rules,
  isFree: (person: string) => boolean,
  { subject, facts }: Judged,
): PeopleFor<string> {
  if (isForAnybody(approvers)) return { isAnybody: true, has: () => true };
  const named = { ...step, approvers, allOf: [], escalateTo: [], isEscalated: false };
  // People can still connect a token of their own.
  const has = (person: string) =>
    permitsByRules(named, subject, person, { ...facts, connected: null }).kind === 'permitted';
  return { isAnybody: false, has: (person) => isFree(person) && has(person) };
}

function isForAnybody(approvers: readonly Approver[]): boolean {
  return approvers.some(({ kind }) => kind === 'workspace' || kind === 'channel');
}

/** Whose rights votes use. */
function holdersOf(votes: readonly Vote[]): string[] {
  return votes.flatMap(({ by, for: holder }) => [by.id, ...(holder ? [holder.id] : [])]);
}

/** Each once, whatever accounts they have. */
function differentPeople({ people, facts }: Known): string[] {
  return people.filter((id, i) => !people.slice(0, i).some((other) => isSamePerson(id, other, facts)));
}
