import type { Approval, ResumeFailure, Verdict } from '../core/approval/approval.ts';
import type { Execution, Run } from '../core/execution/execution.ts';
import { findApproval } from '../core/execution/execution.ts';
import { type DecidedRequest, decidedOf, isFinal } from '../core/history.ts';
import { messagesOf, postOf } from '../core/messages/message.ts';
import type { Post } from '../core/messages/post.ts';
import { isByPeople } from '../core/stats.ts';
import type { Millis } from '../core/time.ts';

/** Something worth counting in a change of an execution. */
export type ExecutionEvent =
  | { kind: 'run'; status: Run['status'] }
  | { kind: 'asked' }
  | { kind: 'card-posted'; afterMs: Millis }
  | { kind: 'decided'; verdict: Verdict }
  /** What people decided and can't undo any more. */
  | { kind: 'final'; request: DecidedRequest; verdict: Verdict }
  /** Nobody decided in time. */
  | { kind: 'expired'; crew: string }
  | { kind: 'delivered'; proof: 'accepted' | 'evidence'; afterMs: Millis }
  | { kind: 'undelivered'; reason: ResumeFailure['kind'] }
  | { kind: 'retried'; what: 'kickoff' | 'resume' | 'message' };

/** Compares the state before (null for a new execution) and after; all durations are by Redis' clock. */
export function eventsOf(before: Execution | null, after: Execution, now: Millis): ExecutionEvent[] {
  return [
    ...(before?.run.status === after.run.status ? [] : [{ kind: 'run' as const, status: after.run.status }]),
    ...kickoffEvents(before, after),
    ...after.approvals.flatMap((approval) => approvalEvents(earlier(before, approval), approval, now)),
    ...after.approvals.flatMap((approval) => outcomeEvents(before, after, approval)),
    ...messageEvents(before, after),
  ];
}

function outcomeEvents(before: Execution | null, after: Execution, approval: Approval): ExecutionEvent[] {
  const was = earlier(before, approval);
  const request = finalOf(after, approval);
  if (!request || (before && was && finalOf(before, was))) return [];
  const { crew, outcome: verdict } = request;
  return verdict === 'closed' || !isByPeople(request)
    ? [{ kind: 'expired', crew }]
    : [{ kind: 'final', request, verdict }];
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

function approvalEvents(before: Approval | null, after: Approval, now: Millis): ExecutionEvent[] {
  const isPosted = after.card.status === 'posted' && before?.card.status !== 'posted';
  return [
    ...(before ? [] : [{ kind: 'asked' as const }]),
    ...(isPosted ? [{ kind: 'card-posted' as const, afterMs: now - after.askedAt }] : []),
    ...(before?.status === after.status ? [] : statusEvents(before, after)),
  ];
}

function statusEvents(before: Approval | null, after: Approval): ExecutionEvent[] {
  switch (after.status) {
    case 'decided':
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
  return messagesOf(after).flatMap((message): ExecutionEvent[] => {
    const [earlierPost, post] = [before && postOf(before, message), postOf(after, message)];
    return post && isRetry(earlierPost, post) ? [{ kind: 'retried', what: 'message' }] : [];
  });
}

function isRetry(before: Post | null, after: Post): boolean {
  if (after.status === 'posting') return before?.status !== 'posting' && after.attempt > 1;
  return after.status === 'posted' && before?.status === 'posted' && after.tries > before.tries;
}
