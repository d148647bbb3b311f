import type { HumanInputRequest } from '../execution/events.ts';
import {
  CHECK_SOON_MS,
  type Execution,
  hasEnded,
  missCrew,
  taskNameOf,
  withApproval,
  withTaskName,
} from '../execution/execution.ts';
import { type LimitMet, refuseRequest } from '../execution/limits.ts';
import { postponePoll } from '../execution/poll-schedule.ts';
import { recordEvidence, revive, withRunStatus } from '../execution/run.ts';
import { hastenReplies, withoutReply } from '../execution/task-replies.ts';
import { recordEvent } from '../ledger/events.ts';
import { duePost } from '../messages/post.ts';
import type { Transition } from '../ports.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import { type Approval, type DirectMessages, isInDoubt, isOpen, NO_TIMES, provenBy, supersede } from './approval.ts';
import { type CrewRules, planTimes, restartTimes, underRules } from './crew-rules.ts';
import { askedFacts } from './decide.ts';
import { nameRequests } from './name-task.ts';
import { NO_FACTS } from './policy/evaluate.ts';
import { type CrewPolicy, policyFor } from './policy/policy.ts';
import { type Placement, placeRequest } from './rounds.ts';

/** Why a request gets no card; none of these is the sender's error. */
type IgnoredRequest = 'duplicate' | 'ended';

/**
 * A task asks for human input: a new round opens, and earlier rounds of the task that are still open are settled. Once nobody
 * tracks the run, the new round is closed at once, and waits only if the run is tracked again.
 */
export function ask(
  execution: Execution,
  request: HumanInputRequest,
  now: Millis,
  rules: CrewRules,
): ReturnType<Transition<IgnoredRequest | LimitMet>> {
  if (hasEnded(execution)) return refuse('ended');
  const placement = placeRequest(execution, request);
  if (placement.kind === 'duplicate') return refuse('duplicate');
  const refused = refuseRequest(execution, request, placement);
  if (refused) return refused;
  const signed = recordEvidence(revive(execution, now), request, now);
  const named = withTaskName(signed, { taskId: request.taskId, name: request.taskName });
  const settled = closeEarlier(named, request.taskId, now);
  // A run that is known again after its record has expired goes on with its entries, in which each number stands for one request.
  const id = String(Number(settled.approvals.at(-1)?.id ?? settled.ledger.asked) + 1);
  const taskName = taskNameOf(settled, request.taskId);
  const policy = policyFor(rules.policy, { ...request, taskName });
  const times = policy ? planTimes(NO_TIMES, { policy, hours: rules.hours, askedAt: now }) : NO_TIMES;
  const opened: Approval = { ...requested(request, { placement, rules, now }), taskName, id, times };
  const approval = execution.unfollowed ? supersede(opened, 'unfollowed', now) : opened;
  const asked = {
    ...settled,
    approvals: [...settled.approvals, approval],
    tasks: hastenReplies(withoutReply(settled.tasks, request.output), now),
  };
  const waiting = underCrew(withRunStatus(postponePoll(asked, now)), rules, now);
  return ok(recordAsked(waiting, approval, rules.policy));
}

/** A crew may ask while it isn't configured, or be heard of first by a process that knows it again. */
function underCrew(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null) return missCrew(execution, now, CHECK_SOON_MS);
  return execution.missingCrew === null ? execution : followRules(execution, rules, now);
}

function recordAsked(execution: Execution, approval: Approval, policy: CrewPolicy | null): Execution {
  const facts = askedFacts(execution, approval, policy);
  return recordEvent(execution, { kind: 'asked', at: approval.askedAt, facts });
}

function requested(
  request: HumanInputRequest,
  { placement, rules, now }: { placement: Extract<Placement, { kind: 'new-round' }>; rules: CrewRules; now: Millis },
): Omit<Extract<Approval, { status: 'pending' }>, 'id' | 'taskName' | 'times'> {
  return {
    taskId: request.taskId,
    round: placement.round,
    repeatsRound: placement.repeatsRound,
    output: request.output,
    hop: request.hop,
    kickoffId: request.kickoffId,
    askedAt: now,
    card: duePost(now),
    copies: [],
    followUp: null,
    file: request.attachesFile ? duePost(now) : null,
    votes: [],
    takenBack: 0,
    handedOver: [],
    alerts: [],
    mentioned: null,
    directMessages: directMessagesOf(rules, now),
    keepsText: rules.keepTexts === 'attach',
    status: 'pending',
  };
}

/** Whether a crew that isn't known wants them is found out once it is. */
function directMessagesOf({ policy, notify }: CrewRules, now: Millis): DirectMessages {
  const areWanted = notify === 'dm' || policy === null;
  return areWanted ? { status: 'due', tries: 0, notBefore: now, list: [] } : { status: 'listed', list: [] };
}

function closeEarlier(execution: Execution, taskId: string, now: Millis): Execution {
  const rounds = execution.approvals.filter((approval) => approval.taskId === taskId);
  return rounds.reduce((each, round) => withApproval(each, closeForNewer(round, now)), execution);
}

function closeForNewer(approval: Approval, now: Millis): Approval {
  switch (approval.status) {
    case 'pending':
      return supersede(approval, 'newer-round', now);
    case 'decided':
    case 'sending':
    case 'failed':
      return isInDoubt(approval) ? provenBy(approval, now) : supersede(approval, 'newer-round', now);
    case 'superseded':
      // Otherwise it would wait again, too, once the run is tracked again.
      return approval.by === 'unfollowed' ? supersede(approval, 'newer-round', now) : approval;
    case 'delivered':
    case 'expired':
      return approval;
  }
}

/** The request that the root message links to: the newest that waits for a person, or the newest open one. */
export function openRequest({ approvals }: Execution): Approval | null {
  return approvals.findLast(waitsForAPerson) ?? approvals.findLast(isOpen) ?? null;
}

function waitsForAPerson({ status }: Approval): boolean {
  return status === 'pending' || status === 'failed';
}

/**
 * The requests that wait follow these rules from now on: their times are planned by them, and their cards are due for an update.
 * Without a policy, the run waits until its crew is known again, and goes on then. Returns the same execution if nothing changes.
 */
export function followRules(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null) return missCrew(execution, now);
  const regained = execution.missingCrew === null ? execution : regainCrew(execution, now);
  const known = nameRequests(regained, { rules, facts: NO_FACTS }, now);
  const waiting = known.approvals.filter(isPending);
  return waiting.reduce((each, approval) => withApproval(each, underRules(approval, rules)), known);
}

/** What was kept is due at once. Meanwhile nobody could decide, and nobody asked the crew how it goes. */
function regainCrew(execution: Execution, now: Millis): Execution {
  const approvals = execution.approvals.map((each) =>
    isPending(each) ? { ...each, times: restartTimes(each.times, now) } : each,
  );
  return { ...execution, missingCrew: null, approvals, poll: { ...execution.poll, notFoundSince: null } };
}

function isPending({ status }: Approval): boolean {
  return status === 'pending';
}
