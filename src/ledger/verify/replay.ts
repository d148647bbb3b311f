import { evaluate } from '../../core/approval/policy/evaluate.ts';
import { HANDED_OVER, permits, type Subject } from '../../core/approval/policy/permits.ts';
import { type CrewPolicy, type Policy, policyFor } from '../../core/approval/policy/policy.ts';
import type { LedgerEvent, LedgerFacts, VoteFacts } from '../../core/ledger/event.ts';
import type { Millis } from '../../core/time.ts';
import type { EntryLine } from '../lines/line.ts';
import { openRequest, type Request } from './requests.ts';
import { factsOf } from './voter-facts.ts';

type Voted = Extract<LedgerEvent, { kind: 'voted' }>;
type HandedOver = Extract<LedgerEvent, { kind: 'handed-over' }>;

/** The requests of one run, by their id. */
export type Requests = Map<string, Request>;

/**
 * What is wrong with what an entry tells, after all that the entries before it told; null if nothing is. Each vote and decision
 * is judged by the policy that it names.
 * @param policies by their hash
 */
export function replay(requests: Requests, entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null {
  const crewPolicy = 'policy' in entry.facts ? policies.get(entry.facts.policy) : null;
  if (crewPolicy === undefined) return 'names a policy that no line before it has';
  if (entry.kind === 'asked') {
    requests.set(entry.facts.approval, openRequest(entry));
    return null;
  }
  // People also try things on requests that are older than the ledger, or that there never were.
  if (entry.kind === 'refused' || entry.kind === 'policy') return null;
  const request = requests.get(entry.facts.approval);
  if (!request) return `is about the request ${entry.facts.approval}, which no entry before it has asked`;
  return judge(request, entry, crewPolicy && policyFor(crewPolicy, taskOf(request)));
}

function judge(request: Request, entry: EntryLine, policy: Policy | null): string | null {
  switch (entry.kind) {
    case 'voted':
      return policy && judgeVote(request, entry, policy);
    case 'withdrawn':
      return withdraw(request, entry.facts.by);
    case 'decided':
      return policy && judgeDecision(request, entry, policy);
    case 'handed-over':
      return policy && handOver(request, entry, policy);
    case 'taken-back':
      return takeBack(request, entry.facts);
    case 'escalated':
      request.isEscalated = true;
      return null;
    case 'undone':
      return undo(request, entry.at);
    case 'sent':
      return send(request, entry.at);
    case 'confirmed':
    case 'unconfirmed':
      return request.status === 'sent' ? null : 'is about a decision that no entry before it has sent';
    case 'asked':
    case 'refused':
    case 'reminded':
    case 'expired':
    case 'policy':
      return null;
  }
}

function judgeVote(request: Request, { at, facts }: Voted, policy: Policy): string | null {
  const { by, rule, account } = facts;
  if (request.status !== 'open') return 'is a vote on what is decided already';
  const vote = { by, rule, account };
  const permit = permits(policy, subjectOf(request, at), by, factsOf(policy, [vote], request.asked.starter));
  if (permit.kind === 'denied') return `is a vote of ${by}, whom its policy doesn't allow it (${permit.denial.kind})`;
  if (permit.rule !== rule) return `says that ${by} was allowed by ${rule}, but its policy says ${permit.rule}`;
  request.votes.push(vote);
  return null;
}

function withdraw(request: Request, by: string): string | null {
  const left = request.votes.filter((vote) => vote.by !== by);
  if (left.length === request.votes.length) return `withdraws a vote that ${by} never gave`;
  request.votes = left;
  return null;
}

function judgeDecision(
  request: Request,
  { at, facts: decided }: Extract<LedgerEvent, { kind: 'decided' }>,
  policy: Policy,
): string | null {
  if (request.status !== 'open') return 'decides what is decided already';
  request.status = 'decided';
  request.undoUntil = at + decided.undo_ms;
  const { by, verdict } = decided;
  if (by !== null) return judgeVerdict(request, { ...decided, by, at }, policy);
  const { expireAfterMs, onExpiry } = policy;
  if (verdict !== 'reject' || expireAfterMs === null || onExpiry !== 'reject')
    return 'is a decision of nobody, which its policy has none of';
  return at < request.askedAt + expireAfterMs ? 'is a decision of nobody before the time that people had' : null;
}

function judgeVerdict(
  request: Request,
  { at, by, verdict, votes, escalated, handed_to }: LedgerFacts['decided'] & { at: Millis; by: VoteFacts },
  policy: Policy,
): string | null {
  const approved = request.votes.map((vote) => vote.by);
  // By which rule each may decide can have changed since.
  const unknown = votes.find((vote) => !approved.includes(vote.by));
  if (unknown) return `counts a vote of ${unknown.by} that no entry before it has`;
  if (escalated && !request.isEscalated) return 'says that it was escalated, but no entry before it does';
  const { handedTo } = subjectOf(request, at);
  const stranger = handed_to.find((id) => !handedTo.includes(id));
  if (stranger !== undefined)
    return `says that it was handed over to ${stranger}, but no entry before it does, or that was over`;
  const subject: Subject = { starterId: request.asked.starter, isEscalated: escalated, handedTo: handed_to };
  const facts = factsOf(policy, [...votes, by], request.asked.starter);
  const votesBefore = votes.map((vote) => vote.by);
  const evaluation = evaluate(policy, { verdict, personId: by.by, subject, votes: votesBefore, facts });
  if (evaluation.kind === 'refused')
    return `is a decision of ${by.by}, whom its policy doesn't allow it (${evaluation.denial.kind})`;
  if (evaluation.rule !== by.rule)
    return `says that ${by.by} was allowed by ${by.rule}, but its policy says ${evaluation.rule}`;
  return evaluation.kind === 'allowed' ? null : `is decided with ${evaluation.more} too few approvals`;
}

function handOver(request: Request, { at, facts }: HandedOver, policy: Policy): string | null {
  const { by, to, rule, until } = facts;
  const approvers = [...policy.approvers, ...(request.isEscalated ? policy.escalateTo : [])];
  const { handedTo } = subjectOf(request, at);
  const isRule = rule === HANDED_OVER ? handedTo.includes(by) : approvers.some(({ name }) => name === rule);
  if (!isRule) return `is handed over by ${by} as ${rule}, whom its policy doesn't name`;
  request.handedTo.push({ to, by, until: until ?? Number.POSITIVE_INFINITY });
  return null;
}

function takeBack(request: Request, { by, to }: LedgerFacts['taken-back']): string | null {
  const left = request.handedTo.filter(
    (each) => each.by !== by || each.to !== to || each.until === Number.POSITIVE_INFINITY,
  );
  if (left.length === request.handedTo.length) return `takes back what ${by} never handed over to ${to} for a while`;
  request.handedTo = left;
  return null;
}

function undo(request: Request, at: Millis): string | null {
  if (request.status !== 'decided') return 'undoes what is not decided, or sent already';
  if (at >= request.undoUntil) return 'undoes what could not be undone any more';
  request.status = 'open';
  return null;
}

/** An unconfirmed decision may be sent again. */
function send(request: Request, at: Millis): string | null {
  if (request.status === 'open') return 'sends what nobody has decided';
  if (at < request.undoUntil) return 'sends what could still be undone';
  request.status = 'sent';
  return null;
}

function subjectOf({ asked, isEscalated, handedTo }: Request, at: Millis): Subject {
  const counting = handedTo.filter(({ until }) => at < until).map(({ to }) => to);
  return { starterId: asked.starter, isEscalated, handedTo: counting };
}

function taskOf({ asked: { task } }: Request) {
  return { taskId: task.id, taskName: task.name };
}
