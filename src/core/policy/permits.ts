// Judges whether one person may decide a request: by the policy itself, or with a right that somebody lent them. All code that
// judges people asks here. `verdict.ts` counts the votes of several people.

import type { Crew } from './crew.ts';
import {
  type Approver,
  approversNow,
  barredStarters,
  type DelegationRule,
  type Escalated,
  everNamed,
  mustBeLookedUp,
  type Policy,
} from './policy.ts';

/** The facts that Slack states about one person. */
export interface Account {
  /**
   * All ids and e-mail addresses by which Slack knows this person, who may have a second account in a shared channel. Addresses are
   * in lower case.
   */
  identities: readonly string[];
  isBot: boolean;
  isDeactivated: boolean;
  /** A single-channel or multi-channel guest of our own workspace. */
  isGuest: boolean;
  /** A member of another organisation, in a shared channel. */
  isStranger: boolean;
}

/** Answers of Slack, looked up before people are judged. Null where Slack couldn't tell, which counts against people. */
export interface Facts {
  /** Accounts by the person's id. */
  accounts: Readonly<Record<string, Account | null>>;
  /**
   * The ids of the people whom an approver stands for, by its name; only for approvers that must be looked up. Of a channel's
   * members, perhaps only people who are among the accounts.
   */
  members: Readonly<Record<string, ReadonlySet<string> | null>>;
  /** The ids of the people who have connected a token of their own to the crew; null if none is required or that isn't known. */
  connected: ReadonlySet<string> | null;
}

export const NO_FACTS: Facts = { accounts: {}, members: {}, connected: null };

/** The reason why a person may not do something. A fact that Slack can't tell counts against them. */
export type Denial =
  | { kind: 'stranger' }
  | { kind: 'guest' }
  | { kind: 'bot' }
  | { kind: 'deactivated' }
  | { kind: 'self-approval' }
  | { kind: 'not-approver' }
  /**
   * Slack can't say whether the approver of this name stands for the person; null: it can't say who the person is. With `starter`, it
   * can't say whom that name stands for, who counts as having started the run elsewhere.
   */
  | { kind: 'unsure'; personId: string; approver: string | null; starter?: string }
  /** The giver handed the request over to the person, and has no right of their own to decide it. */
  | { kind: 'giver-denied'; giver: string }
  /** The giver handed the request over to the person, which the policy lets nobody do, or only to people whom it names. */
  | { kind: 'no-delegation'; giver: string; allowed: Exclude<DelegationRule, 'anyone'> }
  /** Somebody has approved with the only right that the person could use. */
  | { kind: 'right-used'; by: string }
  /** The crew requires each person's own token. */
  | { kind: 'no-token' };

/** Returns the denial that says most: that Slack can't tell, or else what the first rules say. */
export function mostTelling(denials: readonly Denial[]): Denial | undefined {
  return denials.find(({ kind }) => kind === 'unsure') ?? denials[0];
}

/** The right by which a person decides: the approver named `rule` stands for the holder. That is the person, or a giver who lent it. */
export interface Right {
  holder: string;
  rule: string;
}

export type Permit = Permitted | { kind: 'denied'; denial: Denial };

export interface Permitted {
  kind: 'permitted';
  /** The name of an approver, or `HANDED_OVER`. */
  rule: string;
  rights: readonly [Right, ...Right[]];
  /** The approver that stands for the person, where only people whom the policy names may use what was handed over to them. */
  named?: string | undefined;
}

/** The rule of a person to whom a request was handed over. */
export const HANDED_OVER = 'handed over';

/** The rule of a person who undoes their own decision, even if they may no longer decide. */
export const OWN_DECISION = 'own decision';

/** The ids of a person who handed a request over and of the one who may decide it since then. */
export interface Delegation {
  by: string;
  to: string;
}

/** The facts about a request that a policy needs. */
export interface Subject {
  /** The id of the person who started the run; null if it was started elsewhere. */
  starterId: string | null;
  handedOver: readonly Delegation[];
}

/** The part of a policy that says who may decide. */
export type Rules = Pick<
  Policy,
  'approvers' | 'allOf' | 'escalateTo' | 'guests' | 'selfApproval' | 'startedElsewhere' | 'delegation'
> &
  Escalated;

/**
 * Judges whether a person may decide a request. People whom the policy lets in use their own right. Others use a lent right, as long
 * as the policy gives it to the lender and lets the person take it. A lent right goes one hop: it can't be lent again.
 */
export function permits(policy: Rules, subject: Subject, personId: string, facts: Facts): Permit {
  const own = permitsByRules(policy, subject, personId, facts);
  const account = facts.accounts[personId];
  if (!account || own.kind === 'permitted' || !mayBorrow(own.denial, account)) return own;
  const permit = fromGivers(own, { policy, personId, account, facts, subject });
  return permit.kind === 'permitted' && lacksToken(personId, facts) ? denied({ kind: 'no-token' }) : permit;
}

/** Judges whether the policy itself lets a person decide a request, whatever others have handed over to them. */
export function permitsByRules(
  policy: Rules,
  subject: Omit<Subject, 'handedOver'>,
  personId: string,
  facts: Facts,
): Permit {
  const account = facts.accounts[personId];
  if (!account) return denied({ kind: 'unsure', personId, approver: null });
  const barred = whyBarred(policy, account) ?? whySelfBarred(policy, subject, { personId, account, facts });
  if (barred) return denied(barred);
  const own = findRule(approversNow(policy), { personId, account, facts, subject });
  return own.kind === 'permitted' && lacksToken(personId, facts) ? denied({ kind: 'no-token' }) : own;
}

/** Judges whether a person may start a crew in the channel that the facts are about. */
export function mayStart(
  { starters, requireUserToken }: Pick<Crew, 'starters' | 'requireUserToken'>,
  personId: string,
  facts: Facts,
): Permit {
  const connected = requireUserToken ? (facts.connected ?? new Set<string>()) : null;
  return permits({ ...STARTER_RULES, approvers: starters }, NOT_STARTED, personId, { ...facts, connected });
}

const NOT_STARTED = { starterId: null, handedOver: [] };

/** Guests and people of other organisations may start a crew if it names them by their id. */
const STARTER_RULES = {
  guests: true,
  selfApproval: true,
  startedElsewhere: [],
  allOf: [],
  escalateTo: [],
  delegation: 'none',
  isEscalated: false,
} as const;

/** Returns the rights that others have lent a person, each from a giver whom the policy itself lets decide. */
function fromGivers(
  own: Extract<Permit, { kind: 'denied' }>,
  { policy, ...taker }: Candidate & { policy: Rules; subject: Subject },
): Permit {
  const { personId, account, facts, subject } = taker;
  const ids = identitiesOf(personId, account);
  const givers = [...new Set(subject.handedOver.filter(({ to }) => ids.includes(to)).map(({ by }) => by))];
  const [first] = givers;
  if (first === undefined) return own;
  const taking = mayTake(policy, taker, first);
  if (taking.kind === 'denied' && taking.denial.kind !== 'unsure') return own.denial.kind === 'unsure' ? own : taking;
  const ofGivers = givers.map((giver) => permitsByRules(policy, subject, giver, facts));
  const [right, ...more] = ofGivers.flatMap((permit) => (permit.kind === 'permitted' ? permit.rights : []));
  if (!right) return [own, ...ofGivers].find(isUnsure) ?? denied({ kind: 'giver-denied', giver: first });
  if (taking.kind === 'denied') return taking;
  return { kind: 'permitted', rule: HANDED_OVER, rights: [right, ...more], named: taking.named };
}

function isUnsure(permit: Permit): boolean {
  return permit.kind === 'denied' && permit.denial.kind === 'unsure';
}

/** Judges whether the policy lets a person use a lent right. `named`: the approver that stands for them, if the policy requires one. */
function mayTake(
  policy: Pick<Rules, 'delegation' | 'approvers' | 'allOf' | 'escalateTo'>,
  taker: Candidate,
  giver: string,
): { kind: 'taker'; named?: string } | { kind: 'denied'; denial: Denial } {
  const { delegation: allowed } = policy;
  if (allowed === 'anyone') return { kind: 'taker' };
  if (allowed === 'none') return { kind: 'denied', denial: { kind: 'no-delegation', giver, allowed } };
  const permit = findRule(everNamed(policy), taker);
  if (permit.kind === 'permitted') return { kind: 'taker', named: permit.rule };
  return isUnsure(permit) ? permit : { kind: 'denied', denial: { kind: 'no-delegation', giver, allowed } };
}

/** Returns true if a person whom no rule lets decide may still use a lent right. */
function mayBorrow(denial: Denial, { isGuest, isStranger }: Account): boolean {
  if (isGuest || isStranger) return false;
  return denial.kind === 'not-approver' || (denial.kind === 'unsure' && denial.approver !== null);
}

function lacksToken(personId: string, { connected }: Facts): boolean {
  return connected !== null && !connected.has(personId);
}

export function isSamePerson(oneId: string, otherId: string, { accounts }: Facts): boolean {
  const others = identitiesOf(otherId, accounts[otherId]);
  return identitiesOf(oneId, accounts[oneId]).some((identity) => others.includes(identity));
}

/** A person who is judged by the rules of a request. */
interface Candidate {
  personId: string;
  account: Account;
  facts: Facts;
  subject: Omit<Subject, 'handedOver'>;
}

/** Returns what no rule can outweigh. Guests and strangers may decide only if guests are welcome and a rule has their id. */
function whyBarred({ guests, ...rules }: Omit<Rules, 'selfApproval'>, account: Account): Denial | null {
  if (account.isBot) return { kind: 'bot' };
  if (account.isDeactivated) return { kind: 'deactivated' };
  if (!account.isGuest && !account.isStranger) return null;
  if (guests && everNamed(rules).some((approver) => isNamedByOperator(approver, account))) return null;
  return { kind: account.isStranger ? 'stranger' : 'guest' };
}

function whySelfBarred(
  policy: Pick<Rules, 'selfApproval' | 'startedElsewhere'>,
  { starterId }: Pick<Subject, 'starterId'>,
  candidate: Omit<Candidate, 'subject'>,
): Denial | null {
  const starters = barredStarters(policy, starterId);
  const verdicts = starters.map((starter) => ({ starter, isThem: isStarter(starter, candidate) }));
  if (verdicts.some(({ isThem }) => isThem)) return { kind: 'self-approval' };
  const unsure = verdicts.find(({ isThem }) => isThem === null)?.starter.name;
  if (unsure === undefined) return null;
  return starterId === null
    ? { kind: 'unsure', personId: candidate.personId, approver: null, starter: unsure }
    : { kind: 'unsure', personId: starterId, approver: null };
}

/**
 * Returns true if the person is this starter; null if Slack can't tell. An address that Slack doesn't know proves nothing: its owner
 * may have another one by now.
 */
function isStarter({ kind, name }: Approver, { personId, account, facts }: Omit<Candidate, 'subject'>): boolean | null {
  if (kind !== 'email') return hasStarted(name, personId, facts);
  const members = facts.members[name];
  if ([name.toLowerCase(), ...(members ?? [])].some((identity) => account.identities.includes(identity))) return true;
  return members && members.size > 0 ? false : null;
}

/** Returns true if a person started a run; null if Slack can't tell, since the starter may be a second account of theirs. */
export function hasStarted(starterId: string, personId: string, facts: Facts): boolean | null {
  if (isSamePerson(personId, starterId, facts)) return true;
  return facts.accounts[starterId] ? false : null;
}

function findRule(approvers: readonly Approver[], { personId, account, facts, subject }: Candidate): Permit {
  const isOutsider = account.isGuest || account.isStranger;
  const rules = isOutsider ? approvers.filter((approver) => isNamedByOperator(approver, account)) : approvers;
  const verdicts = rules.map((approver) => {
    const verdict = verdictOf(approver, { account, facts });
    const byInput = verdictOnInput(approver, { personId, facts, subject });
    // Both verdicts must match. If one surely differs, a doubt about the other doesn't matter.
    const isByInput = verdict === 'matches' || (verdict === 'unsure' && byInput === 'differs');
    return { approver, verdict: isByInput ? byInput : verdict };
  });
  const rule = verdicts.find(({ verdict }) => verdict === 'matches')?.approver.name;
  if (rule !== undefined) return { kind: 'permitted', rule, rights: [{ holder: personId, rule }] };
  const unsure = verdicts.find(({ verdict }) => verdict === 'unsure');
  return denied(unsure ? { kind: 'unsure', personId, approver: unsure.approver.name } : { kind: 'not-approver' });
}

type Match = 'matches' | 'differs' | 'unsure';

/** Judges by the input that names an approver: the person who starts a run chooses its inputs, so inputs can't name them. */
function verdictOnInput(
  { input }: Approver,
  { personId, facts, subject: { starterId } }: Omit<Candidate, 'account'>,
): Match {
  if (input === undefined || starterId === null) return 'matches';
  const isThem = hasStarted(starterId, personId, facts);
  if (isThem === null) return 'unsure';
  return isThem ? 'differs' : 'matches';
}

/** Returns true if an approver surely stands for the person with this id. */
export function countsAs(approver: Approver, personId: string, facts: Facts): boolean {
  const account = facts.accounts[personId];
  return account ? verdictOf(approver, { account, facts }) === 'matches' : false;
}

function verdictOf(approver: Approver, { account, facts }: Pick<Candidate, 'account' | 'facts'>): Match {
  if (approver.kind === 'workspace') return 'matches';
  if (!mustBeLookedUp(approver)) return isNamedBy(approver, account) ? 'matches' : 'differs';
  const members = facts.members[approver.name];
  if (!members) return 'unsure';
  return account.identities.some((identity) => members.has(identity)) ? 'matches' : 'differs';
}

/** Returns true if the crews file has the person's id. Only that, and no input, lets guests and people of other organisations in. */
function isNamedByOperator(approver: Approver, account: Account): boolean {
  return approver.input === undefined && isNamedBy(approver, account);
}

function isNamedBy({ kind, name }: Approver, { identities }: Account): boolean {
  return kind === 'person' && identities.includes(name);
}

function identitiesOf(id: string, account: Account | null | undefined): readonly string[] {
  return [id, ...(account?.identities ?? [])];
}

function denied(denial: Denial): Extract<Permit, { kind: 'denied' }> {
  return { kind: 'denied', denial };
}
