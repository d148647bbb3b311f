import {
  type CompletedFacts,
  type CountedFacts,
  canonicalJson,
  type LedgerFacts,
  type ProofFacts,
  type RightFacts,
  type VoteFacts,
} from '../../../core/ledger/entry.ts';
import { hasNextStage, nextStage, type PossibleRules } from '../../../core/policy/in-force.ts';
import {
  type Account,
  type Delegation,
  type Facts,
  HANDED_OVER,
  permits,
  permitsByRules,
  type Subject,
} from '../../../core/policy/permits.ts';
import {
  approvalsNeeded,
  barredStarters,
  everNamed,
  mustBeLookedUp,
  type Policy,
  parseApprover,
  quorumNow,
} from '../../../core/policy/policy.ts';
import { stagesBefore } from '../../../core/policy/progress.ts';
import { evaluate } from '../../../core/policy/verdict.ts';
import { SIGN_IN_MS } from '../../../core/state/sign-in.ts';
import type { Millis } from '../../../core/values/time.ts';

// Checks that the policy of an entry lets people do what they did, by each possible rule and by what entries say was known then.

/** A hand-over that was not taken back. */
export interface HandOver {
  to: string;
  by: string;
  /** Time from which it doesn't count; infinite if it counts for good. */
  until: Millis;
}

/** A complete stage, with the votes that count for it and their common outcome or hash of the answer, if any. */
export interface Completed {
  key: string;
  at: Millis;
  votes: readonly VoteFacts[];
  chosen: string | undefined;
}

/** The state of a request that decides who may vote on it, after the entries so far. */
export interface VotedRequest {
  asked: LedgerFacts['asked'];
  /** Approvals that wait, and weren't withdrawn. */
  votes: VoteFacts[];
  handOvers: HandOver[];
  /** Places of the rules by which it was escalated. */
  escalated: string[];
  /** True if its task was named after the request, so that its votes may be complete since then. */
  isNamedLater: boolean;
  /** Sign-ins for approvals by person id. */
  proofs: Map<string, ProofFacts>;
  /** Complete stages, by any of the rules. */
  stages: readonly Completed[];
}

export interface Circumstances {
  request: VotedRequest;
  at: Millis;
  /** All possible rules. */
  policies: readonly PossibleRules[];
}

/** A question to one of the possible rules. */
interface Question extends Omit<Circumstances, 'policies'> {
  rules: PossibleRules;
  stages: readonly Pick<Completed, 'key' | 'votes'>[];
}

type Decided = LedgerFacts['decided'] & { by: VoteFacts };

/**
 * Returns why its policy doesn't allow a decision; null if it does. An approval has to be complete by each possible rule. Each
 * vote, and each right that votes rest on, counts once, and only if the voter may still decide.
 */
export function whyNotDecided(decided: Decided, circumstances: Circumstances): string | null {
  const { by, verdict, votes, completes = [] } = decided;
  const rightless = [...votes, by].find((vote) => whyNoRight(vote) !== null);
  if (rightless) return `counts a vote of ${rightless.by}, ${whyNoRight(rightless)}`;
  const miscounted = whyMiscounted(by, circumstances);
  if (miscounted !== null) return `is a decision of ${by.by}, ${miscounted}`;
  return verdict === 'approve'
    ? whyNotApproved({ by, votes, completes }, circumstances)
    : whyNotRejected(decided, circumstances);
}

/** A rejection needs nobody else. A decline takes a person who may decide by each possible rule. */
function whyNotRejected({ by, verdict, votes, completes }: Decided, circumstances: Circumstances): string | null {
  if (votes.length > 0 || completes) return 'counts votes for what takes none';
  for (const rules of circumstances.policies) {
    const counted = voteAt(by, rules.place);
    const problem = counted ? whyNotPermitted(counted, { ...circumstances, rules }) : null;
    if (problem !== null) return `is a decision of ${by.by}, ${problem}`;
    if (!counted && verdict === 'decline')
      return `is a decision of ${by.by}, which takes somebody who may decide by each of the possible rules`;
  }
  return null;
}

function whyNotApproved(
  { by, votes, completes }: Pick<Decided, 'by' | 'votes'> & { completes: readonly CompletedFacts[] },
  circumstances: Circumstances,
): string | null {
  const { request, policies } = circumstances;
  const all = [...votes, ...completes.flatMap((stage) => stage.votes)];
  const unknown = all.find((vote) => vote.by !== by.by && !hasVoted(request, vote.by));
  if (unknown) return `counts a vote of ${unknown.by} that no entry before it has`;
  const miscounted = votes.find((vote) => whyMiscounted(vote, circumstances) !== null);
  if (miscounted) return `counts a vote of ${miscounted.by}, ${whyMiscounted(miscounted, circumstances)}`;
  const unsigned = whyNotSignedIn(by, circumstances);
  if (unsigned !== null) return `is a decision of ${by.by}, ${unsigned}`;
  const astray = whyAstray(completes, circumstances);
  if (astray !== null) return astray;
  for (const rules of policies) {
    const followed = follow(rules, { completes, own: by }, circumstances);
    if (followed.kind === 'wrong') return followed.problem;
    const { open } = followed;
    if (hasNextStage(open)) return 'is decided before its last stage';
    const counted = [...votes, by].flatMap((vote) => voteAt(vote, rules.place) ?? []);
    const left = counted.filter((vote) => !followed.voters.includes(vote.by));
    const own = left.find((vote) => vote.by === by.by);
    const question = { ...circumstances, rules: open, stages: followed.stages };
    const problem = own ? whyNotPermitted(own, question) : null;
    if (problem !== null) return `is a decision of ${by.by}, ${problem}`;
    const incomplete = whyIncomplete(left, by, question);
    if (incomplete !== null) return incomplete;
  }
  return null;
}

/** Returns why its policy doesn't allow a vote, or why it doesn't complete what it says; null if all is well. */
export function whyNotVoting(
  own: VoteFacts,
  completes: readonly CompletedFacts[],
  circumstances: Circumstances,
): string | null {
  const { request, policies } = circumstances;
  const problem = whyNoRight(own) ?? whyMiscounted(own, circumstances) ?? whyNotSignedIn(own, circumstances);
  if (problem !== null) return `is a vote of ${own.by}, ${problem}`;
  const unknown = completes
    .flatMap(({ votes }) => votes)
    .find((vote) => vote.by !== own.by && !hasVoted(request, vote.by));
  if (unknown) return `counts a vote of ${unknown.by} that no entry before it has`;
  const astray = whyAstray(completes, circumstances);
  if (astray !== null) return astray;
  let decides = true;
  for (const rules of policies) {
    const followed = follow(rules, { completes, own }, circumstances);
    if (followed.kind === 'wrong') return followed.problem;
    const { open, stages, voters } = followed;
    const counted = voteAt(own, rules.place);
    const question = { ...circumstances, rules: open, stages };
    const isAlone = counted !== null && !voters.includes(own.by) && isCompleteBy(counted, open);
    if (isAlone && hasNextStage(open)) return `doesn't say that it completes the stage ${stageName(open)}`;
    decides &&= isAlone && voters.length === 0;
    if (voters.includes(own.by)) continue;
    const uncounted = counted ? whyNotCounting(counted, question) : whyCounting(own, question);
    if (uncounted !== null) return `is a vote of ${own.by}, ${uncounted}`;
  }
  return decides ? 'is a vote where the first approval decides' : null;
}

/** Returns the stages that an entry says are complete. */
export function completedBy(
  completes: readonly CompletedFacts[],
  { policies, at }: Pick<Circumstances, 'policies' | 'at'>,
  chosen: string | undefined,
): Completed[] {
  return policies.flatMap((rules) => {
    const own = completes.filter(({ place }) => place === rules.place);
    return own.map(({ votes }, i) => ({ key: rules.stageKeys[rules.stage + i] ?? '', at, votes, chosen }));
  });
}

/** Returns people whose votes each possible rule has used up. */
export function usedUp({ stages }: Pick<VotedRequest, 'stages'>, policies: readonly PossibleRules[]): string[] {
  const used = policies.map((rules) => stagesBefore(stages, rules).flatMap(({ votes }) => votes.map(({ by }) => by)));
  return (used[0] ?? []).filter((id) => used.every((ids) => ids.includes(id)));
}

function hasVoted({ votes }: VotedRequest, personId: string): boolean {
  return votes.some(({ by }) => by === personId);
}

function stageName({ stages, stage }: Policy): string | undefined {
  return stages[stage]?.name;
}

/** A vote says by which of several possible rules it counts, in their order, and repeats the first. */
function whyMiscounted({ under, ...vote }: VoteFacts, { policies }: Circumstances): string | null {
  if (policies.length === 1) return under ? 'which counts by several rules, but only one is possible' : null;
  const [first] = under ?? [];
  if (!under || !first) return "which doesn't say by which of the possible rules it counts";
  const places = under.map(({ place }) => place);
  const possible = policies.map(({ place }) => place).filter((place) => places.includes(place));
  if (canonicalJson(places) !== canonicalJson(possible)) return 'which counts by rules that are not possible';
  const { by, account, proof } = vote;
  const asFirst = { by, account, ...partOf(first), ...(proof && { proof }) };
  return canonicalJson(asFirst) === canonicalJson(vote) ? null : 'which says otherwise by which rules it counts';
}

function partOf({ place: _, ...counted }: CountedFacts): Omit<CountedFacts, 'place'> {
  return counted;
}

/** Returns a vote as it counts by the rules of a place; null if it doesn't. */
function voteAt({ under, ...vote }: VoteFacts, place: string): VoteFacts | null {
  if (!under) return vote;
  const counted = under.find((each) => each.place === place);
  const { by, account, proof } = vote;
  return counted ? { by, account, ...partOf(counted), ...(proof && { proof }) } : null;
}

function whyAstray(completes: readonly CompletedFacts[], { policies }: Circumstances): string | null {
  const astray = completes.some(({ place }) => policies.every((rules) => rules.place !== place));
  return astray ? 'completes a stage of rules that are not possible' : null;
}

type Followed =
  | { kind: 'wrong'; problem: string }
  | {
      kind: 'right';
      /** Rules of the stage that is open then. */
      open: PossibleRules;
      stages: Question['stages'];
      /** People whose votes complete the stages before. */
      voters: string[];
    };

/** Follows the stages that an entry says are complete, by one of the rules. */
function follow(
  rules: PossibleRules,
  { completes, own }: { completes: readonly CompletedFacts[]; own: VoteFacts },
  circumstances: Circumstances,
): Followed {
  let open = rules;
  let stages: Question['stages'] = circumstances.request.stages;
  const voters: string[] = [];
  for (const { stage, votes } of completes.filter(({ place }) => place === rules.place)) {
    if (stage !== stageName(open))
      return { kind: 'wrong', problem: 'completes another stage than the one that is open' };
    if (!hasNextStage(open)) return { kind: 'wrong', problem: 'completes the last stage, but decides nothing' };
    const rightless = votes.find((vote) => whyNoRight(vote) !== null);
    if (rightless) return { kind: 'wrong', problem: `counts a vote of ${rightless.by}, ${whyNoRight(rightless)}` };
    const problem = whyIncomplete(votes, own, { ...circumstances, rules: open, stages });
    if (problem !== null) return { kind: 'wrong', problem };
    stages = [...stages, { key: open.stageKeys[open.stage] ?? '', votes }];
    voters.push(...votes.map(({ by }) => by));
    open = nextStage(open);
  }
  return { kind: 'right', open, stages, voters };
}

/** Returns why these votes don't complete the open stage of one of the rules, each as it says; null if they do. */
function whyIncomplete(votes: readonly VoteFacts[], own: VoteFacts, question: Question): string | null {
  const { request, rules } = question;
  const [last] = votes.slice(-1);
  if (!last) return tooFew(approvalsNeeded(rules));
  const voters = votes.map(({ by }) => by);
  const holders = votes.map((vote) => vote.for?.by ?? vote.by);
  const twice = holders.find((id, place) => holders.indexOf(id) !== place);
  if (twice !== undefined) return `counts the right of ${twice} twice`;
  if (new Set(voters).size < voters.length) return 'counts a vote twice';
  const earlier = request.votes.filter(({ by }) => by !== own.by || request.isNamedLater);
  const signedIn = [...earlier, own].flatMap(({ by, proof }) => (proof ? [by] : []));
  const unsigned = rules.stepUp ? voters.find((id) => !signedIn.includes(id)) : undefined;
  if (unsigned !== undefined) return `counts a vote of ${unsigned}, who hasn't signed in as its policy takes`;
  for (const vote of votes) {
    const problem = whyNotPermitted(vote, question);
    if (problem !== null) return `counts a vote of ${vote.by}, ${problem}`;
  }
  const evaluation = judge(votes, { ...question, signedIn });
  if (evaluation.kind === 'refused') return `counts a vote of ${last.by}, ${denied(evaluation.denial.kind)}`;
  if (evaluation.kind === 'not-signed-in') return `counts a vote of ${last.by}, ${UNSIGNED}`;
  const [course] = evaluation.courses;
  if (!course || course.more > 0) return tooFew(course?.more ?? 1);
  const isCounted = (each: VoteFacts, i: number) =>
    each.by === course.votes[i]?.personId && each.rule === course.votes[i]?.rule;
  return votes.every(isCounted) ? whyNotSeated(votes, rules) : 'counts a vote otherwise than its policy';
}

function tooFew(more: number): string {
  return `is decided with ${more} too few approvals`;
}

/** Returns why not each approver of `all_of` has a vote of its own that says so. */
function whyNotSeated(votes: readonly VoteFacts[], { allOf }: Policy): string | null {
  const seats = votes.flatMap(({ seat }) => (seat === undefined ? [] : [seat]));
  const empty = allOf.find(({ name }) => !seats.includes(name));
  if (empty) return `doesn't say which of its votes has the seat of ${empty.name}`;
  const isSeat = (seat: string, i: number) => seats.indexOf(seat) === i && allOf.some(({ name }) => name === seat);
  return seats.every(isSeat) ? null : 'counts a seat that its policy has none of';
}

/** Evaluates votes of these people in the open stage of one of the rules alone. */
function judge(votes: readonly VoteFacts[], { signedIn, ...question }: Question & { signedIn: readonly string[] }) {
  const { request, at, rules, stages } = question;
  const [last, ...earlier] = votes.toReversed();
  const alone = { ...rules, stages: rules.stages.slice(0, rules.stage + 1) };
  return evaluate([alone], {
    verdict: 'approve',
    personId: last?.by ?? '',
    subject: subjectOf(request, { votes, delegations: delegationsAt(request, at), policy: rules }),
    votes: earlier.map(({ by }) => by).reverse(),
    signedIn,
    stages: stages.map((stage) => ({
      key: stage.key,
      used: stage.votes.map((vote) => ({ personId: vote.by, holder: vote.for?.by ?? vote.by })),
    })),
    facts: factsFor(request, votes, rules),
  });
}

/** Returns why a vote doesn't count in the open stage of one of the rules as it says; null if it does. */
function whyNotCounting(vote: VoteFacts, question: Question): string | null {
  const { rules } = question;
  const { proof, seat } = vote;
  if (rules.stepUp && !proof) return UNSIGNED;
  const problem = whyNotPermitted(vote, question);
  if (problem !== null) return problem;
  const evaluation = judge([vote], { ...question, signedIn: proof ? [vote.by] : [] });
  if (evaluation.kind === 'refused') return denied(evaluation.denial.kind);
  if (evaluation.kind === 'not-signed-in') return UNSIGNED;
  const isSeat = seat === undefined || rules.allOf.some(({ name }) => name === seat);
  return isSeat ? null : `with the seat of ${seat}, which its policy has none of`;
}

/**
 * Returns why a vote certainly counts by a rule that it doesn't name; null if that is unsure, because entries don't tell who is
 * in which group, nor of two accounts of a person.
 */
function whyCounting(own: VoteFacts, { request, at, rules, stages }: Question): string | null {
  const others = [...request.votes, ...stages.flatMap(({ votes }) => votes)];
  // The giver of a right may be a second account of this person.
  const isLent = delegationsAt(request, at).length > 0 || others.some(usesLentRight);
  const isBefore = stagesBefore(stages, rules).length > 0;
  if (isLent || isBefore || !rules.selfApproval || (rules.stepUp && !own.proof) || own.rule === HANDED_OVER)
    return null;
  const facts = factsFor(request, [own], rules);
  const permit = permitsByRules(rules, { starterId: request.asked.starter }, own.by, facts);
  // A person whom an input names may be another account of the starter.
  const isSure =
    permit.kind === 'permitted' && everNamed(rules).some(({ name, input }) => name === permit.rule && !input);
  return isSure ? "which doesn't say by all rules by which it counts" : null;
}

function usesLentRight({ for: lent, under = [] }: VoteFacts): boolean {
  return [lent, ...under.map((each) => each.for)].some((right) => right !== undefined);
}

/** Returns true if this vote alone completes the open stage. */
function isCompleteBy({ rule, for: right, seat }: VoteFacts, rules: PossibleRules): boolean {
  const counting = quorumNow(rules).some(({ name }) => name === (right?.rule ?? rule)) ? 1 : 0;
  return counting >= rules.quorum && rules.allOf.every(({ name }) => name === seat);
}

const UNSIGNED = 'without the sign-in that its policy takes';

/**
 * Returns what is wrong with the sign-in of a new approval. An approval that a task's name completes later was signed in for
 * then.
 */
function whyNotSignedIn({ by, proof }: VoteFacts, { request, at, policies }: Circumstances): string | null {
  const isOfThen = request.isNamedLater && hasVoted(request, by);
  if (!proof) {
    const takesProof = policies.every(({ stepUp }) => stepUp);
    return takesProof && !(isOfThen && request.proofs.has(by)) ? UNSIGNED : null;
  }
  if (isOfThen && canonicalJson(proof) === canonicalJson(request.proofs.get(by) ?? null)) return null;
  if (proof.at > at) return 'with a sign-in that is yet to come';
  return at - proof.at > SIGN_IN_MS ? 'with a sign-in that is too old' : null;
}

/**
 * Returns why no possible rule allows a hand-over, whose entry doesn't tell the account; null if one does. A right that was
 * handed over can't be handed on.
 */
export function whyNotHandingOver(
  handedOver: Pick<LedgerFacts['handed-over'], 'by' | 'to' | 'rule' | 'to_named'>,
  circumstances: Circumstances,
): string | null {
  const { by, to, rule, to_named: approver } = handedOver;
  const { policies, request } = circumstances;
  if (rule === HANDED_OVER || 'for' in handedOver || 'named' in handedOver) return 'with a right that was lent to them';
  const problem = whyNotByAny({ by, rule }, circumstances);
  if (problem !== null) return problem;
  if (policies.every(({ delegation }) => delegation === 'none')) return 'which its policy lets nobody do';
  const isNamedIn = (rules: Policy) => everNamed(rules).some(({ name }) => name === approver);
  const takes = policies.filter((rules) => rules.delegation === 'anyone' || isNamedIn(rules));
  if (takes.length === 0) return `to ${to}, whom its policy doesn't name`;
  const isBarred = (rules: Policy) => !rules.selfApproval && to === request.asked.starter;
  return to === by || takes.every(isBarred) ? `to ${to}, to whom it can't be` : null;
}

/**
 * Returns why an undo or an edit isn't allowed. Its entry doesn't tell whose right it was, nor as whom the person was named.
 * Anything but an approval is undone by a person who may decide by each possible rule.
 */
export function whyNotAllowed(
  person: Pick<LedgerFacts['undone'], 'by' | 'rule'> & { isApproval: boolean },
  circumstances: Circumstances,
): string | null {
  const { isApproval, ...undone } = person;
  const { policies, request, at } = circumstances;
  // The entry doesn't say whose right it is, nor by which rules the giver has it.
  const isLent = undone.rule === HANDED_OVER && delegationsAt(request, at).some(({ to }) => to === undone.by);
  const problem = whyNotByAny(undone, circumstances, isLent ? [denied('giver-denied')] : []);
  if (problem !== null || isApproval) return problem;
  const isBarred = (rules: Policy) => !rules.selfApproval && undone.by === request.asked.starter;
  return policies.some(isBarred) ? 'which takes somebody who may decide by each of the possible rules' : null;
}

/** Returns null if a possible rule allows it, or objects only with a reason in `passed`. */
function whyNotByAny(
  person: Omit<VoteFacts, 'account'>,
  circumstances: Circumstances,
  passed: readonly string[] = [],
): string | null {
  const problems = circumstances.policies.map((rules) => {
    const question = { ...circumstances, rules };
    const approver = rules.escalateTo[0]?.name;
    // A person with a right of their own by the escalation may have used one that was handed to them before.
    return whyNotOfAnyAccount({ ...person, named: approver }, question) && whyNotOfAnyAccount(person, question);
  });
  const isAllowed = problems.some((problem) => problem === null || passed.includes(problem));
  return isAllowed ? null : (problems[0] ?? 'whom nobody lets decide');
}

function whyNotOfAnyAccount(
  person: Omit<VoteFacts, 'account'>,
  question: Pick<Question, 'request' | 'at' | 'rules'>,
): string | null {
  const problem = whyNotPermitted({ ...person, account: 'member' }, question);
  return problem && whyNotPermitted({ ...person, account: 'guest' }, question) && problem;
}

/** Returns why one of the rules doesn't let a person decide by the approver in the entry; null if it does. */
function whyNotPermitted(
  person: VoteFacts,
  { request, at, rules }: Pick<Question, 'request' | 'at' | 'rules'>,
): string | null {
  const delegations = delegationsAt(request, at);
  const subject = subjectOf(request, { votes: [person], delegations, policy: rules });
  const permit = permits(rules, subject, person.by, factsFor(request, [person], rules));
  if (permit.kind === 'denied') return denied(permit.denial.kind);
  return permit.rule === person.rule ? null : ruledBy(person.rule, permit.rule);
}

/** A vote with a right that was handed over must say whose it is. */
function whyNoRight({ rule, for: right }: Pick<VoteFacts, 'rule' | 'for'>): string | null {
  return rule === HANDED_OVER && !right ? "which doesn't say whose right was handed over" : null;
}

function denied(denial: string): string {
  return `whom its policy doesn't allow it (${denial})`;
}

function ruledBy(claimed: string, rule: string): string {
  return `allowed by ${claimed} as it says, but by ${rule} in its policy`;
}

export function delegationsAt({ handOvers }: Pick<VotedRequest, 'handOvers'>, at: Millis): readonly Delegation[] {
  return handOvers.filter(({ until }) => at < until);
}

/** Returns the request as rules see it, with the rights that these voters were given. */
export function subjectOf(
  { asked }: Pick<VotedRequest, 'asked'>,
  { votes, delegations, policy }: { votes: readonly VoteFacts[]; delegations: readonly Delegation[]; policy: Policy },
): Subject {
  const handedOver = votes.flatMap((vote) => {
    const lent = delegations.filter(({ by, to }) => to === vote.by && (!vote.for || vote.for.by === by));
    return lent.length === 0 ? [] : givenTo(vote, policy).map(({ by }) => ({ by, to: vote.by }));
  });
  return { starterId: asked.starter, handedOver };
}

/** Returns the facts about these voters when they voted, as far as their entries say. */
export function factsFor({ asked }: Pick<VotedRequest, 'asked'>, votes: readonly VoteFacts[], policy: Policy): Facts {
  const rights = votes.flatMap((vote) => givenTo(vote, policy));
  const seats = votes.flatMap((vote) =>
    vote.seat === undefined ? [] : [[vote.seat, vote.for?.by ?? vote.by] as const],
  );
  return factsOf(policy, { voters: [...rights, ...votes], seats, starter: asked.starter });
}

/** Returns the right that a person was given. An undo doesn't say whose it is: it counts as that of another approver. */
function givenTo({ by, rule, for: right }: VoteFacts, { approvers }: Policy): RightFacts[] {
  if (rule !== HANDED_OVER) return [];
  return [right ?? { by: `giver of ${by}`, rule: approvers[0]?.name ?? '', account: 'member' }];
}

/** Returns facts by which each person is only who the approver that allowed them says. */
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
  const isByInput = (voter: Named) => everNamed(policy).some(({ name, input }) => input && name === nameOf(voter));
  // A person whom an input names counts only if Slack could tell who the starter is.
  if (starter !== null && (starters.length > 0 || voters.some(isByInput)))
    accounts[starter] = accountOf(starter, 'member');
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

/** Returns the approver that stands for a person; with a right that was handed over, the one that let them use it. */
function nameOf({ rule, named = rule }: Named): string {
  return rule === HANDED_OVER ? named : rule;
}

/** Returns all approvers that stand for a person. */
function namesOf(voter: Named, seats: readonly (readonly [string, string])[]): string[] {
  return [nameOf(voter), ...seats.flatMap(([seat, by]) => (by === voter.by ? [seat] : []))];
}

export function accountOf(id: string, account: RightFacts['account'], names: readonly string[] = []): Account {
  return {
    // A person may have a second account, under which the policy names them.
    identities: [id, ...names.filter((name) => parseApprover(name)?.kind === 'person')],
    isBot: false,
    isDeactivated: false,
    isGuest: account === 'guest',
    isStranger: account === 'stranger',
  };
}
