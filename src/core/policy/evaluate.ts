import type { Verdict } from '../state/approval.ts';
import type { Crew } from './crew.ts';
import { hasNextStage, nextStage, type PossibleRules, stepsFrom } from './in-force.ts';
import { matchPlaces } from './matching.ts';
import {
  type Approver,
  approversNow,
  barredStarters,
  type DelegationRule,
  type Escalated,
  everNamed,
  mustBeLookedUp,
  type Policy,
  quorumNow,
  type StagePolicy,
} from './policy.ts';

/** The votes on a request, and what they are judged by. */
interface Votes {
  subject: Subject;
  /** Whose votes there are, oldest first. */
  votes: readonly string[];
  /** Those who have signed in to approve. */
  signedIn: readonly string[];
  /** The stages that are complete, by whichever rules: who has approved them, and whose rights they used. */
  stages: readonly { key: string; used: readonly UsedRight[] }[];
  facts: Facts;
}

/** A verdict that a person gives now, beside the votes that were given before. */
interface Ballot extends Votes {
  verdict: Verdict;
  personId: string;
}

interface UsedRight {
  personId: string;
  holder: string;
}

/** A vote that counts by the rules of this place, the rule that allows it, whose right it uses, and as whom its voter is named. */
export interface CountedVote {
  personId: string;
  place: string;
  rule: string;
  right: Right;
  named?: string | undefined;
  /** That of `allOf` which it stands for. */
  seat?: string | undefined;
}

/**
 * A vote that no longer counts by any rules: its voter may not decide any more, another one uses the same right, or it takes a
 * sign-in by now that came with none.
 */
export interface LapsedVote {
  personId: string;
  denial: NotCounted;
}

type NotCounted = Denial | { kind: 'not-signed-in' };

/** How far the votes bring a request by one of its possible rules. */
export interface Course {
  /** At the stage that is open then. */
  rules: PossibleRules;
  /** The stages that the votes complete before that, in their order. */
  completes: readonly { key: string; name: string; votes: readonly CountedVote[] }[];
  /** The votes that count for the open stage, in their order. */
  votes: readonly CountedVote[];
  /** At least this many more are needed, among them one of each of `missing`. */
  more: number;
  missing: readonly string[];
}

/**
 * What a verdict amounts to. `decides`: it completes the decision. `counts`: it is a vote, and others are needed. `not-signed-in`:
 * it would count if the person signed in.
 */
export type Evaluation = Counted | { kind: 'refused'; denial: Denial } | { kind: 'not-signed-in' };

export interface Counted {
  kind: 'decides' | 'counts';
  /** As what the verdict counts, by each of the rules by which it does. */
  own: readonly [CountedVote, ...CountedVote[]];
  /** By each of the possible rules; none for a rejection, which needs no votes and ends none. */
  courses: readonly Course[];
  lapsed: readonly LapsedVote[];
}

/**
 * Judges a verdict by all rules that may turn out to apply. An approval decides once it is complete by each of them, and a person
 * may approve or reject who may decide by one. A decline takes a person who may decide by each. What Slack can't tell about one of
 * the voters by any of the rules lets nothing be approved.
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
  const dealt = dealVotes(policies, { ...ballot, votes: [...earlier, personId], signedIn });
  if (dealt.kind === 'unsure') return { kind: 'refused', denial: dealt.denial };
  const { courses, reasons } = dealt;
  const [own, ...ownOthers] = courses.flatMap(votesIn).filter((vote) => vote.personId === personId);
  const reason = reasons.get(personId);
  if (!own)
    return reason && reason.kind !== 'not-signed-in' ? { kind: 'refused', denial: reason } : { kind: 'not-signed-in' };
  if (takesSignIn(courses, personId) && !ballot.signedIn.includes(personId)) return { kind: 'not-signed-in' };
  const kind = courses.every(({ more }) => more === 0) ? 'decides' : 'counts';
  const lapsed = earlier.length === 0 ? [] : lapsedIn(earlier, dealt, ballot);
  return { kind, own: [own, ...ownOthers], courses, lapsed };
}

/**
 * How far the votes that there are bring a request, after its possible rules have become fewer. `unsure`: Slack can't tell. A vote
 * that no rules take lapses.
 */
export function evaluateVotes(
  policies: readonly PossibleRules[],
  ballot: Votes,
): { kind: 'unsure'; denial: Denial } | { kind: 'judged'; courses: readonly Course[]; lapsed: readonly LapsedVote[] } {
  const dealt = dealVotes(policies, ballot);
  return dealt.kind === 'unsure' ? dealt : { ...dealt, lapsed: lapsedIn(ballot.votes, dealt, ballot) };
}

/** All votes that a course counts, of the stages that they complete, too. */
export function votesIn({ completes, votes }: Course): CountedVote[] {
  return [...completes.flatMap((stage) => stage.votes), ...votes];
}

/** Whether rules that count the approval of a person want them to sign in. */
export function takesSignIn(courses: readonly Course[], personId: string): boolean {
  const counts = (votes: readonly CountedVote[]) => votes.some((vote) => vote.personId === personId);
  return courses.some(
    (course) =>
      (course.rules.stepUp && counts(course.votes)) ||
      course.completes.some(({ name, votes }) => counts(votes) && stageOf(course.rules, name)?.stepUp),
  );
}

function stageOf({ stages }: PossibleRules, name: string): StagePolicy | undefined {
  return stages.find((stage) => stage.name === name);
}

/** What says most about why a person may not do something: that Slack can't tell, or else what the first rules say. */
export function mostTelling(denials: readonly Denial[]): Denial | undefined {
  return denials.find(({ kind }) => kind === 'unsure') ?? denials[0];
}

interface Dealt {
  kind: 'judged';
  courses: readonly Course[];
  /** Why a vote doesn't count by some rules, by the person. */
  reasons: ReadonlyMap<string, NotCounted>;
}

/** Each of the rules deals the votes to its own seats and stages, in their order. */
function dealVotes(policies: readonly PossibleRules[], ballot: Votes): Dealt | { kind: 'unsure'; denial: Denial } {
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
    const standing = seatVotes(rules, counted, ballot);
    if ('kind' in standing) return standing;
    const { more, missing, votes } = standing;
    if (more > 0 || !hasNextStage(rules)) return { rules, completes, votes, more, missing };
    completes.push({ key: rules.stageKeys[rules.stage] ?? '', name: rules.stages[rules.stage]?.name ?? '', votes });
    before = [...before, ...votes.map(({ personId, right }) => ({ personId, holder: right.holder }))];
  }
}

/** Who has approved the stages before the one that is open by these rules, and whose rights they used. */
function usedBefore({ stageKeys, stage }: PossibleRules, stages: Votes['stages']): readonly UsedRight[] {
  const keys = stageKeys.slice(0, stage);
  return stages.filter(({ key }) => keys.includes(key)).flatMap(({ used }) => used);
}

/** The votes that count by these rules: once for each person, whatever accounts they have, and once for each right. */
function countVotes(
  rules: PossibleRules,
  ballot: Votes & { before: readonly UsedRight[]; reasons: Map<string, NotCounted> },
): CountedVote[] | Denial {
  const { subject, votes, signedIn, before, facts, reasons } = ballot;
  const valid: Vote[] = [];
  for (const personId of votes) {
    const earlier = [...before, ...valid].find((each) => isSamePerson(each.personId, personId, facts));
    if (earlier) {
      reasons.set(personId, { kind: 'right-used', by: earlier.personId });
      continue;
    }
    const permit = permits(rules, subject, personId, facts);
    if (permit.kind === 'denied') {
      if (permit.denial.kind === 'unsure') return permit.denial;
      // Rules by which they may decide say more about why a vote of theirs doesn't count.
      if (!reasons.has(personId)) reasons.set(personId, permit.denial);
    } else if (rules.stepUp && !signedIn.includes(personId)) reasons.set(personId, { kind: 'not-signed-in' });
    else valid.push({ ...permit, personId });
  }
  const [only] = valid;
  // A person who votes first can use any of their rights.
  if (only && valid.length === 1 && before.length === 0) return [countedBy(rules, only, only.rights[0])];
  const assigned = assignRights(valid, before, facts);
  return valid.flatMap((vote) => {
    const right = assigned.rightOf(vote);
    if (right) return [countedBy(rules, vote, right)];
    reasons.set(vote.personId, assigned.denialOf(vote));
    return [];
  });
}

function countedBy({ place }: PossibleRules, { personId, rule, named }: Vote, right: Right): CountedVote {
  return { personId, place, rule, right, named };
}

/** What these votes lack. Those who have a seat of `allOf` count for the quorum only as one of `approvers`. */
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

/** The votes that no rules take: neither now nor in a stage that is still to come, as far as Slack can tell. */
function lapsedIn(votes: readonly string[], { courses, reasons }: Dealt, ballot: Votes): LapsedVote[] {
  const { subject, facts, stages } = ballot;
  const isTaken = (personId: string) =>
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
    return denial && !isTaken(personId) ? [{ personId, denial }] : [];
  });
}

/** Gives as many of these approvers as possible a vote of their own; the names of approvers by their votes. */
function assignSeats(
  allOf: readonly Approver[],
  votes: readonly CountedVote[],
  facts: Facts,
): ReadonlyMap<CountedVote, string> {
  const isMeant = (name: string, { right: { holder } }: CountedVote) => {
    const account = facts.accounts[holder];
    const approvers = allOf.filter((each) => each.name === name);
    return account ? approvers.some((each) => verdictOf(each, { account, facts }) === 'matches') : false;
  };
  const names = new Set(allOf.map(({ name }) => name));
  return matchPlaces([...names], (name) => votes.filter((vote) => isMeant(name, vote)));
}

interface Vote extends Permitted {
  personId: string;
}

/** Gives as many votes as possible a right of their own, the oldest first. A right that was used in a stage before is used for good. */
function assignRights(votes: readonly Vote[], before: readonly UsedRight[], facts: Facts) {
  const holders: string[] = [];
  /** One number for all accounts of the person who has the right. */
  const placeOf = ({ holder }: Right): number => {
    const place = holders.findIndex((id) => isSamePerson(id, holder, facts));
    return place === -1 ? holders.push(holder) - 1 : place;
  };
  const useBefore = ({ holder: own }: Right) =>
    before.find(({ personId, holder }) => [personId, holder].some((id) => isSamePerson(id, own, facts)));
  const unused = ({ rights }: Vote) => rights.filter((right) => !useBefore(right));
  const users = matchPlaces(votes, (vote) => unused(vote).map(placeOf));
  return {
    rightOf(vote: Vote): Right | undefined {
      return unused(vote).find((each) => users.get(placeOf(each)) === vote);
    },
    denialOf({ rights: [right] }: Vote): Denial {
      const user = useBefore(right) ?? users.get(placeOf(right));
      return { kind: 'right-used', by: user?.personId ?? '' };
    },
  };
}

/** Why a person may not do something. What Slack can't tell counts against them. */
export type Denial =
  | { kind: 'stranger' }
  | { kind: 'guest' }
  | { kind: 'bot' }
  | { kind: 'deactivated' }
  | { kind: 'self-approval' }
  | { kind: 'not-approver' }
  /**
   * Slack can't say whether this person is meant by the approver of this name; null: it can't say who they are. With `starter`, it
   * can't say who the person of that name is, who counts as having started the run elsewhere.
   */
  | { kind: 'unsure'; personId: string; approver: string | null; starter?: string }
  /** This person handed it over to them, and has no right of their own to decide it. */
  | { kind: 'giver-denied'; giver: string }
  /** This person handed it over to them, which the policy lets nobody do, or only to people whom it names. */
  | { kind: 'no-delegation'; giver: string; allowed: Exclude<DelegationRule, 'anyone'> }
  /** This person has approved with the only right that they could use. */
  | { kind: 'right-used'; by: string }
  /** The crew wants everybody's own token. */
  | { kind: 'no-token' };

/**
 * What lets a person decide: an approver of this name stands for the holder. The holder is that person, or the one giver who has
 * lent them the right.
 */
export interface Right {
  holder: string;
  rule: string;
}

/**
 * By which rule a person may decide, the name of an approver or that it was handed over to them, and with whose right. `named`:
 * the approver that stands for them, where only people whom the policy names may use what was handed over to them.
 */
export type Permit = Permitted | { kind: 'denied'; denial: Denial };

interface Permitted {
  kind: 'permitted';
  rule: string;
  rights: readonly [Right, ...Right[]];
  named?: string | undefined;
}

/** The rule of a person to whom a request was handed over. */
export const HANDED_OVER = 'handed over';

/** The rule of a person who undoes their own decision, even if they may no longer decide. */
export const OWN_DECISION = 'own decision';

/** The ids of who has let whom decide, too. */
export interface Delegation {
  by: string;
  to: string;
}

/** What a policy needs to know about a request. */
export interface Subject {
  /** Who started the run; null if it was started elsewhere. */
  starterId: string | null;
  handedOver: readonly Delegation[];
}

/** What a policy says about who may decide. */
export type Rules = Pick<
  Policy,
  'approvers' | 'allOf' | 'escalateTo' | 'guests' | 'selfApproval' | 'startedElsewhere' | 'delegation'
> &
  Escalated;

/**
 * Whether a person may decide a request. People whom the policy lets in use their own right. Others use a right that was lent to
 * them, as long as its giver has it by the policy, and the policy lets them take it. A lent right goes one hop: what its taker
 * hands over gives nobody a right.
 */
export function permits(policy: Rules, subject: Subject, personId: string, facts: Facts): Permit {
  const own = permitsByRules(policy, subject, personId, facts);
  const account = facts.accounts[personId];
  if (!account || own.kind === 'permitted' || !mayBeLent(own.denial, account)) return own;
  const permit = fromGivers(own, { policy, personId, account, facts, subject });
  return permit.kind === 'permitted' && lacksToken(personId, facts) ? denied({ kind: 'no-token' }) : permit;
}

/** Whether the policy itself lets a person decide a request, whatever others have handed over to them. */
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

/** Whether a person may start a crew in the channel that the facts are about. */
export function mayStart(
  { starters, requireUserToken }: Pick<Crew, 'starters' | 'requireUserToken'>,
  personId: string,
  facts: Facts,
): Permit {
  const connected = requireUserToken ? (facts.connected ?? new Set<string>()) : null;
  return permits({ ...STARTER_RULES, approvers: starters }, NOT_STARTED, personId, { ...facts, connected });
}

/** A crew that isn't running yet: nobody has started it, and no request was handed over. */
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

/** The rights that others have lent a person, each with a giver whom the policy itself lets decide. */
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

/** Whether the policy lets a person have what was handed over to them, and by which of its names if it takes one. */
function mayTake(
  policy: Pick<Rules, 'delegation' | 'approvers' | 'allOf' | 'escalateTo'>,
  taker: Candidate,
  giver: string,
): { kind: 'taker'; named?: string } | { kind: 'denied'; denial: Denial } {
  const { delegation: allowed } = policy;
  if (allowed === 'anyone') return { kind: 'taker' };
  if (allowed === 'none') return { kind: 'denied', denial: { kind: 'no-delegation', giver, allowed } };
  const named = findRule(everNamed(policy), taker);
  if (named.kind === 'permitted') return { kind: 'taker', named: named.rule };
  const isUnsure = named.denial.kind === 'unsure';
  return { kind: 'denied', denial: isUnsure ? named.denial : { kind: 'no-delegation', giver, allowed } };
}

/** Whether a person whom no rule lets decide may still do so with the right of another. */
function mayBeLent(denial: Denial, { isGuest, isStranger }: Account): boolean {
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

/** A person whom the rules of a request are asked about. */
interface Candidate {
  personId: string;
  account: Account;
  facts: Facts;
  subject: Omit<Subject, 'handedOver'>;
}

/** What no rule can outweigh. Guests and strangers may decide only if they are named by their id, and guests are welcome. */
function whyBarred({ guests, ...named }: Omit<Rules, 'selfApproval'>, account: Account): Denial | null {
  if (account.isBot) return { kind: 'bot' };
  if (account.isDeactivated) return { kind: 'deactivated' };
  if (!account.isGuest && !account.isStranger) return null;
  const isNamed = everNamed(named).some((approver) => isNamedByOperator(approver, account));
  if (guests && isNamed) return null;
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

/** Null if Slack can't tell, also where it knows nobody of an address: the starter may have another one by now. */
function isStarter({ kind, name }: Approver, { personId, account, facts }: Omit<Candidate, 'subject'>): boolean | null {
  if (kind !== 'email') return hasStarted(name, personId, facts);
  const members = facts.members[name];
  if ([name.toLowerCase(), ...(members ?? [])].some((identity) => account.identities.includes(identity))) return true;
  return members && members.size > 0 ? false : null;
}

/** Whether a person started a run; null if Slack can't tell: the starter may be a second account of theirs. */
export function hasStarted(starterId: string, personId: string, facts: Facts): boolean | null {
  if (isSamePerson(personId, starterId, facts)) return true;
  return facts.accounts[starterId] ? false : null;
}

function findRule(approvers: readonly Approver[], { personId, account, facts, subject }: Candidate): Permit {
  const isOutsider = account.isGuest || account.isStranger;
  const rules = isOutsider ? approvers.filter((approver) => isNamedByOperator(approver, account)) : approvers;
  const verdicts = rules.map((approver) => {
    const verdict = verdictOf(approver, { account, facts });
    const named = asNamed(approver, { personId, facts, subject });
    // What differs in one way needn't be known in the other.
    return {
      approver,
      verdict: verdict === 'matches' || (verdict === 'unsure' && named === 'differs') ? named : verdict,
    };
  });
  const rule = verdicts.find(({ verdict }) => verdict === 'matches')?.approver.name;
  if (rule !== undefined) return { kind: 'permitted', rule, rights: [{ holder: personId, rule }] };
  const unsure = verdicts.find(({ verdict }) => verdict === 'unsure');
  return denied(unsure ? { kind: 'unsure', personId, approver: unsure.approver.name } : { kind: 'not-approver' });
}

/** Who starts a run chooses its inputs: they can't name themselves. */
function asNamed(
  { input }: Approver,
  { personId, facts, subject: { starterId } }: Omit<Candidate, 'account'>,
): 'matches' | 'differs' | 'unsure' {
  if (input === undefined || starterId === null) return 'matches';
  const isThem = hasStarted(starterId, personId, facts);
  if (isThem === null) return 'unsure';
  return isThem ? 'differs' : 'matches';
}

function verdictOf(
  approver: Approver,
  { account, facts }: Pick<Candidate, 'account' | 'facts'>,
): 'matches' | 'differs' | 'unsure' {
  if (approver.kind === 'workspace') return 'matches';
  if (!mustBeLookedUp(approver)) return isNamedBy(approver, account) ? 'matches' : 'differs';
  const members = facts.members[approver.name];
  if (!members) return 'unsure';
  return account.identities.some((identity) => members.has(identity)) ? 'matches' : 'differs';
}

/** By the operator, who alone can let guests and people of other organisations in. */
function isNamedByOperator(approver: Approver, account: Account): boolean {
  return approver.input === undefined && isNamedBy(approver, account);
}

function isNamedBy({ kind, name }: Approver, { identities }: Account): boolean {
  return kind === 'person' && identities.includes(name);
}

function identitiesOf(id: string, account: Account | null | undefined): readonly string[] {
  return [id, ...(account?.identities ?? [])];
}

function denied(denial: Denial): Permit {
  return { kind: 'denied', denial };
}

/** What Slack says about one person. */
export interface Account {
  /**
   * All ids and e-mail addresses by which Slack knows this person: people may have a second account in a shared channel.
   * In lower case, but for ids.
   */
  identities: readonly string[];
  isBot: boolean;
  isDeactivated: boolean;
  /** A single-channel or multi-channel guest of our own workspace. */
  isGuest: boolean;
  /** Of another organisation, in a shared channel. */
  isStranger: boolean;
}

/** What was found out at the edge before a policy is asked. Whatever Slack couldn't tell is null, and counts against people. */
export interface Facts {
  /** By the person's id. */
  accounts: Readonly<Record<string, Account | null>>;
  /**
   * The ids of the people whom an approver stands for, by its name; not for those that needn't be looked up. Of a channel's
   * members, perhaps only those who are among the accounts.
   */
  members: Readonly<Record<string, ReadonlySet<string> | null>>;
  /** The ids of those who have connected a token of their own to the crew; null if it isn't required or isn't known. */
  connected: ReadonlySet<string> | null;
}

export const NO_FACTS: Facts = { accounts: {}, members: {}, connected: null };
