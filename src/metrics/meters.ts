import { Counter, Histogram, type Registry } from 'prom-client';
import { type DecidedRequest, decidedOf, isByPeople, isFinal, roundsOf } from '../core/inbox/history.ts';
import type { ChangeSubscriber } from '../core/ports.ts';
import type { Approval, ResumeFailure, Verdict } from '../core/state/approval.ts';
import { type Execution, findApproval, type Run } from '../core/state/execution.ts';
import { messagesOf, postOf } from '../core/state/message.ts';
import type { Post } from '../core/state/post.ts';
import type { Millis } from '../core/values/time.ts';

const WAIT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
/** People take from seconds to days. */
const DECISION_SECONDS = [10, 30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200];
const ROUNDS = [1, 2, 3, 4, 5, 8];

/** Counts the execution events in the changes that this process stored. */
export function createEventMeters(registry: Registry, crews: readonly string[]): ChangeSubscriber {
  const meters = createMeters(registry);
  startAtZero(meters, crews);
  return {
    onStored(changes) {
      for (const { before, after, at } of changes)
        for (const event of eventsOf(before, after, at)) count(meters, event);
    },
  };
}

type Meters = ReturnType<typeof createMeters>;

/**
 * What people decide is counted by crew. The people themselves are left out: each would be a series of their own, and show for as
 * long as the metrics are kept when they worked.
 */
function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    runs: counter('signoff_execution_changes_total', 'Executions that entered a status.', 'status'),
    asked: counter('signoff_approvals_total', 'Requests for human input.'),
    toCard: histogram(
      'signoff_webhook_to_card_seconds',
      'From a request for human input to its card in Slack.',
      WAIT_SECONDS,
    ),
    decided: counter(
      'signoff_decisions_total',
      'Decisions made, also those that are undone later, or that time makes.',
      'verdict',
    ),
    toResume: histogram(
      'signoff_decision_to_resume_seconds',
      'From a decision to the answer of the crew (accepted) or to a later event that proves it arrived (evidence).',
      WAIT_SECONDS,
      'proof',
    ),
    undelivered: counter(
      'signoff_decisions_undelivered_total',
      'Decisions that the crew refused, or that nothing confirmed in time: a person is asked to send again.',
      'reason',
    ),
    toDecision: histogram(
      'signoff_request_to_decision_seconds',
      "From a request for human input to the decision of a person, counted once it can't be undone any more.",
      DECISION_SECONDS,
      'crew',
      'verdict',
    ),
    rounds: histogram(
      'signoff_approval_rounds',
      'The rounds that an approval took since its task began or was last approved.',
      ROUNDS,
      'crew',
    ),
    expired: counter(
      'signoff_approvals_expired_total',
      'Requests for human input that nobody decided in time.',
      'crew',
    ),
    undecidable: counter(
      'signoff_undecidable_total',
      'Requests for human input for which too few people were left who can decide, counted when that was noticed.',
      'crew',
    ),
    retried: counter('signoff_retries_total', 'Retries.', 'what'),
  };
}

const VERDICTS = ['approve', 'reject', 'decline'] as const satisfies Verdict[];

/** Prometheus doesn't see the first increase of a counter that didn't exist before, so no alert would fire. */
function startAtZero(meters: Meters, crews: readonly string[]): void {
  const { runs, decided, undelivered, retried, toDecision, rounds, expired, undecidable } = meters;
  for (const status of ['lost', 'not-confirmed', 'not-started', 'failed', 'completed'] satisfies Run['status'][])
    runs.inc({ status }, 0);
  for (const verdict of VERDICTS) decided.inc({ verdict }, 0);
  for (const reason of ['refused', 'not-confirmed'] satisfies ResumeFailure['kind'][]) undelivered.inc({ reason }, 0);
  for (const what of ['kickoff', 'resume', 'message'] as const) retried.inc({ what }, 0);
  for (const crew of crews) {
    for (const verdict of VERDICTS) toDecision.zero({ crew, verdict });
    rounds.zero({ crew });
    expired.inc({ crew }, 0);
    undecidable.inc({ crew }, 0);
  }
}

function count(meters: Meters, event: ExecutionEvent): void {
  switch (event.kind) {
    case 'run':
      meters.runs.inc({ status: event.status });
      return;
    case 'asked':
      meters.asked.inc();
      return;
    case 'card-posted':
      meters.toCard.observe(event.afterMs / 1000);
      return;
    case 'decided':
      meters.decided.inc({ verdict: event.verdict });
      return;
    case 'final':
      countFinal(meters, event);
      return;
    case 'expired':
      meters.expired.inc({ crew: event.crew });
      return;
    case 'undecidable':
      meters.undecidable.inc({ crew: event.crew });
      return;
    case 'delivered':
      meters.toResume.observe({ proof: event.proof }, event.afterMs / 1000);
      return;
    case 'undelivered':
      meters.undelivered.inc({ reason: event.reason });
      return;
    case 'retried':
      meters.retried.inc({ what: event.what });
      return;
  }
}

/** What people decided and can't undo any more. */
interface FinalDecision {
  request: DecidedRequest;
  verdict: Verdict;
  /** How many rounds the task has taken, see `roundsOf`. */
  rounds: number;
}

function countFinal(meters: Meters, { request, verdict, rounds }: FinalDecision): void {
  const { crew, askedAt, decidedAt } = request;
  meters.toDecision.observe({ crew, verdict }, (decidedAt - askedAt) / 1000);
  if (verdict === 'approve') meters.rounds.observe({ crew }, rounds);
}

/** Something worth counting in a change of an execution. */
type ExecutionEvent =
  | { kind: 'run'; status: Run['status'] }
  | { kind: 'asked' }
  | { kind: 'card-posted'; afterMs: Millis }
  | { kind: 'decided'; verdict: Verdict }
  | ({ kind: 'final' } & FinalDecision)
  /** Nobody decided in time. */
  | { kind: 'expired'; crew: string }
  /** Too few people are left who can decide it. */
  | { kind: 'undecidable'; crew: string }
  | { kind: 'delivered'; proof: 'accepted' | 'evidence'; afterMs: Millis }
  | { kind: 'undelivered'; reason: ResumeFailure['kind'] }
  | { kind: 'retried'; what: 'kickoff' | 'resume' | 'message' };

/** Compares the state before (null for a new execution) and after; all durations are by Redis' clock. */
export function eventsOf(before: Execution | null, after: Execution, now: Millis): ExecutionEvent[] {
  return [
    ...(before?.run.status === after.run.status ? [] : [{ kind: 'run' as const, status: after.run.status }]),
    ...kickoffEvents(before, after),
    ...after.approvals.flatMap((approval) => approvalEvents(before, after, { approval, now })),
    ...after.approvals.flatMap((approval) => undecidableEvents(before, after, approval)),
    ...after.approvals.flatMap((approval) => outcomeEvents(before, after, approval)),
    ...messageEvents(before, after),
  ];
}

function undecidableEvents(before: Execution | null, { crew }: Execution, approval: Approval): ExecutionEvent[] {
  const hasBegun = approval.undecidable !== null && !earlier(before, approval)?.undecidable;
  return hasBegun ? [{ kind: 'undecidable', crew }] : [];
}

function outcomeEvents(before: Execution | null, after: Execution, approval: Approval): ExecutionEvent[] {
  const was = earlier(before, approval);
  const request = finalOf(after, approval);
  if (!request || (before && was && finalOf(before, was))) return [];
  const { crew, outcome: verdict } = request;
  return verdict === 'closed' || !isByPeople(request)
    ? [{ kind: 'expired', crew }]
    : [{ kind: 'final', request, verdict, rounds: roundsOf(after, approval) }];
}

function finalOf(execution: Execution, approval: Approval): DecidedRequest | null {
  return isFinal(approval) ? decidedOf(execution, approval) : null;
}

function earlier(before: Execution | null, { id }: Approval): Approval | null {
  return before && findApproval(before, id);
}

function kickoffEvents(before: Execution | null, { kickoff }: Execution): ExecutionEvent[] {
  if (kickoff.status !== 'sending' || before?.kickoff.status === 'sending') return [];
  return kickoff.tries > 1 ? [{ kind: 'retried', what: 'kickoff' }] : [];
}

function approvalEvents(
  before: Execution | null,
  after: Execution,
  { approval, now }: { approval: Approval; now: Millis },
): ExecutionEvent[] {
  const was = earlier(before, approval);
  const hasCard = (execution: Execution) =>
    postOf(execution, { kind: 'card', approvalId: approval.id })?.status === 'posted';
  const isPosted = hasCard(after) && !(before && hasCard(before));
  return [
    ...(was ? [] : [{ kind: 'asked' as const }]),
    ...(isPosted ? [{ kind: 'card-posted' as const, afterMs: now - approval.askedAt }] : []),
    ...(was?.status === approval.status ? [] : statusEvents(was, approval)),
  ];
}

function statusEvents(before: Approval | null, after: Approval): ExecutionEvent[] {
  switch (after.status) {
    case 'decided':
    case 'declined':
      return before?.status === 'pending' ? [{ kind: 'decided', verdict: after.decision.verdict }] : [];
    case 'sending':
      return after.attempts.length > 1 ? [{ kind: 'retried', what: 'resume' }] : [];
    case 'delivered':
      return [{ kind: 'delivered', proof: after.proof, afterMs: after.deliveredAt - after.decision.at }];
    case 'failed':
      return [{ kind: 'undelivered', reason: after.failure.kind }];
    case 'pending':
    case 'superseded':
    case 'expired':
      return [];
  }
}

/** A retry for each message that is posted or updated again after a failed try. */
function messageEvents(before: Execution | null, after: Execution): ExecutionEvent[] {
  if (before !== null && before.messages === after.messages) return [];
  return messagesOf(after).flatMap((message): ExecutionEvent[] => {
    const [earlierPost, post] = [before && postOf(before, message), postOf(after, message)];
    return post && isRetry(earlierPost, post) ? [{ kind: 'retried', what: 'message' }] : [];
  });
}

function isRetry(before: Post | null, after: Post): boolean {
  if (after.status === 'posting') return before?.status !== 'posting' && after.attempt > 1;
  return after.status === 'posted' && before?.status === 'posted' && after.tries > before.tries;
}
