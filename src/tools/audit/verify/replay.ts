import {
  type LedgerFacts,
  type LedgerKind,
  type SeenFacts,
  sha256,
  type VoteFacts,
} from '../../../core/ledger/entry.ts';
import { type InputKinds, inputOf, isOfKind, type Value } from '../../../core/policy/condition.ts';
import { decideAlike, stageKey } from '../../../core/policy/document.ts';
import { OWN_DECISION } from '../../../core/policy/evaluate.ts';
import { hasNextStage, inForce, levelFor, namesAt, rulesSeen } from '../../../core/policy/in-force.ts';
import { verdictOf } from '../../../core/policy/outcomes.ts';
import { approvalsNeeded, type CrewPolicy, type Policy } from '../../../core/policy/policy.ts';
import { mustHear } from '../../../core/state/approval.ts';
import type { Millis } from '../../../core/values/time.ts';
import { type EntryLine, policyNamedIn } from '../lines.ts';
import {
  delegationsAt,
  type HandOver,
  type VotedRequest,
  whyNotCompleted,
  whyNotDecided,
  whyNotHandingOver,
  whyNotUndoing,
  whyNotVoting,
} from './rights.ts';

// Tells the story of each request again, entry by entry: what may come when, and whether the policy that an entry names allows
// what people and time have done.

/** How far a request has come, as the entries of its run tell it. */
type Stage =
  | 'waiting'
  /** Nobody decided in time: its rejection comes next. */
  | 'expired'
  /** Nobody decided in time, and the crew isn't told. */
  | 'closed'
  | 'decided'
  /** For good, and the crew isn't told. */
  | 'declined'
  | 'sent'
  | 'unconfirmed'
  | 'confirmed'
  /** Its task has asked again meanwhile. */
  | 'replaced';

const SO_FAR: Record<Stage, string> = {
  waiting: 'still waits for a decision',
  expired: 'has expired, and is to be rejected next',
  closed: 'has expired',
  decided: 'is decided',
  declined: 'was declined for good',
  sent: 'is sent',
  unconfirmed: 'is sent',
  confirmed: 'has reached the crew',
  replaced: 'was followed by a newer round of its task',
};

/** Those about one request that was asked, which the others needn't be. */
type RequestKind = Exclude<LedgerKind, 'asked' | 'refused' | 'policy'>;

/** What may come when. */
const COMES_WHILE: Record<RequestKind, readonly Stage[]> = {
  // As long as the crew hasn't certainly received a decision by other rules.
  named: ['waiting', 'decided', 'declined', 'sent', 'unconfirmed'],
  voted: ['waiting'],
  withdrawn: ['waiting'],
  'handed-over': ['waiting'],
  // An absence may end at any time.
  'taken-back': ['waiting', 'decided', 'declined', 'sent', 'unconfirmed'],
  reminded: ['waiting'],
  escalated: ['waiting'],
  expired: ['waiting'],
  decided: ['waiting', 'expired'],
  undone: ['decided', 'declined'],
  // What the crew has refused, or hasn't confirmed, may be sent again.
  sent: ['decided', 'sent', 'unconfirmed'],
  unconfirmed: ['sent'],
  // That the crew asks again may be the proof.
  confirmed: ['sent', 'unconfirmed', 'replaced'],
};

/** A request as the entries of its run have told of it so far. */
export interface Request extends VotedRequest {
  stage: Stage;
  askedAt: Millis;
  /** Since when its stage is open. */
  begunAt: Millis;
  /** What conditions have seen of it, by the names of the values. */
  values: Map<string, SeenFacts['values'][string]>;
  /** The outcomes that people have approved by choosing them, where they were offered. */
  chosen: Map<string, string | undefined>;
  /** Null if nobody has decided, or time has. */
  decidedBy: string | null;
  /** Until then the decision can be undone, and from then on sent. */
  undoUntil: Millis;
  /** How often it was sent. */
  attempts: number;
}

/** The requests of one run, by their id. */
export type Requests = Map<string, Request>;

type EntryOf<Kind extends LedgerKind> = Extract<EntryLine, { kind: Kind }>;

/**
 * What is wrong with what an entry tells, after all that the entries of its run before it told; null if nothing is. What people
 * and time have done is judged by the policy that it names.
 * @param policies by their hash
 */
export function replay(requests: Requests, entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null {
  const hash = policyNamedIn(entry.facts);
  const policy = hash === null ? null : policies.get(hash);
  if (policy === undefined) return 'names a policy that no line before it has';
  if (entry.kind === 'asked') return ask(requests, entry) ?? see(requests.get(entry.facts.approval), entry, policy);
  // People also try things on requests that there never were.
  if (entry.kind === 'refused' || entry.kind === 'policy') return null;
  const request = requests.get(entry.facts.approval);
  if (!request) return `is about the request ${entry.facts.approval}, which no entry before it has asked`;
  if (!COMES_WHILE[entry.kind].includes(request.stage))
    return `is "${entry.kind}", but request ${entry.facts.approval} ${SO_FAR[request.stage]}`;
  if (entry.kind === 'named') return policy && nameTask(request, entry, policy);
  return see(request, entry, policy) ?? judge(request, entry, policy && policyOfTask(policy, request));
}

/** What the rules of a request depend on has to be told, and never changes; it follows which conditions count. */
function see(request: Request | undefined, { kind, facts }: EntryLine, policy: CrewPolicy | null): string | null {
  if (!request || policy === null) return null;
  const { asked, values } = request;
  const task = { taskId: asked.task.id, taskName: asked.task.name };
  const own = namesAt(levelFor(policy, task));
  const before = kind === 'named' ? namesAt(levelFor(policy, { ...task, taskName: null })) : null;
  const names = own || before ? [...new Set([...(own ?? []), ...(before ?? [])])] : null;
  const seen = 'seen' in facts ? facts.seen : undefined;
  if (names === null) return seen ? 'says what rules depend on that depend on nothing' : null;
  if (!seen) return "doesn't say what its rules depend on";
  for (const name of names) {
    const told = seen.values[name];
    const known = values.get(name);
    const isKnown = known !== undefined && isValue(name, known, policy.inputs);
    if (isKnown && told !== known && name !== 'channel') return `says another ${name} than an entry before it`;
    if (told !== undefined) values.set(name, told);
  }
  const stray = Object.keys(seen.values).find((name) => !names.includes(name));
  if (stray !== undefined) return `says the value ${stray}, which its rules don't depend on`;
  const counting = rulesOfTask(policy, request);
  return String(counting) === String(seen.rules) ? null : 'counts other conditions than its policy';
}

/** Whether a value that is known is one to these rules, which may take an input to be of another kind than others do. */
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
    isEscalated: false,
    isReopened: false,
    proofs: new Map(),
    askedAt: at,
    begunAt: at,
    stages: [],
    values: valuesTold(facts),
    chosen: new Map(),
    decidedBy: null,
    undoUntil: at,
    attempts: 0,
  });
  return null;
}

/** What an entry that asks says of what conditions can see. */
function valuesTold({ round, starter, task: { name } }: LedgerFacts['asked']): Request['values'] {
  const values: Request['values'] = new Map([['round', round]]);
  if (starter !== null) values.set('starter', starter);
  if (name !== null) values.set('task', name);
  return values;
}

/** From now on, the rules for that name count. What they don't allow has to be decided again. */
function nameTask(request: Request, entry: EntryOf<'named'>, crewPolicy: CrewPolicy): string | null {
  const { task, reopened } = entry.facts;
  const { asked, stage } = request;
  if (task.id !== asked.task.id) return `names the task ${task.id}, but the request is about ${asked.task.id}`;
  if (asked.task.name !== null) return `names a task that is called ${asked.task.name} already`;
  request.asked = { ...asked, task };
  request.values.set('task', task.name);
  const problem = see(request, entry, crewPolicy);
  if (problem !== null) return problem;
  const unnamed = new Map([...request.values].filter(([name]) => name !== 'task'));
  const before = policyOfTask(crewPolicy, { ...request, asked, values: unnamed });
  const isAlike = decideAlike(before, policyOfTask(crewPolicy, request));
  if (!isAlike) request.isEscalated = false;
  if (!reopened)
    return isAlike || stage === 'waiting' ? null : 'leaves a decision in place that was made by other rules';
  if (stage === 'waiting') return 'voids a decision that nobody has made';
  request.stage = 'waiting';
  request.isReopened = true;
  return null;
}

function judge(
  request: Request,
  entry: Exclude<EntryOf<RequestKind>, EntryOf<'named'>>,
  policy: Policy | null,
): string | null {
  switch (entry.kind) {
    case 'voted':
      return policy && vote(request, entry, policy);
    case 'withdrawn':
      return withdraw(request, entry);
    case 'handed-over':
      return policy && handOver(request, entry, policy);
    case 'taken-back':
      return takeBack(request, entry);
    case 'reminded':
      return null;
    case 'escalated':
      return policy && escalate(request, entry, policy);
    case 'expired':
      return policy && expire(request, entry, policy);
    case 'decided':
      return policy && decide(request, entry, policy);
    case 'undone':
      return policy && undo(request, entry, policy);
    case 'sent':
      return send(request, entry);
    case 'unconfirmed':
      request.stage = 'unconfirmed';
      return entry.facts.attempt === request.attempts ? null : 'is about another attempt than the last';
    case 'confirmed':
      if (request.attempts === 0) return 'is about a decision that no entry before it has sent';
      request.stage = 'confirmed';
      return null;
  }
}

function vote(request: Request, { at, facts }: EntryOf<'voted'>, policy: Policy): string | null {
  const { by, rule, account, for: given, named, seat, proof, outcome, stage, completes } = facts;
  const own = {
    ...{ by, rule, account },
    ...(given && { for: given }),
    ...(named !== undefined && { named }),
    ...(seat !== undefined && { seat }),
    ...(proof && { proof }),
  };
  if (stage !== stageName(policy)) return 'is a vote for another stage than that of its policy';
  const problem = whyNotVoting(own, { request, at, policy });
  if (problem) return `is a vote of ${by}, ${problem}`;
  const unchosen = whyNotChosen(request, { verdict: 'approve', outcome }, policy);
  if (unchosen) return unchosen;
  request.chosen.set(by, outcome);
  if (proof) request.proofs.set(by, proof);
  if (completes) return completeStage(request, { at, own, votes: completes }, policy);
  const decides = approvalsNeeded(policy) === 1 && !hasNextStage(policy);
  if (decides && !request.isReopened) return 'is a vote where the first approval decides';
  // With another note, a vote replaces the one before.
  request.votes = [...request.votes.filter((each) => each.by !== by), own];
  return null;
}

function completeStage(
  request: Request,
  { at, own, votes }: { at: Millis; own: VoteFacts; votes: VoteFacts[] },
  policy: Policy,
): string | null {
  const outcome = request.chosen.get(own.by);
  const problem =
    whyNotCompleted({ by: own, votes }, { request, at, policy }) ?? whyNotAlike(request, { outcome, votes }, policy);
  const completed = policy.stages[policy.stage];
  if (problem !== null || !completed) return problem ?? 'completes a stage that its policy has none of';
  const stage = { key: stageKey(completed), votes: [...votes, own], outcome };
  request.stages = [...request.stages.slice(0, policy.stage), stage];
  request.votes = [];
  request.begunAt = at;
  request.isEscalated = false;
  return null;
}

/** Why an outcome isn't one that could be chosen for this verdict; null if it is. A final no takes none, nor does time. */
function whyNotChosen(
  { asked: { outcomes } }: Request,
  { verdict, outcome }: { verdict: LedgerFacts['decided']['verdict']; outcome?: string | undefined },
  policy: Policy,
): string | null {
  if (outcome === undefined)
    return outcomes === undefined || verdict === 'decline' ? null : 'chooses nothing, but outcomes were offered';
  if (!outcomes?.includes(outcome)) return 'chooses an outcome that was not offered';
  return verdictOf(outcome, policy) === verdict ? null : 'counts its outcome otherwise than its policy';
}

/** Why the approvals that count aren't for the same outcome; null if they are. */
function whyNotAlike(
  request: Request,
  { outcome, votes }: { outcome?: string | undefined; votes: readonly VoteFacts[] },
  policy: Policy,
): string | null {
  const before = request.stages.slice(0, policy.stage).find((stage) => stage.outcome !== outcome);
  const [ofStage] = before?.votes ?? [];
  const other = ofStage ?? votes.find(({ by }) => request.chosen.get(by) !== outcome);
  return other ? `counts a vote of ${other.by} for another outcome` : null;
}

function stageName({ stages, stage }: Policy): string | undefined {
  return stages[stage]?.name;
}

function withdraw(request: Request, { facts: { by } }: EntryOf<'withdrawn'>): string | null {
  const left = request.votes.filter((each) => each.by !== by);
  if (left.length === request.votes.length) return `withdraws a vote that ${by} never gave`;
  request.votes = left;
  return null;
}

function handOver(request: Request, { at, facts }: EntryOf<'handed-over'>, policy: Policy): string | null {
  const { by, to, until } = facts;
  const problem = whyNotHandingOver(facts, { request, at, policy });
  if (problem) return `is handed over by ${by}, ${problem}`;
  if (to === by || (!policy.selfApproval && to === request.asked.starter))
    return `is handed over to ${to}, to whom it can't be`;
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

function escalate(request: Request, entry: EntryOf<'escalated'>, policy: Policy): string | null {
  if (request.isEscalated) return 'escalates what is escalated already';
  request.isEscalated = true;
  return whyNotEscalated(request, entry, policy);
}

function expire(request: Request, { at, facts: { outcome } }: EntryOf<'expired'>, policy: Policy): string | null {
  request.stage = outcome === 'reject' ? 'expired' : 'closed';
  return whyNotExpired(request, { at, outcome }, policy);
}

function whyNotEscalated(
  { begunAt }: Request,
  { at, facts: { to } }: EntryOf<'escalated'>,
  { escalateAfterMs, escalateTo }: Policy,
): string | null {
  if (escalateAfterMs === null || String(to) !== String(escalateTo.map(({ name }) => name)))
    return 'is an escalation that its policy has none of';
  return at < begunAt + escalateAfterMs ? 'is an escalation before the time of its policy' : null;
}

function whyNotExpired(
  { asked, askedAt, begunAt }: Request,
  { at, outcome }: { at: Millis; outcome: LedgerFacts['expired']['outcome'] },
  { expireAfterMs, onExpiry }: Policy,
): string | null {
  const { limit_ms: limitMs } = asked;
  if (expireAfterMs === null && limitMs === undefined) return 'is an expiry that its policy has none of';
  if (outcome !== (isToldAnyway(asked) ? 'reject' : onExpiry)) return 'is an expiry that its policy has none of';
  const soonest = Math.min(begunAt + (expireAfterMs ?? Infinity), askedAt + (limitMs ?? Infinity));
  return at < soonest ? 'is an expiry before the time that people had' : null;
}

function decide(request: Request, { at, facts }: EntryOf<'decided'>, policy: Policy): string | null {
  const { verdict, by, escalated, handed_to, undo_ms } = facts;
  const isExpired = request.stage === 'expired';
  const leftMs = Math.max(0, request.undoUntil - at);
  const isUntold = verdict === 'decline' && policy.onDecline === 'close' && !isToldAnyway(request.asked);
  request.stage = isUntold ? 'declined' : 'decided';
  request.decidedBy = by?.by ?? null;
  if (facts.stage !== stageName(policy)) return 'is a decision in another stage than that of its policy';
  request.undoUntil = at + undo_ms;
  if (escalated && !request.isEscalated) return 'says that it was escalated, but no entry before it does';
  if (!escalated && request.isEscalated) return 'says that it was not escalated, but an entry before it does';
  const takers = new Set(delegationsAt(request, at).map(({ to }) => to));
  const other = handed_to.find((id) => !takers.has(id));
  if (other !== undefined)
    return `says that it was handed over to ${other}, but no entry before it does, or that was over`;
  const untold = [...takers].find((id) => !handed_to.includes(id));
  if (untold !== undefined) return `doesn't say that it was handed over to ${untold}, but an entry before it does`;
  // A decision that also stands by the rules for the name of its task can be undone for as long as before.
  if (undo_ms !== (by === null ? 0 : policy.undoMs) && !(request.isReopened && undo_ms === leftMs))
    return 'says another time for undoing than its policy';
  if (by !== null && isExpired) return `is a decision of ${by.by}, but it has expired`;
  if (by !== null) {
    const problem =
      whyNotDecided({ ...facts, by }, { request, at, policy }) ??
      whyNotChosen(request, facts, policy) ??
      (verdict === 'approve' ? whyNotAlike(request, facts, policy) : null);
    if (verdict === 'approve') request.chosen.set(by.by, facts.outcome);
    if (by.proof) request.proofs.set(by.by, by.proof);
    request.stages = request.stages.slice(0, policy.stage);
    return problem;
  }
  return isExpired
    ? rejectInTime(request, { at, ...facts }, policy)
    : 'is a decision of nobody, but nothing has expired';
}

/** Whether its asker is told even of what the policy has nobody told. */
function isToldAnyway({ destination }: LedgerFacts['asked']): boolean {
  return mustHear({ destination: destination ? { kind: destination } : null });
}

/** Nobody decided in time. */
function rejectInTime(
  request: Request,
  { at, verdict, votes, text }: LedgerFacts['decided'] & { at: Millis },
  policy: Policy,
): string | null {
  const { expiryText } = policy;
  const isAsItSays = text.sha256 === sha256(expiryText) && text.length === expiryText.length;
  if (verdict !== 'reject' || votes.length > 0 || !isAsItSays)
    return "is a decision of nobody that isn't the one of its policy";
  return whyNotExpired(request, { at, outcome: 'reject' }, policy);
}

/** Who has decided may undo it even if they may no longer decide. */
function undo(request: Request, { at, facts: { by, rule } }: EntryOf<'undone'>, policy: Policy): string | null {
  if (at >= request.undoUntil) return 'undoes what could not be undone any more';
  request.stage = 'waiting';
  if (rule === OWN_DECISION && by === request.decidedBy) return null;
  const problem = whyNotUndoing({ by, rule }, { request, at, policy });
  return problem && `is undone by ${by}, ${problem}`;
}

function send(request: Request, { at, facts: { attempt } }: EntryOf<'sent'>): string | null {
  if (at < request.undoUntil) return 'sends what could still be undone';
  const next = request.isReopened && attempt === 1 ? 1 : request.attempts + 1;
  request.stage = 'sent';
  request.attempts = next;
  return attempt === next ? null : `is attempt ${attempt}, but ${next} comes next`;
}

function policyOfTask(policy: CrewPolicy, request: Request): Policy {
  return inForce(policy, placedIn(request));
}

function rulesOfTask(policy: CrewPolicy, request: Request): number[] {
  const { values, ...task } = placedIn(request);
  return rulesSeen(levelFor(policy, task), values);
}

function placedIn({ asked: { task }, stages, values }: Request) {
  return { taskId: task.id, taskName: task.name, stages: stages.map(({ key }) => key), values };
}
