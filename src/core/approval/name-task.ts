import { withRunStatus } from '../execution/run.ts';
import type { LedgerEvent } from '../ledger/entry.ts';
import type { CrewRules } from '../policy/crew-rules.ts';
import { decideAlike } from '../policy/document.ts';
import { evaluate, type Facts, type LapsedVote, permits } from '../policy/evaluate.ts';
import { verdictOf } from '../policy/outcomes.ts';
import { ballotOn, type Permitted } from '../policy/permission.ts';
import { findRules, findRulesAgain, namedPolicyFacts, type RequestRules } from '../policy/rules.ts';
import {
  type Alert,
  type Approval,
  askedPart,
  type Decision,
  finalNo,
  isInDoubt,
  type Pending,
  type Person,
  supersede,
} from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, hasEnded, taskNameOf, withApproval, withTaskName } from '../state/execution.ts';
import { lacksSignIn } from '../state/sign-in.ts';
import type { Millis } from '../values/time.ts';
import { mentionsFor, withAlert } from './alerts.ts';
import { decidedFacts, nextStage, ownVote, votedFacts, withdrawnEvents } from './decide.ts';
import { closeDeclined, lastRejection } from './decline.ts';
import { underRules } from './planned-times.ts';

/** What the crew says a task is called. It counts only together with the id of that task. */
interface Named {
  taskId: string | null;
  name: string | null;
}

/** The rules in force, and what Slack says about those who have voted or decided. */
interface Judging {
  rules: CrewRules;
  facts: Facts;
}

/**
 * The crew has named a task, and the first name stays. What its open request was judged by until then were the crew's own rules;
 * from now on, those for that name are, which its votes, its times and a decision that hasn't been sent have to stand up to.
 */
export function nameTask(execution: Execution, named: Named, judging: Judging, now: Millis): Execution {
  return hasEnded(execution) ? execution : nameRequests(withTaskName(execution, named), judging, now);
}

/** The same for all names that have been told. While the crew isn't configured, no rules are known to judge by. */
export function nameRequests(execution: Execution, judging: Judging, now: Millis): Execution {
  if (judging.rules.policy === null || execution.taskNames.length === 0) return execution;
  const named = execution.approvals.reduce((each, approval) => {
    const taskName = nameLearned(each, approval);
    return taskName === null ? each : nameRequest(each, { approval, taskName, ...judging }, now);
  }, execution);
  return named === execution ? execution : closeDeclined(named, now);
}

/** Those about whom Slack has to be asked before a task is named, and the run as it will be then. */
export function judgedByName(execution: Execution, named: Named): { named: Execution; people: string[] } {
  const told = withTaskName(execution, named);
  const concerned = told.approvals.filter((approval) => nameLearned(told, approval) !== null);
  const people = concerned.flatMap((approval) => [
    ...approval.votes.map(({ by }) => by.id),
    ...('decision' in approval && approval.decision?.by ? [approval.decision.by.id] : []),
  ]);
  const approvals = told.approvals.map((each) => ({ ...each, taskName: nameLearned(told, each) ?? each.taskName }));
  return { named: { ...told, approvals }, people: [...new Set(people)] };
}

/** The name that a request doesn't have yet; null if it has one, or what it says can't matter any more. */
function nameLearned(execution: Execution, approval: Approval): string | null {
  return approval.taskName === null && canBeJudged(approval) ? taskNameOf(execution, approval.taskId) : null;
}

/** Whether the crew has certainly heard of no decision, and may still hear of one. What a final no has closed stays closed. */
function canBeJudged(approval: Approval): boolean {
  switch (approval.status) {
    case 'pending':
      return true;
    case 'decided':
    case 'failed':
      return !isInDoubt(approval) && finalNo(approval) === null;
    case 'superseded':
      return approval.by === 'unfollowed';
    case 'sending':
    case 'delivered':
    case 'declined':
    case 'expired':
      return false;
  }
}

function nameRequest(
  execution: Execution,
  { taskName, rules, facts, approval }: Judging & { approval: Approval; taskName: string },
  now: Millis,
): Execution {
  const request = { ...approval, taskName };
  const isDecided = request.status === 'decided' || request.status === 'failed';
  const before = findRules(rules, { execution, request: approval, now });
  const after = findRules(rules, { execution, request, now });
  const [oldPolicy, newPolicy] = [before.policies[0], after.policies[0]];
  if (oldPolicy === undefined || newPolicy === undefined) return execution;
  const isAlike = decideAlike(oldPolicy, newPolicy);
  const { id, taskId, times } = request;
  const task = { approval: id, task: { id: taskId, name: taskName }, ...namedPolicyFacts(after) };
  const named: LedgerEvent = { kind: 'named', at: now, facts: { ...task, reopened: isDecided && !isAlike } };
  if (isAlike) return recordEvent(withApproval(execution, underRules(after)), named);
  // Those whom it was escalated to by the rules before have no say by these.
  const restarted = { ...request, times: { ...times, rules: '', escalatedAt: null } };
  const timed = underRules(findRules(rules, { execution, request: restarted, now }));
  const judged = judge({ ...findRules(rules, { execution, request: timed, now }), policy: newPolicy, facts }, now);
  return [named, ...judged.events].reduce(recordEvent, withRunStatus(withApproval(execution, judged.approval)));
}

interface Judged {
  approval: Approval;
  events: LedgerEvent[];
}

type Request<Each extends Approval = Approval> = Pick<Permitted<Each>, keyof RequestRules | 'policy' | 'facts'>;

function judge({ request, ...rules }: Request, now: Millis): Judged {
  switch (request.status) {
    case 'decided':
    case 'failed':
      return judgeDecision({ ...rules, request }, now);
    case 'pending': {
      const judged = judgeVotes({ ...rules, request }, now);
      // A card that isn't posted yet tells everything itself.
      return request.mentioned === null ? judged : announced({ ...rules, request }, judged, 'named', now);
    }
    case 'superseded':
      return judgeVotes({ ...rules, request }, now);
    case 'sending':
    case 'delivered':
    case 'declined':
    case 'expired':
      return { approval: request, events: [] };
  }
}

/** Votes of people who may not decide by these rules don't count. Where Slack can't tell, that is left to the moment of the decision. */
function judgeVotes({ request, policy, subject, facts }: Request, now: Millis): Judged {
  const lapsed = request.votes.flatMap(({ by, signIn }): LapsedVote[] => {
    if (lacksSignIn({ signIn }, policy)) return [{ personId: by.id, denial: { kind: 'not-signed-in' } }];
    const permit = permits(policy, subject, by.id, facts);
    const isSure = permit.kind === 'denied' && permit.denial.kind !== 'unsure';
    return isSure ? [{ personId: by.id, denial: permit.denial }] : [];
  });
  if (lapsed.length === 0) return { approval: request, events: [] };
  const votes = request.votes.filter(({ by }) => !lapsed.some(({ personId }) => personId === by.id));
  return {
    approval: { ...request, votes, takenBack: request.takenBack + 1 },
    events: withdrawnEvents(request.id, lapsed, now),
  };
}

/** A decision that these rules don't surely allow is taken back, and the verdict that completed it counts as a vote if they allow that. */
function judgeDecision(rules: Request<Extract<Approval, { status: 'decided' | 'failed' }>>, now: Millis): Judged {
  const { execution, request, policy, facts } = rules;
  const { decision } = request;
  const { by, verdict } = decision;
  const ballot = ballotWith(decision, ballotOn(rules, policy));
  const isSameVerdict = decision.outcome === undefined || verdictOf(decision.outcome, policy) === verdict;
  const evaluation = by && isSameVerdict ? evaluate(policy, { verdict, personId: by.id, ...ballot, facts }) : null;
  if (evaluation?.kind === 'allowed' && evaluation.lapsed.length === 0) {
    const undoMs = request.status === 'decided' ? Math.max(0, (request.undoUntil ?? now) - now) : 0;
    const { own, votes: counted } = evaluation;
    const text = verdict === 'decline' ? lastRejection(request, decision.feedback, policy) : decision.text;
    const stages = request.stages.slice(0, policy.stage);
    const stands = { ...request, stages, decision: { ...decision, text } };
    const decided = decidedFacts(
      { ...rules, request: stands },
      { decision: { ...stands.decision, at: now }, undoMs, own, votes: counted },
    );
    return { approval: stands, events: [{ kind: 'decided', at: now, facts: decided }] };
  }
  const reopened: Pending = { ...askedPart(request), takenBack: request.takenBack + 1, status: 'pending' };
  const waiting = { ...findRulesAgain(rules, { execution, request: reopened, now }), policy, facts };
  const withVotes = judgeVotes(waiting, now);
  const judged =
    by && verdict === 'approve' && isSameVerdict ? withOwnVote(waiting, withVotes, { decision, by }, now) : withVotes;
  if (execution.unfollowed) return { ...judged, approval: supersede(judged.approval, 'unfollowed', now) };
  return announced(rules, judged, 'reopened', now);
}

/** Who has signed in to decide has done so, whatever the rules are called for now. */
function ballotWith({ by, signIn }: Decision, ballot: ReturnType<typeof ballotOn>) {
  return by && signIn ? { ...ballot, signedIn: [...ballot.signedIn, by.id] } : ballot;
}

/** The person who completed a decision that is taken back has approved all the same. */
function withOwnVote(
  { execution, policy: _, facts, ...before }: Request,
  judged: Judged,
  { decision, by }: { decision: Decision; by: Person },
  now: Millis,
): Judged {
  const { approval, events } = judged;
  const rules = findRulesAgain({ execution, ...before }, { execution, request: approval, now });
  const [policy] = rules.policies;
  if (policy === undefined) return judged;
  const ballot = ballotWith(decision, ballotOn(rules, policy));
  const evaluation = evaluate(policy, { verdict: 'approve', personId: by.id, ...ballot, facts });
  if (evaluation.kind === 'refused' || evaluation.kind === 'not-signed-in') return judged;
  const { own } = evaluation;
  const { feedback, outcome, signIn = null, at } = decision;
  const voted = votedFacts({ ...rules, policy, facts }, { evaluation, feedback, outcome, signIn });
  const vote = ownVote(approval, policy, own, { by, signIn, at, feedback, outcome });
  const withVote = { ...approval, votes: [...approval.votes, vote] };
  const isPending = evaluation.kind === 'stage' && withVote.status === 'pending';
  const after = isPending ? nextStage({ ...rules, policy, request: withVote }, now) : withVote;
  return { approval: after, events: [...events, { kind: 'voted', at: now, facts: voted }] };
}

/** Those who may decide now are told so in the thread. */
function announced(rules: RequestRules, { approval, events }: Judged, kind: Alert['kind'], now: Millis): Judged {
  const { execution, notify } = rules;
  const mentions = notify === 'none' ? [] : mentionsFor(findRulesAgain(rules, { execution, request: approval, now }));
  return { approval: withAlert(approval, { kind, by: null, mentions }, now), events };
}
