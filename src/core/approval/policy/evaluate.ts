import type { Crew } from '../../crew.ts';
import type { Millis } from '../../time.ts';
import type { Verdict } from '../approval.ts';
import { type Denial, type Facts, isSamePerson, type Permit, permits, type Right, type Subject } from './permits.ts';
import type { Approver, Policy, PolicySetting } from './policy.ts';

/** A verdict that a person gives now, beside the votes that were given before. */
interface Ballot {
  verdict: Verdict;
  personId: string;
  subject: Subject;
  /** Whose votes there are, oldest first. */
  votes: readonly string[];
  facts: Facts;
}

/** A vote that counts, the rule that allows it, and whose right it uses. */
export interface CountedVote {
  personId: string;
  rule: string;
  right: Right;
}

/** A vote that no longer counts: its voter may not decide any more, or another one uses the same right. */
export interface LapsedVote {
  personId: string;
  denial: Denial;
}

/**
 * What a verdict amounts to. `allowed`: it completes the decision. `needs`: it counts, and this many more are needed.
 */
export type Evaluation =
  | { kind: 'allowed'; own: CountedVote; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'needs'; more: number; own: CountedVote; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'refused'; denial: Denial };

/**
 * Judges a verdict by the policy in force now. Earlier votes count only if their voters may still decide, once for each person,
 * whatever accounts they have, and once for each right. If Slack can't say whether an earlier voter still may, nothing is
 * approved. A rejection needs no votes, and ends none.
 */
export function evaluate(policy: Policy, { verdict, personId, subject, votes, facts }: Ballot): Evaluation {
  const permit = permits(policy, subject, personId, facts);
  if (permit.kind === 'denied') return { kind: 'refused', denial: permit.denial };
  const { rule, rights } = permit;
  const vote: Vote = { personId, rule, rights };
  const valid: Vote[] = [];
  const lapsed: LapsedVote[] = [];
  for (const voterId of votes) {
    if ([personId, ...valid.map((each) => each.personId)].some((id) => isSamePerson(id, voterId, facts))) continue;
    const earlier = permits(policy, subject, voterId, facts);
    if (earlier.kind === 'permitted') valid.push({ personId: voterId, rule: earlier.rule, rights: earlier.rights });
    else if (verdict === 'reject') continue;
    else if (earlier.denial.kind === 'unsure') return { kind: 'refused', denial: earlier.denial };
    else lapsed.push({ personId: voterId, denial: earlier.denial });
  }
  const used = assignRights([...valid, vote], facts);
  const counted = valid.flatMap((each) => used.countedOf(each) ?? []);
  if (verdict === 'reject')
    return { kind: 'allowed', own: { personId, rule, right: rights[0] }, votes: counted, lapsed: [] };
  const own = used.countedOf(vote);
  if (!own) return { kind: 'refused', denial: used.denialOf(vote) };
  for (const each of valid)
    if (!used.countedOf(each)) lapsed.push({ personId: each.personId, denial: used.denialOf(each) });
  const more = policy.quorum - counted.length - 1;
  return more > 0
    ? { kind: 'needs', more, own, votes: counted, lapsed }
    : { kind: 'allowed', own, votes: counted, lapsed };
}

interface Vote {
  personId: string;
  rule: string;
  rights: readonly Right[];
}

/**
 * Gives as many votes as possible a right of their own, the oldest first: one that could use several makes room for one that
 * can't (augmenting paths, as in Kuhn's algorithm).
 */
function assignRights(votes: readonly Vote[], facts: Facts) {
  const users: { right: Right; vote: Vote }[] = [];
  const placeOf = ({ holder }: Right) => users.findIndex(({ right }) => isSamePerson(right.holder, holder, facts));

  function assign(vote: Vote, tried: Set<number>): boolean {
    return vote.rights.some((right) => {
      const place = placeOf(right);
      const user = users[place];
      if (!user) return users.push({ right, vote }) > 0;
      if (tried.has(place)) return false;
      tried.add(place);
      if (!assign(user.vote, tried)) return false;
      users[place] = { right, vote };
      return true;
    });
  }

  for (const vote of votes) assign(vote, new Set());
  return {
    countedOf({ personId, rule }: Vote): CountedVote | null {
      const right = users.find((each) => each.vote.personId === personId)?.right;
      return right ? { personId, rule, right } : null;
    },
    denialOf({ rights }: Vote): Denial {
      const [right] = rights;
      return { kind: 'right-used', by: (right && users[placeOf(right)]?.vote.personId) ?? '' };
    },
  };
}

/** A rule that holds, and the settings that it comes from. */
export type PolicyStatement = Rule & { settings: readonly PolicySetting[] };

type Rule =
  | { kind: 'quorum'; count: number }
  | { kind: 'approvers' | 'starters'; approvers: readonly Approver[] }
  /** Whether the person who started the run can decide it: `one-of-them` only if they are among the approvers anyway. */
  | { kind: 'self-approval'; allowed: 'never' | 'always' | 'one-of-them' }
  /** Who counts as the starter of a run that was started elsewhere; nobody is known where there are none. */
  | { kind: 'elsewhere'; people: readonly Approver[] }
  | { kind: 'guests'; allowed: 'never' | 'named' }
  | { kind: 'own-token'; crew: string }
  | { kind: 'review' | 'undo' | 'reminder'; ms: Millis }
  | { kind: 'escalation'; ms: Millis; approvers: readonly Approver[] }
  | { kind: 'closing'; ms: Millis }
  | { kind: 'rejection'; ms: Millis; feedback: string }
  | { kind: 'hours'; text: string };

interface Told {
  policy: Policy;
  crew: Pick<Crew, 'name' | 'hours' | 'requireUserToken' | 'channel' | 'startedElsewhere'>;
}

/** How many have to decide, who may, and what happens with time, in the order in which people are told. */
export function policyStatements({ policy, crew }: Told): PolicyStatement[] {
  const { quorum, approvers } = policy;
  return [
    { kind: 'quorum', count: quorum, settings: ['quorum'] },
    { kind: 'approvers', approvers, settings: ['approvers'] },
    selfApproval(policy),
    ...elsewhere(policy, crew),
    guests(policy),
    ...ownToken(crew),
    ...delays(policy),
    ...timers(policy),
    ...hoursOf(policy, crew),
  ];
}

/** Who may start a crew. */
export function starterStatement(starters: readonly Approver[]): PolicyStatement {
  return { kind: 'starters', approvers: starters, settings: ['starters'] };
}

function selfApproval({ selfApproval: isAllowed, approvers }: Policy): PolicyStatement {
  const isAlwaysMeant = approvers.some(({ kind }) => kind === 'workspace');
  const allowed = isAlwaysMeant ? 'always' : 'one-of-them';
  return { kind: 'self-approval', allowed: isAllowed ? allowed : 'never', settings: ['self_approval'] };
}

/** Only where there are such runs, and it matters who started them. */
function elsewhere(
  { selfApproval: isAllowed, startedElsewhere: people }: Policy,
  crew: Told['crew'],
): PolicyStatement[] {
  if (isAllowed || crew.channel === null || crew.startedElsewhere === 'refused') return [];
  return [{ kind: 'elsewhere', people, settings: ['started_elsewhere'] }];
}

function guests({ guests: areAllowed, approvers, escalateTo }: Policy): PolicyStatement {
  const isAnyNamed = [...approvers, ...escalateTo].some(({ kind }) => kind === 'person');
  return { kind: 'guests', allowed: areAllowed && isAnyNamed ? 'named' : 'never', settings: ['guests'] };
}

function ownToken({ name, requireUserToken }: Told['crew']): PolicyStatement[] {
  return requireUserToken ? [{ kind: 'own-token', crew: name, settings: ['require_user_token'] }] : [];
}

function delays({ undoMs, minReviewMs }: Policy): PolicyStatement[] {
  const review: PolicyStatement = { kind: 'review', ms: minReviewMs, settings: ['min_review'] };
  const undo: PolicyStatement = { kind: 'undo', ms: undoMs, settings: ['undo'] };
  return [...(minReviewMs > 0 ? [review] : []), ...(undoMs > 0 ? [undo] : [])];
}

function timers(policy: Policy): PolicyStatement[] {
  const { remindAfterMs, escalateAfterMs, escalateTo, expireAfterMs } = policy;
  const statements: PolicyStatement[] = [];
  if (remindAfterMs !== null) statements.push({ kind: 'reminder', ms: remindAfterMs, settings: ['remind_after'] });
  if (escalateAfterMs !== null) {
    const settings = ['escalate_after', 'escalate_to'] as const;
    statements.push({ kind: 'escalation', ms: escalateAfterMs, approvers: escalateTo, settings });
  }
  if (expireAfterMs !== null) statements.push(expiry(policy, expireAfterMs));
  return statements;
}

function expiry({ onExpiry, expiryText: feedback }: Policy, ms: Millis): PolicyStatement {
  switch (onExpiry) {
    case 'close':
      return { kind: 'closing', ms, settings: ['expire_after', 'on_expiry'] };
    case 'reject':
      return { kind: 'rejection', ms, feedback, settings: ['expire_after', 'on_expiry', 'expiry_text'] };
  }
}

function hoursOf(policy: Policy, { hours }: Told['crew']): PolicyStatement[] {
  const all = [policy.remindAfterMs, policy.escalateAfterMs, policy.expireAfterMs];
  if (hours === null || all.every((timer) => timer === null)) return [];
  return [{ kind: 'hours', text: hours.text, settings: ['hours'] }];
}

/** A crew that isn't running yet: nobody has started it, and no request was handed over. */
const NOT_STARTED = { starterId: null, isEscalated: false, handedOver: [] };

/** Guests and people of other organisations may start a crew if it names them by their id. */
const RULES = { guests: true, selfApproval: true, startedElsewhere: [], escalateTo: [] };

/** Whether a person may start a crew in the channel that the facts are about. */
export function mayStart(
  { starters, requireUserToken }: Pick<Crew, 'starters' | 'requireUserToken'>,
  personId: string,
  facts: Facts,
): Permit {
  const connected = requireUserToken ? (facts.connected ?? new Set<string>()) : null;
  return permits({ ...RULES, approvers: starters }, NOT_STARTED, personId, { ...facts, connected });
}
