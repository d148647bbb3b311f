import { canComplete, type DecidersOf, MOST_SEATS, type PeopleFor } from '../../core/policy/enough-people.ts';
import { type Account, type Facts, isSamePerson, NO_FACTS, permits, type Subject } from '../../core/policy/permits.ts';
import type { Approver } from '../../core/policy/policy.ts';
import { accountOf, gatherMembers } from '../../slack/directory/directory.ts';
import { doubtful, type Finding, wrong } from './finding.ts';
import type { PolicyContext, RuleSet, RuleSteps } from './rule-sets.ts';

/** Checks that enough people can decide, even if one of them has started the run. Returns a finding for each problem. */
export async function checkQuorum(
  rules: RuleSet,
  starters: readonly Approver[],
  context: PolicyContext,
): Promise<Finding[]> {
  const { about, approvers, escalateTo } = rules;
  const short = await findShortage(rules, { approvers, starters, context });
  const findings: Finding[] = [];
  if (short === 'unknown') {
    findings.push(
      doubtful(
        about,
        "couldn't find out whether enough people can decide.",
        'Fix what else is wrong, and run this again.',
      ),
    );
  } else if (short) {
    const escalated = await findShortage(rules, { approvers: [...approvers, ...escalateTo], starters, context });
    findings.push(
      escalated === null
        ? doubtful(about, short.found, 'Until it is escalated, it waits in vain. Name more approvers.')
        : wrong(about, short.found, short.advice),
    );
  }
  return [...findings, ...(await checkEscalation(rules, context))];
}

/** Checks that there are enough different people for all stages together. Returns a finding for each problem. */
export async function checkStages(
  { about, steps }: RuleSteps,
  starters: readonly Approver[],
  context: PolicyContext,
): Promise<Finding[]> {
  if (steps.reduce((sum, { allOf }) => sum + allOf.length, 0) > MOST_SEATS) return [];
  const crowds: Crowd[] = [];
  // One after the other, for Slack's rate limits.
  for (const rules of steps) crowds.push(await findCrowd(rules, rules.approvers, context, mostNeeded(steps)));
  const people = differentPeople(crowds.flatMap(({ pools }) => pools.flatMap((pool) => pool.people)));
  const isSure = crowds.every(({ pools }) => pools.every((pool) => pool.isWhole));
  if (!isSure) return [];
  const advice = 'Name more people.';
  if (!canComplete(crowds, people))
    return [
      wrong(about, `each stage takes other people, but only ${namesOf(people)} can decide in any of them.`, advice),
    ];
  const [first] = steps;
  if (!first || first.selfApproval) return [];
  const starter = await findNeededStarter(crowds, { people, starters, guests: first.guests, context });
  if (!starter) return [];
  const observation = `each stage takes other people, and self_approval is false: if ${starter.name} starts a run, too few are left.`;
  return [wrong(about, observation, advice)];
}

/** The reason why too few people can decide. */
interface Shortage {
  found: string;
  advice: string;
}

/** Returns the number of people to look for: one more than needed, because one of them may start the run. */
function mostNeeded(steps: readonly RuleSet[]): number {
  return steps.reduce((sum, { quorum, allOf }) => sum + quorum + allOf.length, 1);
}

/** Returns null if enough people can decide. */
async function findShortage(
  rules: RuleSet,
  {
    approvers,
    starters,
    context,
  }: { approvers: readonly Approver[]; starters: readonly Approver[]; context: PolicyContext },
): Promise<Shortage | null | 'unknown'> {
  const { quorum, selfApproval, guests, right, allOf } = rules;
  const crowd = await findCrowd(rules, approvers, context, mostNeeded([rules]));
  const people = differentPeople(crowd.pools.flatMap((pool) => pool.people));
  if (!canComplete([crowd], people)) {
    if (crowd.pools.some(({ isWhole }) => !isWhole)) return 'unknown';
    return isShort(crowd) ? tooFew(crowd.pools[0].people, { quorum, right }) : noSeats(allOf, crowd, people);
  }
  if (selfApproval) return null;
  const starter = await findNeededStarter([crowd], { people, starters, guests, context });
  if (!starter) return null;
  const others = people.filter((person) => person !== starter);
  const isTooFew = isShort(crowd, starter);
  return {
    found: isTooFew ? withoutStarter(starter, others, quorum) : withoutSeat(starter, allOf),
    advice: isTooFew
      ? 'Name more approvers, lower quorum, or allow self_approval.'
      : 'Name others in all_of, add people to these groups, or allow self_approval.',
  };
}

/** Returns true if there are too few people for the quorum alone. */
function isShort({ quorum, pools: [deciders] }: Crowd, without?: Decider): boolean {
  const left = deciders.people.filter((person) => !without || !isSame(person, without));
  return !deciders.isAnybody && left.length < quorum;
}

function tooFew(people: readonly Decider[], { quorum, right }: Pick<RuleSet, 'quorum' | 'right'>): Shortage {
  if (people.length === 0)
    return {
      found: `nobody can ${right === 'start' ? 'start it' : 'decide'}.`,
      advice: 'Name people who are active members.',
    };
  return {
    found: `quorum is ${quorum}, but only ${namesOf(people)} can decide.`,
    advice: 'Name more approvers, or lower quorum.',
  };
}

function noSeats(allOf: readonly Approver[], { pools: [, ...seats] }: Crowd, people: readonly Decider[]): Shortage {
  const empty = allOf.find((_, i) => seats[i]?.isAnybody === false && seats[i].people.length === 0);
  const among = people.filter((person) => seats.some((seat) => !seat.isAnybody && seat.has(person)));
  return {
    found: empty
      ? `all_of takes one of ${empty.name}, but nobody of these can decide.`
      : `all_of takes another person of each of ${namesIn(allOf)}, but these are only ${namesOf(among)}.`,
    advice: 'Name others in all_of, or add people to these groups.',
  };
}

function withoutSeat(starter: Decider, allOf: readonly Approver[]): string {
  return `all_of takes another person of each of ${namesIn(allOf)}, and self_approval is false: if ${starter.name} starts a run, too few of these are left.`;
}

function namesIn(approvers: readonly Approver[]): string {
  return approvers.map(({ name }) => name).join(' and ');
}

function withoutStarter(starter: Decider, others: readonly Decider[], quorum: number): string {
  const left = others.length === 0 ? 'nobody else can decide' : `only ${namesOf(others)} can decide`;
  return `quorum is ${quorum} and self_approval is false: if ${starter.name} starts a run, ${left}.`;
}

type Crowd = DecidersOf<Pool>;

/** People whom approvers let decide. */
interface Pool extends PeopleFor<Decider> {
  /** All of them, or at least as many as needed. */
  people: readonly Decider[];
  /** True if Slack answered about all of them. */
  isWhole: boolean;
}

async function findCrowd(
  { quorum, allOf, guests }: RuleSet,
  approvers: readonly Approver[],
  context: PolicyContext,
  needed: number,
): Promise<Crowd> {
  const pool = (choice: readonly Approver[]) => findPool({ approvers: choice, guests }, needed, context);
  // One after the other, for Slack's rate limits.
  const pools: [Pool, ...Pool[]] = [await pool(approvers)];
  for (const seat of allOf.slice(0, MOST_SEATS)) pools.push(await pool([seat]));
  return { quorum, pools };
}

/** Returns a person who may start runs, and without whom there are too few people. */
async function findNeededStarter(
  crowds: readonly Crowd[],
  {
    people,
    starters,
    guests,
    context,
  }: { people: readonly Decider[]; starters: readonly Approver[]; guests: boolean; context: PolicyContext },
): Promise<Decider | undefined> {
  const needed = people.filter(
    (person) =>
      !person.isNamedByInput &&
      !canComplete(
        crowds,
        people.filter((each) => each !== person),
      ),
  );
  const [starter] = await findPermitted(needed, { approvers: starters, guests }, context);
  return starter;
}

async function checkEscalation({ about, escalateTo, guests }: RuleSet, context: PolicyContext): Promise<Finding[]> {
  if (escalateTo.length === 0) return [];
  const pool = await findPool({ approvers: escalateTo, guests }, 1, context);
  if (pool.isAnybody || !pool.isWhole || pool.people.length > 0) return [];
  return [wrong(about, 'nobody in escalate_to can decide.', 'Name people who are active members.')];
}

function namesOf(people: readonly Decider[]): string {
  return people.map(({ name }) => name).join(' and ');
}

interface Decider {
  id: string;
  name: string;
  account: Account;
  /** The person that an input names, who can't be the starter. */
  isNamedByInput?: true;
}

type WhoDecides = Pick<RuleSet, 'approvers' | 'guests'>;

/** A run without anything that changes who may decide. */
const ANY_RUN: Subject = { starterId: null, handedOver: [] };
/** Number of people to look up at once. */
const AT_ONCE = 10;

/**
 * Returns the different people for whom approvers stand, at least `needed` if there are that many. The workspace counts as enough
 * people, and so do the members of an unknown channel. An input stands for one person.
 */
async function findPool(rules: WhoDecides, needed: number, context: PolicyContext): Promise<Pool> {
  const { approvers } = rules;
  const { channel } = context;
  if (approvers.some(({ kind }) => kind === 'workspace' || (kind === 'channel' && channel === null)))
    return { isAnybody: true, people: [], isWhole: true, has: () => true };
  const members = await gatherMembers(context.directory, approvers, channel ?? '');
  const personIds = approvers.flatMap(({ kind, name }) => (kind === 'person' ? [name] : [...(members[name] ?? [])]));
  const people = approvers.flatMap((approver) => (approver.kind === 'input' ? [namedByInput(approver)] : []));
  let isWhole = !Object.values(members).includes(null);
  for (const ids of chunks([...new Set(personIds)])) {
    if (people.length >= needed) break;
    const persons = await Promise.all(ids.map((id) => findPerson(id, context)));
    isWhole &&= !persons.includes('unknown');
    for (const person of persons)
      if (typeof person === 'object' && person) addDecider(people, person, { rules, members });
  }
  const has = (person: Decider) =>
    people.some((each) => isSame(each, person)) || (!person.isNamedByInput && isPermitted(person, { rules, members }));
  return { isAnybody: false, people, isWhole, has };
}

function namedByInput({ name }: Approver): Decider {
  const account = { identities: [name], isBot: false, isDeactivated: false, isGuest: false, isStranger: false };
  return { id: name, name: `whom ${name} names`, account, isNamedByInput: true };
}

function isSame(one: Decider, other: Decider): boolean {
  const accounts = { [one.id]: one.account, [other.id]: other.account };
  return isSamePerson(one.id, other.id, { ...NO_FACTS, accounts });
}

/** Returns each person once, whatever accounts they have. */
function differentPeople(people: readonly Decider[]): Decider[] {
  return people.filter((person, i) => !people.slice(0, i).some((each) => isSame(each, person)));
}

/** Returns the people who are permitted by other rules, too. */
async function findPermitted(
  people: readonly Decider[],
  rules: WhoDecides,
  { directory, channel }: PolicyContext,
): Promise<Decider[]> {
  const { approvers } = rules;
  if (channel === null && approvers.some(({ kind }) => kind === 'channel')) return [...people];
  const members = await gatherMembers(directory, approvers, channel ?? '');
  return people.filter((person) => isPermitted(person, { rules, members }));
}

interface RulesWithMembers {
  rules: WhoDecides;
  members: Facts['members'];
}

function addDecider(people: Decider[], person: Decider, rules: RulesWithMembers): void {
  if (!people.some((each) => isSame(each, person)) && isPermitted(person, rules)) people.push(person);
}

function isPermitted({ id, account }: Decider, { rules, members }: RulesWithMembers): boolean {
  const facts: Facts = { accounts: { [id]: account }, members, connected: null };
  const policy = {
    ...rules,
    allOf: [],
    escalateTo: [],
    selfApproval: true,
    startedElsewhere: [],
    delegation: 'none',
    isEscalated: false,
  } as const;
  return permits(policy, ANY_RUN, id, facts).kind === 'permitted';
}

/** Returns null if there is no such person. */
async function findPerson(id: string, { lookUps, identity }: PolicyContext): Promise<Decider | null | 'unknown'> {
  try {
    const user = await lookUps.user(id, 'fact');
    const account = user && accountOf(user, { personId: id, identity });
    return user && account && { id, name: user.name ?? id, account };
  } catch {
    return 'unknown';
  }
}

function chunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => ids.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
}
