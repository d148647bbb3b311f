// What is learned about a request after it was asked: its task's name, by which fewer rules may turn out to apply to it.

import type { CrewRules } from '../policy/crew-rules.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import { ballotOn, type Permission, unsureBefore } from '../policy/permission.ts';
import { findRules, policyFacts } from '../policy/rules.ts';
import { verdictUnder } from '../policy/settings.ts';
import { evaluateVotes, votesIn } from '../policy/verdict.ts';
import { answerText, isSameAnswer } from '../state/answer.ts';
import { type Approval, isOpen, type Judging, type Pending, type Vote } from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findApproval, hasEnded, taskNameOf, withApproval, withTaskName } from '../state/execution.ts';
import { backoffMs, type Millis } from '../values/time.ts';
import { crewText } from './choice.ts';
import { countingVotes, decideNow, decisionAs, votesOfUse } from './decide.ts';
import { withdrawnEvents } from './ledger-facts.ts';
import { underRules } from './planned-times.ts';

/** What the crew says a task is called. It counts only together with the id of that task. */
interface Named {
  taskId: string | null;
  name: string | null;
}

/** The crew has named a task, and the first name stays. */
export function nameTask(execution: Execution, named: Named, rules: CrewRules, now: Millis): Execution {
  return hasEnded(execution) ? execution : nameRequests(withTaskName(execution, named), rules, now);
}

/** All names that were learned reach the requests that are open. While the crew isn't configured, its rules aren't known. */
export function nameRequests(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null || execution.taskNames.length === 0) return execution;
  return execution.approvals.filter(canBeNamed).reduce((named, approval) => {
    const taskName = taskNameOf(named, approval.taskId);
    return taskName === null ? named : nameRequest(named, { ...approval, taskName }, { rules, now });
  }, execution);
}

/** A decision stands, whatever its task is called. */
function canBeNamed(approval: Approval): boolean {
  const mayBeDecided = isOpen(approval) || (approval.status === 'superseded' && approval.by === 'unfollowed');
  return approval.taskName === null && mayBeDecided;
}

/** The rules that are left may already be met by the votes that there are. */
function nameRequest(
  execution: Execution,
  approval: Approval,
  { rules, now }: { rules: CrewRules; now: Millis },
): Execution {
  const { policies } = findRules(rules, { execution, request: approval, now });
  const votes = votesOfUse(approval, policies);
  // A request that nobody tracks is judged once somebody does.
  const mayWait = approval.status === 'pending' || approval.status === 'superseded';
  const judging = mayWait && votes.length > 0 ? { tries: 0, notBefore: now } : null;
  const learned = findRules(rules, { execution, request: { ...approval, votes, judging }, now });
  const { id, taskId, taskName } = approval;
  const task = { id: taskId, name: taskName ?? '' };
  const after = withApproval(execution, underRules(learned));
  return recordEvent(after, { kind: 'named', at: now, facts: { approval: id, task, ...policyFacts(learned) } });
}

/** When to find out whether the votes on a request are complete by the rules that are left; null unless something was learned. */
export function judgingDueAt({ status, judging }: Approval): Millis | null {
  return status === 'pending' && judging !== null ? judging.notBefore : null;
}

const RETRY = { firstMs: 2_000, mostMs: 60_000 };

/**
 * Decides a request whose votes are complete by all rules that are left, as Slack judges their voters at this moment. While Slack
 * can't tell, that is tried again. Otherwise the request waits for more votes as before.
 * @param text what the crew receives unless people have something to add
 */
export function judgeVotes(
  execution: Execution,
  approvalId: string,
  { text, ...permission }: Permission & { text: string },
  now: Millis,
): Execution {
  const request = findApproval(execution, approvalId);
  if (request?.status !== 'pending' || request.judging === null) return execution;
  const rules = findRules(permission, { execution, request, now });
  const { policies } = rules;
  const { facts } = permission;
  if (policies.length === 0) return execution;
  const judged = evaluateVotes(policies, { ...ballotOn(rules), facts });
  if (judged.kind === 'unsure' || unsureBefore(request, facts))
    return withJudging(execution, request, retryOf(request.judging, now));
  const { courses, lapsed } = judged;
  const counted = courses.flatMap(votesIn);
  const counting = countingVotes(request, policies, courses);
  // Votes of stages that are complete may be later than those which waited for the next stage.
  const last = counting.findLast(({ by }) => counted.some(({ personId }) => personId === by.id));
  const [own, ...others] = counted.filter(({ personId }) => personId === last?.by.id);
  const isComplete = courses.every(({ more }) => more === 0);
  if (!last || !own || !isComplete || !approveTheSame(counting, policies)) return withJudging(execution, request, null);
  const { by, feedback, outcome, answer, signIn } = last;
  const given = { by, feedback, text: feedback ?? text, outcome };
  const before = counting.filter((vote) => vote !== last);
  const sent = {
    verdict: 'approve',
    by,
    outcome,
    answer,
    feedback,
    signIn,
    text: answer ? answerText(answer) : crewText(before, { ...given, isEdited: request.edited !== null }, policies),
  } as const;
  const decision = decisionAs(own, request, sent, now);
  const gone = [by.id, ...lapsed.map(({ personId }) => personId)];
  const votes = request.votes.filter((vote) => !gone.includes(vote.by.id));
  const events = withdrawnEvents(request.id, lapsed, now);
  const complete = { ...rules, facts, request: { ...request, votes } };
  return decideNow(complete, { decision, own: [own, ...others], courses, events }, now);
}

/** Whether votes are for one answer or outcome, and that still approves: they may have been given under other rules. */
function approveTheSame(votes: readonly Vote[], policies: readonly PossibleRules[]): boolean {
  const [outcome, ...others] = new Set(votes.map((vote) => vote.outcome));
  const isOneAnswer = votes.every((vote) => isSameAnswer(vote.answer, votes[0]?.answer));
  return others.length === 0 && isOneAnswer && (outcome === undefined || verdictUnder(outcome, policies) === 'approve');
}

function retryOf({ tries }: Judging, now: Millis): Judging {
  return { tries: tries + 1, notBefore: now + backoffMs(tries, RETRY) };
}

function withJudging(execution: Execution, request: Pending, judging: Judging | null): Execution {
  return withApproval(execution, { ...request, judging });
}
