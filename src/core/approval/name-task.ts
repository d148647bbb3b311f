import { askedIn, type Execution, hasEnded, taskNameOf, withApproval, withTaskName } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import type { LedgerEvent } from '../ledger/entry.ts';
import { recordEvent } from '../ledger/events.ts';
import type { Millis } from '../time.ts';
import { mentionsFor, withAlert } from './alerts.ts';
import {
  type Alert,
  type Approval,
  askedPart,
  type Decision,
  finalNo,
  isInDoubt,
  type Person,
  supersede,
} from './approval.ts';
import { type CrewRules, underRules } from './crew-rules.ts';
import { countedAs, decidedFacts, nextStage, votedFacts, withdrawnEvents } from './decide.ts';
import { closeDeclined, lastRejection } from './decline.ts';
import { verdictOf } from './outcomes.ts';
import { ballotOn, subjectOf } from './permission.ts';
import { decideAlike } from './policy/document.ts';
import { evaluate, type Facts, type LapsedVote, permits } from './policy/evaluate.ts';
import { namedPolicyFacts, policyFor } from './policy/in-force.ts';
import type { CrewPolicy } from './policy/policy.ts';
import { lacksSignIn } from './sign-in.ts';

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
export function nameRequests(execution: Execution, { rules, facts }: Judging, now: Millis): Execution {
  const { policy } = rules;
  if (policy === null || execution.taskNames.length === 0) return execution;
  const named = execution.approvals.reduce((each, approval) => {
    const taskName = nameLearned(each, approval);
    return taskName === null ? each : nameRequest(each, { approval, taskName, policy, rules, facts }, now);
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

interface Learned extends Judging {
  approval: Approval;
  taskName: string;
  policy: CrewPolicy;
}

function nameRequest(execution: Execution, { taskName, policy, ...learned }: Learned, now: Millis): Execution {
  const { rules, facts } = learned;
  const approval = { ...learned.approval, taskName };
  const isDecided = approval.status === 'decided' || approval.status === 'failed';
  const isAlike = decideAlike(
    policyFor(policy, askedIn(execution, learned.approval)),
    policyFor(policy, askedIn(execution, approval)),
  );
  const { id, taskId, times } = approval;
  const task = {
    approval: id,
    task: { id: taskId, name: taskName },
    ...namedPolicyFacts(policy, askedIn(execution, approval)),
  };
  const named: LedgerEvent = { kind: 'named', at: now, facts: { ...task, reopened: isDecided && !isAlike } };
  if (isAlike) return recordEvent(withApproval(execution, underRules(execution, approval, rules)), named);
  // Those whom it was escalated to by the rules before have no say by these.
  const timed = underRules(execution, { ...approval, times: { ...times, rules: '', escalatedAt: null } }, rules);
  const judged = judge(execution, { approval: timed, policy, rules, facts }, now);
  return [named, ...judged.events].reduce(recordEvent, withRunStatus(withApproval(execution, judged.approval)));
}

interface Judged {
  approval: Approval;
  events: LedgerEvent[];
}

type Request<Each extends Approval = Approval> = Judging & { approval: Each; policy: CrewPolicy };

function judge(execution: Execution, { approval, ...judging }: Request, now: Millis): Judged {
  switch (approval.status) {
    case 'decided':
    case 'failed':
      return judgeDecision(execution, { approval, ...judging }, now);
    case 'pending': {
      const judged = judgeVotes(execution, { approval, ...judging }, now);
      // A card that isn't posted yet tells everything itself.
      return approval.mentioned === null ? judged : announced(execution, { ...judged, kind: 'named', ...judging }, now);
    }
    case 'superseded':
      return judgeVotes(execution, { approval, ...judging }, now);
    case 'sending':
    case 'delivered':
    case 'declined':
    case 'expired':
      return { approval, events: [] };
  }
}

/** Votes of people who may not decide by these rules don't count. Where Slack can't tell, that is left to the moment of the decision. */
function judgeVotes(execution: Execution, { approval, policy, facts }: Request, now: Millis): Judged {
  const subject = subjectOf(execution, approval, now);
  const ofTask = policyFor(policy, askedIn(execution, approval));
  const lapsed = approval.votes.flatMap(({ by, signIn }): LapsedVote[] => {
    if (lacksSignIn({ signIn }, ofTask)) return [{ personId: by.id, denial: { kind: 'not-signed-in' } }];
    const permit = permits(ofTask, subject, by.id, facts);
    const isSure = permit.kind === 'denied' && permit.denial.kind !== 'unsure';
    return isSure ? [{ personId: by.id, denial: permit.denial }] : [];
  });
  if (lapsed.length === 0) return { approval, events: [] };
  const votes = approval.votes.filter(({ by }) => !lapsed.some(({ personId }) => personId === by.id));
  return {
    approval: { ...approval, votes, takenBack: approval.takenBack + 1 },
    events: withdrawnEvents(approval.id, lapsed, now),
  };
}

/** A decision that these rules don't surely allow is taken back, and the verdict that completed it counts as a vote if they allow that. */
function judgeDecision(
  execution: Execution,
  { approval, ...judging }: Request<Extract<Approval, { status: 'decided' | 'failed' }>>,
  now: Millis,
): Judged {
  const { policy, facts } = judging;
  const { decision } = approval;
  const { by, verdict } = decision;
  const ofTask = policyFor(policy, askedIn(execution, approval));
  const ballot = ballotWith(decision, ballotOn(execution, approval, ofTask, now));
  const isSameVerdict = decision.outcome === undefined || verdictOf(decision.outcome, ofTask) === verdict;
  const evaluation = by && isSameVerdict ? evaluate(ofTask, { verdict, personId: by.id, ...ballot, facts }) : null;
  if (evaluation?.kind === 'allowed' && evaluation.lapsed.length === 0) {
    const undoMs = approval.status === 'decided' ? Math.max(0, (approval.undoUntil ?? now) - now) : 0;
    const { own, votes: counted } = evaluation;
    const text = verdict === 'decline' ? lastRejection(approval, decision.feedback, ofTask) : decision.text;
    const stages = approval.stages.slice(0, ofTask.stage);
    const stands = { ...approval, stages, decision: { ...decision, text } };
    const entered = { approval: stands, decision: { ...stands.decision, at: now }, undoMs, own, votes: counted };
    const decided = decidedFacts(execution, { ...entered, policy: ofTask, permission: { policy, facts } });
    return { approval: stands, events: [{ kind: 'decided', at: now, facts: decided }] };
  }
  const reopened: Approval = { ...askedPart(approval), takenBack: approval.takenBack + 1, status: 'pending' };
  const withVotes = judgeVotes(execution, { approval: reopened, ...judging }, now);
  const judged =
    by && verdict === 'approve' && isSameVerdict
      ? withOwnVote(execution, withVotes, { ...judging, decision, by }, now)
      : withVotes;
  if (execution.unfollowed) return { ...judged, approval: supersede(judged.approval, 'unfollowed', now) };
  return announced(execution, { ...judged, kind: 'reopened', ...judging }, now);
}

/** Who has signed in to decide has done so, whatever the rules are called for now. */
function ballotWith({ by, signIn }: Decision, ballot: ReturnType<typeof ballotOn>) {
  return by && signIn ? { ...ballot, signedIn: [...ballot.signedIn, by.id] } : ballot;
}

/** The person who completed a decision that is taken back has approved all the same. */
function withOwnVote(
  execution: Execution,
  judged: Judged,
  { policy, facts, decision, by }: Judging & { policy: CrewPolicy; decision: Decision; by: Person },
  now: Millis,
): Judged {
  const { approval, events } = judged;
  const ofTask = policyFor(policy, askedIn(execution, approval));
  const ballot = ballotWith(decision, ballotOn(execution, approval, ofTask, now));
  const evaluation = evaluate(ofTask, { verdict: 'approve', personId: by.id, ...ballot, facts });
  if (evaluation.kind === 'refused' || evaluation.kind === 'not-signed-in') return judged;
  const { own } = evaluation;
  const { feedback, outcome, signIn, at } = decision;
  const permission = { policy, facts };
  const ownVote = { approval, policy: ofTask, evaluation, feedback, outcome, signIn: signIn ?? null, permission };
  const voted = votedFacts(execution, ownVote);
  const votes = [
    ...approval.votes,
    {
      by,
      ...countedAs(approval, ofTask, own),
      ...(signIn && { signIn }),
      at,
      feedback,
      ...(outcome !== undefined && { outcome }),
    },
  ];
  const withVote = { ...approval, votes };
  const isPending = evaluation.kind === 'stage' && withVote.status === 'pending';
  const after = isPending ? nextStage(execution, { approval: withVote, policy: ofTask, permission }, now) : withVote;
  return { approval: after, events: [...events, { kind: 'voted', at: now, facts: voted }] };
}

/** Those who may decide now are told so in the thread. */
function announced(
  execution: Execution,
  { approval, events, kind, policy, rules }: Judged & Pick<Alert, 'kind'> & { policy: CrewPolicy; rules: CrewRules },
  now: Millis,
): Judged {
  const mentions =
    rules.notify === 'none' ? [] : mentionsFor(execution, approval, policyFor(policy, askedIn(execution, approval)));
  return { approval: withAlert(approval, { kind, by: null, mentions }, now), events };
}
