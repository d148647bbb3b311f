import { type Account, type Facts, isSamePerson, permits, type Subject } from '../core/approval/policy/evaluate.ts';
import type { Approver } from '../core/approval/policy/policy.ts';
import { accountOf, gatherMembers } from '../slack/directory/directory.ts';
import { doubtful, type Finding, wrong } from './finding.ts';
import type { PolicyContext, RuleSet } from './rule-sets.ts';

/** Checks that enough people can decide, even if one of them has started the run. A finding for each problem. */
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

/** Why too few people can decide. */
interface Shortage {
  found: string;
  advice: string;
}

/** Null if enough people can decide. */
async function findShortage(
  { quorum, selfApproval, guests, right }: RuleSet,
  {
    approvers,
    starters,
    context,
  }: { approvers: readonly Approver[]; starters: readonly Approver[]; context: PolicyContext },
): Promise<Shortage | null | 'unknown'> {
  // One more, since the one who starts the run may be among them.
  const deciders = await findDeciders({ approvers, guests }, quorum + 1, context);
  if (deciders.kind === 'unknown') return 'unknown';
  if (deciders.kind === 'enough' || deciders.people.length > quorum) return null;
  const { people } = deciders;
  if (people.length < quorum) return tooFew(people, { quorum, right });
  if (selfApproval) return null;
  const [starter] = await findPermitted(people, { approvers: starters, guests }, context);
  return starter
    ? {
        found: withoutStarter(starter, people, quorum),
        advice: 'Name more approvers, lower quorum, or allow self_approval.',
      }
    : null;
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

function withoutStarter(starter: Decider, people: readonly Decider[], quorum: number): string {
  const others = people.filter((person) => person !== starter);
  const left = others.length === 0 ? 'nobody else can decide' : `only ${namesOf(others)} can decide`;
  return `quorum is ${quorum} and self_approval is false: if ${starter.name} starts a run, ${left}.`;
}

async function checkEscalation({ about, escalateTo, guests }: RuleSet, context: PolicyContext): Promise<Finding[]> {
  if (escalateTo.length === 0) return [];
  const deciders = await findDeciders({ approvers: escalateTo, guests }, 1, context);
  if (deciders.kind !== 'people' || deciders.people.length > 0) return [];
  return [wrong(about, 'nobody in escalate_to can decide.', 'Name people who are active members.')];
}

function namesOf(people: readonly Decider[]): string {
  return people.map(({ name }) => name).join(' and ');
}

interface Decider {
  id: string;
  name: string;
  account: Account;
}

type WhoDecides = Pick<RuleSet, 'approvers' | 'guests'>;

type Deciders = { kind: 'enough' } | { kind: 'people'; people: Decider[] } | { kind: 'unknown' };

/** Nothing about a run that could change who may decide. */
const ANY_RUN: Subject = { starterId: null, isEscalated: false, handedOver: [] };
/** How many people are looked up at once. */
const AT_ONCE = 10;

/**
 * The different people whom approvers let decide, up to as many as are wanted. The workspace is enough, and so are the members
 * of whatever channel a run is started in.
 */
async function findDeciders(rules: WhoDecides, wanted: number, context: PolicyContext): Promise<Deciders> {
  const { approvers } = rules;
  const { channel } = context;
  if (approvers.some(({ kind }) => kind === 'workspace' || (kind === 'channel' && channel === null)))
    return { kind: 'enough' };
  const members = await gatherMembers(context.directory, approvers, channel ?? '');
  const named = approvers.flatMap(({ kind, name }) => (kind === 'person' ? [name] : [...(members[name] ?? [])]));
  const people: Decider[] = [];
  let isSure = !Object.values(members).includes(null);
  for (const ids of chunks([...new Set(named)])) {
    const found = await Promise.all(ids.map((id) => findPerson(id, context)));
    isSure &&= !found.includes('unknown');
    for (const person of found)
      if (typeof person === 'object' && person) addDecider(people, person, { rules, members });
    if (people.length >= wanted) return { kind: 'people', people };
  }
  return isSure ? { kind: 'people', people } : { kind: 'unknown' };
}

/** Those of these people whom other rules let in, too. */
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
  const accounts = Object.fromEntries([...people, person].map(({ id, account }) => [id, account]));
  const isKnown = people.some(({ id }) => isSamePerson(id, person.id, { accounts, members: {}, connected: null }));
  if (!isKnown && isPermitted(person, rules)) people.push(person);
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
  } as const;
  return permits(policy, ANY_RUN, id, facts).kind === 'permitted';
}

/** Null if there is no such person. */
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
