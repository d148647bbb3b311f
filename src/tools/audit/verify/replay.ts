import {
  canonicalJson,
  type LedgerFacts,
  type LedgerKind,
  type SeenFacts,
  sha256,
  type TextFacts,
  type VoteFacts,
} from '../../../core/ledger/entry.ts';
import { type InputKinds, inputOf, isOfKind, type Value } from '../../../core/policy/condition.ts';
import {
  namesAt,
  type Placed,
  type PossibleRules,
  possibleLevels,
  possibleWith,
  seenWith,
  withoutTitle,
} from '../../../core/policy/in-force.ts';
import { verdictUnder } from '../../../core/policy/outcomes.ts';
import { OWN_DECISION } from '../../../core/policy/permits.ts';
import { type CrewPolicy, DEFAULT_POLICY, settingsOf } from '../../../core/policy/policy.ts';
import { stagesBefore } from '../../../core/policy/progress.ts';
import { needsAnswer } from '../../../core/state/request.ts';
import type { Millis } from '../../../core/values/time.ts';
import { type EntryLine, policyNamedIn } from '../lines.ts';
import {
  type Circumstances,
  completedBy,
  delegationsAt,
  type HandOver,
  usedUp,
  type VotedRequest,
  whyNotAllowed,
  whyNotDecided,
  whyNotHandingOver,
  whyNotVoting,
} from './rights.ts';

// Replays the story of each request, entry by entry: whether each event may come now, and whether the policy that the entry names
// allows it.

/** The progress of a request according to its entries. */
type Stage =
  | 'waiting'
  /** Expired, with a rejection as the next entry. */
  | 'expired'
  /** Expired; the crew gets nothing. */
  | 'closed'
  /** Cancelled by the program that asked. */
  | 'cancelled'
  | 'decided'
  /** Declined for good; the crew gets nothing. */
  | 'declined'
  | 'sent'
  | 'not-confirmed'
  | 'confirmed'
  /** Followed by a newer round of its task. */
  | 'replaced';

const SO_FAR: Record<Stage, string> = {
  waiting: 'still waits for a decision',
  expired: 'has expired, and is to be rejected next',
  closed: 'has expired',
  cancelled: 'was taken back',
  decided: 'is decided',
  declined: 'was declined',
  sent: 'is sent',
  'not-confirmed': 'is sent',
  confirmed: 'has reached the crew',
  replaced: 'was followed by a newer round of its task',
};

/** Kinds of entries that need a request asked before. */
type RequestKind = Exclude<LedgerKind, 'asked' | 'refused' | 'tried' | 'policy'>;

/** The progress in which each kind of entry may come. */
const COMES_WHILE: Record<RequestKind, readonly Stage[]> = {
  // These entries may follow until the crew has certainly received a decision.
  named: ['waiting', 'decided', 'declined', 'sent', 'not-confirmed'],
  voted: ['waiting'],
  edited: ['waiting'],
  withdrawn: ['waiting'],
  'handed-over': ['waiting'],
  // An absence may end at any time.
  'taken-back': ['waiting', 'decided', 'declined', 'sent', 'not-confirmed'],
  revealed: ['waiting'],
  reminded: ['waiting'],
  escalated: ['waiting'],
  expired: ['waiting'],
  cancelled: ['waiting'],
  decided: ['waiting', 'expired'],
  undone: ['decided', 'declined'],
  // Decisions that the crew refused or didn't confirm may be sent again.
  sent: ['decided', 'sent', 'not-confirmed'],
  'not-confirmed': ['sent'],
  // Redis may have lost any part of what came after an entry.
  lost: ['waiting', 'decided', 'declined', 'sent', 'not-confirmed'],
  // A new round may be the proof.
  confirmed: ['sent', 'not-confirmed', 'replaced'],
};

/** A request according to the entries so far. */
export interface Request extends VotedRequest {
  stage: Stage;
  askedAt: Millis;
  /** Values that conditions have seen, by name. */
  values: Map<string, SeenFacts['values'][string]>;
  /** Chosen outcomes, or hashes of answers, by the person who approved. */
  chosen: Map<string, string | undefined>;
  /** The edited text, and the person who edited it; null if the crew's own text is decided. */
  edited: { by: string; text: TextFacts } | null;
  /** Null if no person has decided. */
  decidedBy: string | null;
  /** True if the decision is an approval. */
  isApproved: boolean;
  /** Time until which the decision can be undone, and from which it can be sent. */
  undoUntil: Millis;
  /** Number of times that it was sent. */
  attempts: number;
}

/** The requests of one run by id. */
export type Requests = Map<string, Request>;

type EntryOf<Kind extends LedgerKind> = Extract<EntryLine, { kind: Kind }>;

/**
 * Returns what is wrong with an entry, given the entries of its run before it; null if nothing is. Actions of people and time are
 * judged by the policy that it names.
 * @param policies policies by hash
 */
export function replay(requests: Requests, entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null {
  const hash = policyNamedIn(entry.facts);
  const policy = hash === null ? null : policies.get(hash);
  if (policy === undefined) return 'names a policy that no line before it has';
  if (entry.kind === 'asked') return ask(requests, entry) ?? see(requests.get(entry.facts.approval), entry, policy);
  // Refused attempts may concern requests that never existed.
  if (entry.kind === 'refused' || entry.kind === 'tried' || entry.kind === 'policy') return null;
  const request = requests.get(entry.facts.approval);
  if (!request) return `is about the request ${entry.facts.approval}, which no entry before it has asked`;
  if (!COMES_WHILE[entry.kind].includes(request.stage))
    return `is "${entry.kind}", but request ${entry.facts.approval} ${SO_FAR[request.stage]}`;
  if (entry.kind === 'named') return policy && nameTask(request, entry, policy);
  return see(request, entry, policy) ?? judge(request, entry, policy && possibleFor(request, entry, policy));
}

/** Checks the values that decide which rules apply: they must be told, never change, and lead to the named rules. */
function see(request: Request | undefined, { facts }: EntryLine, policy: CrewPolicy | null): string | null {
  if (!request || policy === null) return null;
  const { values } = request;
  const seen = 'seen' in facts ? facts.seen : undefined;
  const placed = placedIn(request, policy, seen);
  const right = seenWith(policy, placed);
  if (right === null) return seen ? 'says what rules depend on that depend on nothing' : null;
  if (!seen) return "doesn't say what its rules depend on";
  const names = namesAt(possibleLevels(policy, placed).map(({ rules }) => rules)) ?? [];
  const stray = Object.keys(seen.values).find((name) => !names.includes(name));
  if (stray !== undefined) return `says the value ${stray}, which its rules don't depend on`;
  for (const name of names) {
    const claimed = seen.values[name];
    const replayed = name === 'task' ? (placed.taskName ?? undefined) : values.get(name);
    const isKnown = replayed !== undefined && isValue(name, replayed, policy.inputs);
    const isFixed = isKnown ? name !== 'channel' : name === 'task' || name === 'starter';
    if (isFixed && claimed !== replayed) return `says another ${name} than an entry before it`;
    if (claimed !== undefined) values.set(name, claimed);
  }
  const isRight = canonicalJson(right.possible) === canonicalJson(seen.possible);
  return isRight ? null : 'takes other rules for possible than its policy';
}

/** Returns true if a known value counts for these rules, which may declare another kind for an input. */
function isValue(name: string, value: Value, inputs: InputKinds): boolean {
  const input = inputOf(name);
  const kind = input === null ? undefined : inputs[input];
  return kind === undefined || isOfKind(value, kind);
}

function ask(requests: Requests, { at, facts }: EntryOf<'asked'>): string | null {
  const { approval, crew, task } = facts;
  const [first] = requests.values();
  if (first && first.asked.crew !== crew) return `is of the crew ${crew}, but its run is one of ${first.asked.crew}`;
  if (requests.has(approval)) return `asks for request ${approval}, which an entry before it has asked for`;
  for (const earlier of requests.values())
    if (earlier.asked.task.id === task.id && earlier.stage !== 'confirmed') earlier.stage = 'replaced';
  requests.set(approval, {
    asked: facts,
    stage: 'waiting',
    votes: [],
    handOvers: [],
    escalated: [],
    isNamedLater: false,
    proofs: new Map(),
    askedAt: at,
    stages: [],
    values: valuesTold(facts),
    chosen: new Map(),
    edited: null,
    decidedBy: null,
    isApproved: false,
    undoUntil: at,
    attempts: 0,
  });
  return null;
}

/** Returns the values for conditions in an entry that asks. */
function valuesTold({ round, starter, task: { name } }: LedgerFacts['asked']): Request['values'] {
  const values: Request['values'] = new Map([['round', round]]);
  if (starter !== null) values.set('starter', starter);
  if (name !== null) values.set('task', name);
  return values;
}

/** Names the task, so that fewer rules may be possible. */
function nameTask(request: Request, entry: EntryOf<'named'>, crewPolicy: CrewPolicy): string | null {
  const { task } = entry.facts;
  const { asked } = request;
  if (task.id !== asked.task.id) return `names the task ${task.id}, but the request is about ${asked.task.id}`;
  if (asked.task.name !== null) return `names a task that is called ${asked.task.name} already`;
  request.asked = { ...asked, task };
  request.isNamedLater = true;
  const problem = see(request, entry, crewPolicy);
  if (problem !== null) return problem;
  dropUsedUp(request, possibleFor(request, entry, crewPolicy));
  return null;
}

function judge(
  request: Request,
  entry: Exclude<EntryOf<RequestKind>, EntryOf<'named'>>,
  policies: readonly PossibleRules[] | null,
): string | null {
  switch (entry.kind) {
    case 'voted':
      return policies && vote(request, entry, policies);
    case 'edited':
      return policies && edit(request, entry, policies);
    case 'withdrawn':
      return withdraw(request, entry);
    case 'handed-over':
      return policies && handOver(request, entry, policies);
    case 'taken-back':
      return takeBack(request, entry);
    case 'revealed':
    case 'reminded':
      return null;
    case 'escalated':
      return policies && escalate(request, entry, policies);
    case 'expired':
      return policies && expire(request, entry, policies);
    case 'cancelled':
      return cancel(request);
    case 'decided':
      return policies && decide(request, entry, policies);
    case 'undone':
      return policies && undo(request, entry, policies);
    case 'sent':
      return send(request, entry);
    case 'not-confirmed':
      request.stage = 'not-confirmed';
      return entry.facts.attempt === request.attempts ? null : 'is about another attempt than the last';
    case 'lost':
      return lose(request, entry);
    case 'confirmed':
      if (request.attempts === 0) return 'is about a decision that no entry before it has sent';
      request.stage = 'confirmed';
      return null;
  }
}

function vote(request: Request, { at, facts }: EntryOf<'voted'>, policies: readonly PossibleRules[]): string | null {
  const { by, proof, stage, completes = [] } = facts;
  const own = voteIn(facts);
  if (stage !== stageName(policies)) return 'is a vote for another stage than that of its policy';
  if (isOtherText(request, facts.edited)) return OTHER_TEXT;
  const problem =
    whyNotVoting(own, completes, { request, at, policies }) ??
    whyNotChosen(request, { verdict: 'approve', ...facts }, policies);
  if (problem !== null) return problem;
  request.chosen.set(by, chosenIn(facts));
  const votes = completes.flatMap((each) => each.votes);
  const unlike = whyNotAlike(request, { ...facts, votes }, policies);
  if (unlike !== null) return unlike;
  if (proof) request.proofs.set(by, proof);
  // A second vote, with another note, replaces the first.
  request.votes = [...request.votes.filter((each) => each.by !== by), own];
  if (completes.length > 0) completeStages(request, { at, facts }, policies);
  return null;
}

function voteIn({ by, rule, account, for: right, named, seat, under, proof }: LedgerFacts['voted']): VoteFacts {
  return {
    ...{ by, rule, account },
    ...(right && { for: right }),
    ...(named !== undefined && { named }),
    ...(seat !== undefined && { seat }),
    ...(under && { under }),
    ...(proof && { proof }),
  };
}

/** Opens the next stages, and drops votes that none of the possible rules needs any more. */
function completeStages(
  request: Request,
  { at, facts }: Pick<EntryOf<'voted'>, 'at' | 'facts'>,
  policies: readonly PossibleRules[],
): void {
  const { completes = [] } = facts;
  const completed = completedBy(completes, { policies, at }, chosenIn(facts));
  request.stages = [...new Map([...request.stages, ...completed].map((each) => [each.key, each])).values()];
  const begun = completes.map(({ place }) => place);
  request.escalated = request.escalated.filter((place) => !begun.includes(place));
  const next = policies.map((rules) => {
    const count = begun.filter((place) => place === rules.place).length;
    return { ...rules, stage: rules.stage + count };
  });
  dropUsedUp(request, next);
}

function dropUsedUp(request: Request, policies: readonly PossibleRules[]): void {
  const gone = usedUp(request, policies);
  request.votes = request.votes.filter(({ by }) => !gone.includes(by));
}

/** Returns why an outcome or answer doesn't fit. A decline, an expiry and a "no" to a single outcome have none. */
function whyNotChosen(
  { asked: { outcomes, fields } }: Request,
  { verdict, outcome, answer }: Pick<LedgerFacts['decided'], 'verdict' | 'outcome' | 'answer'>,
  policies: readonly PossibleRules[],
): string | null {
  const takesAnswer = fields !== undefined && verdict === 'approve';
  if (takesAnswer !== (answer !== undefined)) return takesAnswer ? 'answers nothing' : 'answers what was not asked';
  if (outcome === undefined) {
    const isPlainNo = verdict === 'decline' || (verdict === 'reject' && outcomes?.length === 1);
    return outcomes === undefined || isPlainNo ? null : 'chooses nothing, but outcomes were offered';
  }
  if (!outcomes?.includes(outcome)) return 'chooses an outcome that was not offered';
  return verdictUnder(outcome, policies) === verdict ? null : 'counts its outcome otherwise than its policy';
}

/** Returns the outcome or answer that approvals must share to count together. A request has outcomes or fields, never both. */
function chosenIn({ outcome, answer }: Pick<LedgerFacts['decided'], 'outcome' | 'answer'>): string | undefined {
  return outcome ?? answer?.sha256;
}

/** Returns why approvals that count together differ in outcome or answer; null if they don't. */
function whyNotAlike(
  request: Request,
  { votes, ...choice }: Pick<LedgerFacts['decided'], 'outcome' | 'answer' | 'votes'>,
  policies: readonly PossibleRules[],
): string | null {
  const before = policies.flatMap((rules) => stagesBefore(request.stages, rules));
  const chosen = chosenIn(choice);
  const [ofStage] = before.find((stage) => stage.chosen !== chosen)?.votes ?? [];
  const other = ofStage ?? votes.find(({ by }) => request.chosen.get(by) !== chosen);
  const what = choice.answer ? 'answer' : 'outcome';
  return other ? `counts a vote of ${other.by} for another ${what}` : null;
}

/** Told where one rules alone is possible, and has stages. */
function stageName([only, ...others]: readonly PossibleRules[], after = 0): string | undefined {
  return others.length === 0 ? only?.stages[only.stage + after]?.name : undefined;
}

/** Replaces the text of the request, for which nobody has voted yet. */
function edit(request: Request, { at, facts }: EntryOf<'edited'>, policies: readonly PossibleRules[]): string | null {
  const { by, rule, text } = facts;
  const takesNone = request.asked.outcomes !== undefined || settingsOf(policies).comment.approve === 'none';
  const problem = whyNotAllowed({ by, rule, isApproval: true }, { request, at, policies });
  decideAbout(request, text.sha256 === request.asked.output.sha256 ? null : { by, text });
  if (problem !== null) return `is edited by ${by}, ${problem}`;
  return takesNone ? 'edits a text that its policy lets nobody approve with edits' : null;
}

function decideAbout(request: Request, edited: Request['edited']): void {
  if (request.stages.length > 0) request.escalated = [];
  Object.assign(request, { edited, votes: [], stages: [], proofs: new Map(), chosen: new Map() });
}

const OTHER_TEXT = 'approves another text than the one that is decided';

function isOtherText({ edited }: Request, text: TextFacts | undefined): boolean {
  return canonicalJson(edited?.text ?? null) !== canonicalJson(text ?? null);
}

function withdraw(request: Request, { facts: { by, reason } }: EntryOf<'withdrawn'>): string | null {
  const left = request.votes.filter((each) => each.by !== by);
  if (left.length === request.votes.length) return `withdraws a vote that ${by} never gave`;
  request.votes = left;
  // Edits are taken back with the vote for them.
  if (reason === 'own' && request.edited?.by === by) decideAbout(request, null);
  return null;
}

function handOver(
  request: Request,
  { at, facts }: EntryOf<'handed-over'>,
  policies: readonly PossibleRules[],
): string | null {
  const { by, to, until } = facts;
  const problem = whyNotHandingOver(facts, { request, at, policies });
  if (problem) return `is handed over by ${by}, ${problem}`;
  request.handOvers.push({ to, by, until: until ?? Number.POSITIVE_INFINITY });
  return null;
}

function takeBack(request: Request, { facts: { by, to, until } }: EntryOf<'taken-back'>): string | null {
  const isTaken = (each: HandOver) => each.by === by && each.to === to && each.until === until;
  const left = request.handOvers.filter((each) => !isTaken(each));
  if (left.length === request.handOvers.length) return `takes back what ${by} never handed over to ${to} for a while`;
  request.handOvers = left;
  return null;
}

/** Checks an escalation. By each rule, a request is escalated once for each stage, when its time has come. */
function escalate(
  request: Request,
  { at, facts: { places, to } }: EntryOf<'escalated'>,
  policies: readonly PossibleRules[],
): string | null {
  const escalating = policies.filter(({ place }) => places.includes(place));
  if (places.length === 0 || canonicalJson(escalating.map(({ place }) => place)) !== canonicalJson(places))
    return 'is an escalation by rules that are not possible';
  if (escalating.some(({ isEscalated }) => isEscalated)) return 'escalates what is escalated already';
  request.escalated = [...request.escalated, ...places];
  const names = new Set(escalating.flatMap(({ escalateTo }) => escalateTo.map(({ name }) => name)));
  const isPlanned = escalating.every(({ escalateAfterMs }) => escalateAfterMs !== null);
  if (!isPlanned || canonicalJson(to) !== canonicalJson([...names]))
    return 'is an escalation that its policy has none of';
  const isDue = escalating.every((rules) => at >= begunAt(request, rules) + (rules.escalateAfterMs ?? 0));
  return isDue ? null : 'is an escalation before the time of its policy';
}

/** Returns the time since when the stage is open that these rules name. */
function begunAt({ askedAt, stages }: Request, rules: PossibleRules): Millis {
  return Math.max(askedAt, ...stagesBefore(stages, rules).map(({ at }) => at));
}

function expire(
  request: Request,
  { at, facts: { outcome } }: EntryOf<'expired'>,
  policies: readonly PossibleRules[],
): string | null {
  request.stage = outcome === 'reject' ? 'expired' : 'closed';
  return whyNotExpired(request, { at, outcome }, policies);
}

/** The latest of the possible expiries counts, unless the program that asked waits no longer. */
function whyNotExpired(
  request: Request,
  { at, outcome }: { at: Millis; outcome: LedgerFacts['expired']['outcome'] },
  policies: readonly PossibleRules[],
): string | null {
  const { asked, askedAt } = request;
  const ends = policies.map((rules) => begunAt(request, rules) + (rules.expireAfterMs ?? Infinity));
  const soonest = Math.min(Math.max(...ends), askedAt + (asked.limit_ms ?? Infinity));
  const right = isToldAnyway(asked) ? 'reject' : settingsOf(policies).onExpiry;
  if (soonest === Infinity || outcome !== right) return 'is an expiry that its policy has none of';
  return at < soonest ? 'is an expiry before the time that people had' : null;
}

/** Programs that ask without a run of a crew are the only ones that fetch or are sent the decision. */
function cancel(request: Request): string | null {
  const { destination } = request.asked;
  request.stage = 'cancelled';
  return destination === 'poll' || destination === 'callback' ? null : 'takes back what no program has asked';
}

function decide(
  request: Request,
  { at, facts }: EntryOf<'decided'>,
  policies: readonly PossibleRules[],
): string | null {
  const { verdict, by, escalated, handed_to, undo_ms, completes = [] } = facts;
  const isExpired = request.stage === 'expired';
  const isUntold = verdict === 'decline' && settingsOf(policies).onDecline === 'close' && !isToldAnyway(request.asked);
  request.stage = isUntold ? 'declined' : 'decided';
  request.decidedBy = by?.by ?? null;
  request.isApproved = verdict === 'approve';
  if (facts.stage !== stageName(policies, completes.length))
    return 'is a decision in another stage than that of its policy';
  request.undoUntil = at + undo_ms;
  const places = policies.flatMap(({ place, isEscalated }) => (isEscalated ? [place] : []));
  if (escalated.some((place) => !places.includes(place)))
    return 'says that it was escalated, but no entry before it does';
  if (canonicalJson(escalated) !== canonicalJson(places))
    return 'says that it was not escalated, but an entry before it does';
  const takers = new Set(delegationsAt(request, at).map(({ to }) => to));
  const other = handed_to.find((id) => !takers.has(id));
  if (other !== undefined)
    return `says that it was handed over to ${other}, but no entry before it does, or that was over`;
  const untold = [...takers].find((id) => !handed_to.includes(id));
  if (untold !== undefined) return `doesn't say that it was handed over to ${untold}, but an entry before it does`;
  if (undo_ms !== (by === null ? 0 : undoMsOf(policies, verdict === 'approve')))
    return 'says another time for undoing than its policy';
  if (by === null)
    return isExpired
      ? rejectInTime(request, { at, ...facts }, policies)
      : 'is a decision of nobody, but nothing has expired';
  return isExpired
    ? `is a decision of ${by.by}, but it has expired`
    : decideByPerson(request, { ...facts, by }, { request, at, policies });
}

/** An approval is complete in the last stage. */
function undoMsOf(policies: readonly PossibleRules[], isApproval: boolean): Millis {
  return settingsOf(isApproval ? policies.map((rules) => ({ ...rules, ...rules.stages.at(-1) })) : policies).undoMs;
}

/** Its votes and stages count for this decision alone: if it is undone, those of before it wait again, but for the vote of its author. */
function decideByPerson(
  request: Request,
  facts: LedgerFacts['decided'] & { by: VoteFacts },
  circumstances: Circumstances,
): string | null {
  const { by, verdict, votes, completes = [] } = facts;
  const { policies } = circumstances;
  if (isOtherText(verdict === 'approve' ? request : { ...request, edited: null }, facts.edited)) return OTHER_TEXT;
  const problem = whyNotDecided(facts, circumstances) ?? whyNotChosen(request, facts, policies);
  if (problem !== null || verdict !== 'approve') return problem;
  request.chosen.set(by.by, chosenIn(facts));
  const counted = [...completes.flatMap((each) => each.votes), ...votes];
  const unlike = whyNotAlike(request, { ...facts, votes: counted }, policies);
  if (by.proof) request.proofs.set(by.by, by.proof);
  request.votes = request.votes.filter((vote) => vote.by !== by.by);
  return unlike;
}

/** Returns true if the program gets an answer even where the policy sends none. */
function isToldAnyway({ destination }: LedgerFacts['asked']): boolean {
  return needsAnswer({ destination: destination ? { kind: destination } : null });
}

/** The request expired before anybody decided. */
function rejectInTime(
  request: Request,
  { at, verdict, votes, text }: LedgerFacts['decided'] & { at: Millis },
  policies: readonly PossibleRules[],
): string | null {
  const [{ expiryText } = DEFAULT_POLICY] = policies;
  const isAsItSays = text.sha256 === sha256(expiryText) && text.length === expiryText.length;
  if (verdict !== 'reject' || votes.length > 0 || !isAsItSays)
    return "is a decision of nobody that isn't the one of its policy";
  return whyNotExpired(request, { at, outcome: 'reject' }, policies);
}

/** The person who decided may undo it even if they may no longer decide. */
function undo(
  request: Request,
  { at, facts: { by, rule } }: EntryOf<'undone'>,
  policies: readonly PossibleRules[],
): string | null {
  if (at >= request.undoUntil) return 'undoes what could not be undone any more';
  const { decidedBy, isApproved: isApproval } = request;
  request.stage = 'waiting';
  const problem =
    rule === OWN_DECISION && by === decidedBy
      ? null
      : whyNotAllowed({ by, rule, isApproval }, { request, at, policies });
  if (isApproval && decidedBy !== null && request.edited?.by === decidedBy) decideAbout(request, null);
  return problem && `is undone by ${by}, ${problem}`;
}

function send(request: Request, { at, facts: { attempt } }: EntryOf<'sent'>): string | null {
  if (at < request.undoUntil) return 'sends what could still be undone';
  const next = request.attempts + 1;
  request.stage = 'sent';
  request.attempts = next;
  return attempt === next ? null : `is attempt ${attempt}, but ${next} comes next`;
}

/** A decision whose own entry is gone: what was sent before can't be told, but it never becomes less. */
function lose(request: Request, { facts: { by, verdict, attempts } }: EntryOf<'lost'>): string | null {
  if (attempts < request.attempts) return `was sent ${attempts} times, but entries before it sent it more often`;
  request.attempts = attempts;
  request.stage = attempts === 0 ? 'waiting' : 'sent';
  request.decidedBy = by;
  request.isApproved = verdict === 'approve';
  return null;
}

/** The rules that may turn out to apply to a request, by what an entry about it says. */
function possibleFor(request: Request, { facts }: EntryLine, policy: CrewPolicy): PossibleRules[] {
  return possibleWith(policy, placedIn(request, policy, 'seen' in facts ? facts.seen : undefined));
}

function placedIn({ asked, stages, escalated }: Request, policy: CrewPolicy, seen: SeenFacts | undefined): Placed {
  const { id: taskId, name, titled: isTitled = false } = asked.task;
  return {
    taskId,
    taskName: withoutTitle({ taskName: name, isTitled }, policy).taskName,
    values: new Map(Object.entries(seen?.values ?? {})),
    stages: stages.map(({ key }) => key),
    escalated,
  };
}
