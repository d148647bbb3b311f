// The crew may name a task after it asked. Then fewer rules may apply to the request, and its votes may be complete by these: the
// worker calls `judgeVotes` to find out.

import type { CrewRules } from '../policy/crew-rules.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import { verdictUnder } from '../policy/outcomes.ts';
import { ballotOn, type Permission, unsureBefore } from '../policy/permission.ts';
import { findRules, policyFacts } from '../policy/rules.ts';
import { evaluateVotes, votesIn } from '../policy/verdict.ts';
import { answerText, isSameAnswer } from '../state/answer.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findRequest, hasEnded, taskNameOf, withRequest, withTaskName } from '../state/execution.ts';
import { type HumanRequest, hasStatus, isOpen, type Judging, type Pending, type Vote } from '../state/request.ts';
import { backoffMs, type Millis } from '../values/time.ts';
import { crewText } from './choice.ts';
import { countingVotes, decideNow, decisionAs, votesOfUse } from './decide.ts';
import { withdrawnEvents } from './ledger-facts.ts';
import { underRules } from './planned-times.ts';

/** Records the name of a task; a later name of the same task is ignored. A name counts only with the task's id. */
export function nameTask(
  execution: Execution,
  task: { taskId: string | null; name: string | null },
  rules: CrewRules,
  now: Millis,
): Execution {
  return hasEnded(execution) ? execution : nameRequests(withTaskName(execution, task), rules, now);
}

/** Names the open requests whose task has a name by now. Names none while the crew isn't configured, since nobody knows its rules. */
export function nameRequests(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null || execution.taskNames.length === 0) return execution;
  return execution.requests.filter(canBeNamed).reduce((latest, request) => {
    const taskName = taskNameOf(latest, request.question.taskId);
    return taskName === null
      ? latest
      : nameRequest(latest, { ...request, question: { ...request.question, taskName } }, { rules, now });
  }, execution);
}

/** Returns true if a name can still matter to a request: a decision stands, whatever name its task gets. */
function canBeNamed(request: HumanRequest): boolean {
  const mayBeDecided = isOpen(request) || (request.state.status === 'superseded' && request.state.by === 'unfollowed');
  return request.question.taskName === null && mayBeDecided;
}

function nameRequest(
  execution: Execution,
  request: HumanRequest,
  { rules, now }: { rules: CrewRules; now: Millis },
): Execution {
  const { policies } = findRules(rules, { execution, request: request, now });
  const votes = votesOfUse(request.discussion, policies);
  // The votes may be enough for the rules that are left. An untracked request is judged once it is tracked again.
  const mayWait = request.state.status === 'pending' || request.state.status === 'superseded';
  const judging = mayWait && votes.length > 0 ? { tries: 0, notBefore: now } : null;
  const learned = findRules(rules, {
    execution,
    request: { ...request, discussion: { ...request.discussion, votes, judging } },
    now,
  });
  const { id } = request;
  const { taskId, taskName } = request.question;
  const task = { id: taskId, name: taskName ?? '' };
  const after = withRequest(execution, underRules(learned));
  return recordEvent(after, { kind: 'named', at: now, facts: { approval: id, task, ...policyFacts(learned) } });
}

/** Returns when to judge whether the votes on a request are complete by the rules that are left; null if nothing has changed. */
export function judgingDueAt({ state: { status }, discussion: { judging } }: HumanRequest): Millis | null {
  return status === 'pending' && judging !== null ? judging.notBefore : null;
}

const RETRY = { firstMs: 2_000, mostMs: 60_000 };

/**
 * Decides a request if its votes are complete by all rules that are left; their voters are judged anew. While Slack can't tell about a
 * voter, this is tried again. Otherwise the request waits for more votes.
 * @param text the text that the crew receives unless people have something to add
 */
export function judgeVotes(
  execution: Execution,
  approvalId: string,
  { text, ...permission }: Permission & { text: string },
  now: Millis,
): Execution {
  const request = findRequest(execution, approvalId);
  if (!hasStatus(request, 'pending') || request.discussion.judging === null) return execution;
  const rules = findRules(permission, { execution, request, now });
  const { policies } = rules;
  const { facts } = permission;
  if (policies.length === 0) return execution;
  const judged = evaluateVotes(policies, { ...ballotOn(rules), facts });
  if (judged.kind === 'unsure' || unsureBefore(request, facts))
    return withJudging(execution, request, retryOf(request.discussion.judging, now));
  const { courses, lapsed } = judged;
  const counted = courses.flatMap(votesIn);
  const counting = countingVotes(request.discussion, policies, courses);
  // A vote in a complete stage may be later than one that waited for the next stage.
  const last = counting.findLast(({ by }) => counted.some(({ personId }) => personId === by.id));
  const [own, ...others] = counted.filter(({ personId }) => personId === last?.by.id);
  const isComplete = courses.every(({ more }) => more === 0);
  if (!last || !own || !isComplete || !approveTheSame(counting, policies)) return withJudging(execution, request, null);
  const { by, feedback, outcome, answer, signIn } = last;
  const before = counting.filter((vote) => vote !== last);
  const lastVote = { by, feedback, text: feedback ?? text, outcome, isEdited: request.question.edited !== null };
  const content = {
    verdict: 'approve',
    by,
    outcome,
    answer,
    feedback,
    signIn,
    text: answer ? answerText(answer) : crewText(before, lastVote, policies),
  } as const;
  const decision = decisionAs(own, request, content, now);
  const removed = [by.id, ...lapsed.map(({ personId }) => personId)];
  const votes = request.discussion.votes.filter((vote) => !removed.includes(vote.by.id));
  const events = withdrawnEvents(request.id, lapsed, now);
  const complete = { ...rules, facts, request: { ...request, discussion: { ...request.discussion, votes } } };
  return decideNow(complete, { decision, own: [own, ...others], courses, events }, now);
}

/** Returns true if votes are for one answer or outcome, and that still approves: people may have voted under other rules. */
function approveTheSame(votes: readonly Vote[], policies: readonly PossibleRules[]): boolean {
  const [outcome, ...others] = new Set(votes.map((vote) => vote.outcome));
  const isOneAnswer = votes.every((vote) => isSameAnswer(vote.answer, votes[0]?.answer));
  return others.length === 0 && isOneAnswer && (outcome === undefined || verdictUnder(outcome, policies) === 'approve');
}

function retryOf({ tries }: Judging, now: Millis): Judging {
  return { tries: tries + 1, notBefore: now + backoffMs(tries, RETRY) };
}

function withJudging(execution: Execution, request: Pending, judging: Judging | null): Execution {
  return withRequest(execution, { ...request, discussion: { ...request.discussion, judging } });
}
