import {
  canonicalJson,
  type LedgerFacts,
  type ProofFacts,
  type RightFacts,
  type VoteFacts,
} from '../../../core/ledger/entry.ts';
import {
  type Account,
  type Delegation,
  evaluate,
  type Facts,
  HANDED_OVER,
  permits,
  type Subject,
} from '../../../core/policy/evaluate.ts';
import { barredStarters, everNamed, mustBeLookedUp, type Policy, parseApprover } from '../../../core/policy/policy.ts';
import { SIGN_IN_MS } from '../../../core/state/sign-in.ts';
import type { Millis } from '../../../core/values/time.ts';

// Whether the policy that an entry names lets people do what they did, by what was known then as far as entries say it.

/** A hand-over that was not taken back. */
export interface HandOver {
  to: string;
  by: string;
  /** From then on it doesn't count; infinite if it counts for good. */
  until: Millis;
}

/** What the entries of a run have told so far about who may decide a request. */
export interface VotedRequest {
  asked: LedgerFacts['asked'];
  /** Those who have approved, and not withdrawn it since. */
  votes: VoteFacts[];
  handOvers: HandOver[];
  isEscalated: boolean;
  /** The name of its task has voided a decision that hadn't reached the crew. */
  isReopened: boolean;
  /** How people have signed in to approve it, by their ids. */
  proofs: Map<string, ProofFacts>;
  /** The stages that are complete, the votes that count for them, and the outcome that those are for, where there are some. */
  stages: { key: string; votes: VoteFacts[]; outcome: string | undefined }[];
}

interface Circumstances {
  request: VotedRequest;
  at: Millis;
  policy: Policy;
}

/**
 * Why a decision isn't one by its policy; null if it is. Each vote counts once, and only if it was given, and if its voter may
 * still decide; so does each right that votes rest on.
 */
export function whyNotDecided(
  { by, verdict, votes }: LedgerFacts['decided'] & { by: VoteFacts },
  circumstances: Circumstances,
): string | null {
  const unsigned = verdict === 'approve' ? whyNotSignedIn(by, circumstances) : null;
  if (unsigned !== null) return `is a decision of ${by.by}, ${unsigned}`;
  return whyNotComplete({ by, verdict, votes, completes: 'allowed' }, circumstances);
}

/** The same of a vote that completes a stage before the last one. */
export function whyNotCompleted(
  voted: { by: VoteFacts; votes: VoteFacts[] },
  circumstances: Circumstances,
): string | null {
  return whyNotComplete({ ...voted, verdict: 'approve', completes: 'stage' }, circumstances);
}

interface Completion extends Pick<LedgerFacts['decided'], 'verdict' | 'votes'> {
  by: VoteFacts;
  completes: 'allowed' | 'stage';
}

function whyNotComplete(
  { by, verdict, votes, completes }: Completion,
  { request, at, policy }: Circumstances,
): string | null {
  const voters = votes.map((each) => each.by);
  const unknown = voters.find((id) => !request.votes.some((each) => each.by === id));
  // By which rule each may decide can have changed since.
  if (unknown !== undefined) return `counts a vote of ${unknown} that no entry before it has`;
  if (new Set(voters).size < voters.length) return 'counts a vote twice';
  const all = [...votes, by];
  const rightless = all.find((vote) => whyNoRight(vote) !== null);
  if (rightless) return `counts a vote of ${rightless.by}, ${whyNoRight(rightless)}`;
  const signedIn = [...request.votes, by].flatMap((vote) => (vote.proof ? [vote.by] : []));
  const unsigned = policy.stepUp && verdict === 'approve' ? voters.find((id) => !signedIn.includes(id)) : undefined;
  if (unsigned !== undefined) return `counts a vote of ${unsigned}, who hasn't signed in as its policy takes`;
  const holders = all.map((vote) => vote.for?.by ?? vote.by);
  const twice = verdict === 'approve' && holders.find((id, place) => holders.indexOf(id) !== place);
  if (twice) return `counts the right of ${twice} twice`;
  const before = request.stages.slice(0, policy.stage).flatMap((stage) => stage.votes);
  const subject = subjectOf(request, { votes: all, delegations: delegationsAt(request, at), policy });
  const facts = factsFor(request, all, policy);
  const evaluation = evaluate(policy, {
    ...{ verdict, personId: by.by, subject, votes: voters, signedIn, facts },
    before: before.map((vote) => ({ personId: vote.by, holder: vote.for?.by ?? vote.by })),
  });
  if (evaluation.kind === 'refused') return `is a decision of ${by.by}, ${denied(evaluation.denial.kind)}`;
  if (evaluation.kind === 'not-signed-in') return `is a decision of ${by.by}, ${UNSIGNED}`;
  const { own, votes: counted } = evaluation;
  if (own.rule !== by.rule) return `is a decision of ${by.by}, ${ruledBy(by.rule, own.rule)}`;
  if (evaluation.kind === 'needs') return `is decided with ${evaluation.more} too few approvals`;
  if (evaluation.kind !== completes)
    return completes === 'stage' ? 'completes the last stage, but decides nothing' : 'is decided before its last stage';
  const isCounted = (each: VoteFacts, i: number) => each.by === counted[i]?.personId && each.rule === counted[i]?.rule;
  return votes.every(isCounted) ? null : 'counts a vote otherwise than its policy';
}

/** Why a vote isn't one by its policy; null if it is. */
export function whyNotVoting(person: VoteFacts, circumstances: Circumstances): string | null {
  return whyNoRight(person) ?? whyNotSignedIn(person, circumstances) ?? whyNotPermitted(person, circumstances);
}

const UNSIGNED = 'without the sign-in that its policy takes';

/** What is wrong with the sign-in of an approval that is entered now. One that is entered anew was signed in for then. */
function whyNotSignedIn({ by, proof }: VoteFacts, { request, at, policy }: Circumstances): string | null {
  if (!proof) return policy.stepUp ? UNSIGNED : null;
  if (request.isReopened && canonicalJson(proof) === canonicalJson(request.proofs.get(by) ?? null)) return null;
  if (proof.at > at) return 'with a sign-in that is yet to come';
  return at - proof.at > SIGN_IN_MS ? 'with a sign-in that is too old' : null;
}

/** Why the policy doesn't allow a hand-over, which doesn't tell what account it was; null if it does. A lent right can't be handed on. */
export function whyNotHandingOver(
  handedOver: Pick<LedgerFacts['handed-over'], 'by' | 'to' | 'rule' | 'to_named'>,
  circumstances: Circumstances,
): string | null {
  const { by, to, rule, to_named: named } = handedOver;
  if (rule === HANDED_OVER || 'for' in handedOver || 'named' in handedOver) return 'with a right that was lent to them';
  const problem = whyNotOfAnyAccount({ by, rule }, circumstances);
  if (problem !== null) return problem;
  const { delegation, ...policy } = circumstances.policy;
  if (delegation === 'none') return 'which its policy lets nobody do';
  const isNamed = everNamed(policy).some(({ name }) => name === named);
  return delegation === 'anyone' || isNamed ? null : `to ${to}, whom its policy doesn't name`;
}

/** The same of an undo, which doesn't tell whose right it was, either, nor as whom the person was named who used it. */
export function whyNotUndoing(
  person: Pick<LedgerFacts['undone'], 'by' | 'rule'>,
  circumstances: Circumstances,
): string | null {
  const named = circumstances.policy.escalateTo[0]?.name;
  return whyNotOfAnyAccount({ ...person, named }, circumstances);
}

function whyNotOfAnyAccount(person: Omit<VoteFacts, 'account'>, circumstances: Circumstances): string | null {
  const problem = whyNotPermitted({ ...person, account: 'member' }, circumstances);
  return problem && whyNotPermitted({ ...person, account: 'guest' }, circumstances) && problem;
}

/** Why the policy doesn't let a person decide by the rule that is told; null if it does. */
function whyNotPermitted(person: VoteFacts, { request, at, policy }: Circumstances): string | null {
  const subject = subjectOf(request, { votes: [person], delegations: delegationsAt(request, at), policy });
  const permit = permits(policy, subject, person.by, factsFor(request, [person], policy));
  if (permit.kind === 'denied') return denied(permit.denial.kind);
  return permit.rule === person.rule ? null : ruledBy(person.rule, permit.rule);
}

/** Who uses what was handed over to them says whose right that is. */
function whyNoRight({ rule, for: given }: Pick<VoteFacts, 'rule' | 'for'>): string | null {
  return rule === HANDED_OVER && !given ? "which doesn't say whose right was handed over" : null;
}

function denied(denial: string): string {
  return `whom its policy doesn't allow it (${denial})`;
}

function ruledBy(told: string, rule: string): string {
  return `allowed by ${told} as it says, but by ${rule} in its policy`;
}

export function delegationsAt({ handOvers }: VotedRequest, at: Millis): readonly Delegation[] {
  return handOvers.filter(({ until }) => at < until);
}

/** A request on which people vote with their own rights, or with one that its giver has handed over to them. */
export function subjectOf(
  { asked, isEscalated }: VotedRequest,
  { votes, delegations, policy }: { votes: readonly VoteFacts[]; delegations: readonly Delegation[]; policy: Policy },
): Subject {
  const handedOver = votes.flatMap((vote) => {
    const given = delegations.filter(({ by, to }) => to === vote.by && (!vote.for || vote.for.by === by));
    return given.length === 0 ? [] : givenTo(vote, policy).map(({ by }) => ({ by, to: vote.by }));
  });
  return { starterId: asked.starter, isEscalated, handedOver };
}

/** What was known of these voters when they voted, as far as the entries of their votes say it. */
export function factsFor({ asked }: Pick<VotedRequest, 'asked'>, votes: readonly VoteFacts[], policy: Policy): Facts {
  const rights = votes.flatMap((vote) => givenTo(vote, policy));
  const seats = votes.flatMap((vote) =>
    vote.seat === undefined ? [] : [[vote.seat, vote.for?.by ?? vote.by] as const],
  );
  return factsOf(policy, { voters: [...rights, ...votes], seats, starter: asked.starter });
}

/** The right of another that a person uses. An undo doesn't say whose it is: it counts as that of another approver. */
function givenTo({ by, rule, for: given }: VoteFacts, { approvers }: Policy): RightFacts[] {
  if (rule !== HANDED_OVER) return [];
  return [given ?? { by: `giver of ${by}`, rule: approvers[0]?.name ?? '', account: 'member' }];
}

/**
 * What was known when people voted, as far as their entries say it: each is who the rule that allowed them says, and no other
 * approver stands for them.
 */
function factsOf(
  policy: Policy,
  {
    voters,
    seats,
    starter,
  }: { voters: readonly Named[]; seats: readonly (readonly [string, string])[]; starter: string | null },
): Facts {
  const starters = barredStarters(policy, starter);
  const accounts: Record<string, Account> = {};
  if (starter !== null) accounts[starter] = accountOf(starter, 'member');
  for (const { kind, name } of starters) if (kind === 'person') accounts[name] = accountOf(name, 'member');
  for (const voter of voters) accounts[voter.by] = accountOf(voter.by, voter.account, namesOf(voter, seats));
  const lookedUp = everNamed(policy).filter(mustBeLookedUp);
  const members = lookedUp.map(({ name }): [string, Set<string>] => [
    name,
    new Set([
      ...voters.filter((voter) => nameOf(voter) === name).map(({ by }) => by),
      ...seats.flatMap(([seat, by]) => (seat === name ? [by] : [])),
    ]),
  ]);
  // Entries don't tell whose addresses these are, except of voters who counted by theirs.
  for (const { kind, name } of starters)
    if (kind === 'email')
      members.push([name, new Set([name, ...voters.flatMap(({ by, rule }) => (rule === name ? [by] : []))])]);
  return { accounts, members: Object.fromEntries(members), connected: null };
}

type Named = Pick<VoteFacts, 'by' | 'rule' | 'account' | 'named'>;

/** The approver that stands for a person: for who uses what was handed over to them, the one that lets them. */
function nameOf({ rule, named = rule }: Named): string {
  return rule === HANDED_OVER ? named : rule;
}

/** All approvers that stand for a person. */
function namesOf(voter: Named, seats: readonly (readonly [string, string])[]): string[] {
  return [nameOf(voter), ...seats.flatMap(([seat, by]) => (by === voter.by ? [seat] : []))];
}

function accountOf(id: string, account: RightFacts['account'], names: readonly string[] = []): Account {
  return {
    // A person may have a second account, under which the policy names them.
    identities: [id, ...names.filter((name) => parseApprover(name)?.kind === 'person')],
    isBot: false,
    isDeactivated: false,
    isGuest: account === 'guest',
    isStranger: account === 'stranger',
  };
}
