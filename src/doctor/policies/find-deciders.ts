import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Account, Facts } from '../../core/approval/policy/facts.ts';
import { isSamePerson, permits, type Subject } from '../../core/approval/policy/permits.ts';
import { accountOf } from '../../slack/directory/account.ts';
import { gatherFacts } from '../../slack/directory/gather-facts.ts';
import type { PolicyContext } from './policy-context.ts';

export interface Decider {
  id: string;
  name: string;
  account: Account;
}

type Deciders = { kind: 'enough' } | { kind: 'people'; people: Decider[] } | { kind: 'unknown' };

/** Nothing about a run that could change who may decide. */
const ANY_RUN: Subject = { starterId: null, isEscalated: false, handedOver: [] };
/** Looked up at once. */
const AT_ONCE = 10;

/**
 * The different people whom approvers let decide, up to as many as are wanted. The workspace is enough, and so are the members
 * of whatever channel a run is started in.
 */
export async function findDeciders(
  rules: { approvers: readonly Approver[]; guests: boolean },
  wanted: number,
  context: PolicyContext,
): Promise<Deciders> {
  const { approvers } = rules;
  const { channel } = context;
  if (approvers.some(({ kind }) => kind === 'workspace' || (kind === 'channel' && channel === null)))
    return { kind: 'enough' };
  const { members } = await gatherFacts(context.directory, { people: [], approvers, channel: channel ?? '' });
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

/** Those of some people whom other rules let in, too. */
export async function findPermitted(
  people: readonly Decider[],
  rules: { approvers: readonly Approver[]; guests: boolean },
  { directory, channel }: PolicyContext,
): Promise<Decider[]> {
  const { approvers } = rules;
  if (channel === null && approvers.some(({ kind }) => kind === 'channel')) return [...people];
  const { members } = await gatherFacts(directory, { people: [], approvers, channel: channel ?? '' });
  return people.filter((person) => isPermitted(person, { rules, members }));
}

interface Rules {
  rules: { approvers: readonly Approver[]; guests: boolean };
  members: Facts['members'];
}

function addDecider(people: Decider[], person: Decider, rules: Rules): void {
  const accounts = Object.fromEntries([...people, person].map(({ id, account }) => [id, account]));
  const isKnown = people.some(({ id }) => isSamePerson(id, person.id, { accounts, members: {}, connected: null }));
  if (!isKnown && isPermitted(person, rules)) people.push(person);
}

function isPermitted({ id, account }: Decider, { rules, members }: Rules): boolean {
  const facts: Facts = { accounts: { [id]: account }, members, connected: null };
  const policy = { ...rules, escalateTo: [], selfApproval: true, startedElsewhere: [] };
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
