import { checkKickoff } from './execution/start.ts';
import { checkStep, findStep, renewStep } from './execution/workflow-steps.ts';
import { checkMessage } from './messages/delivery.ts';
import { checkResume } from './request/resume.ts';
import { type ClaimCheck, type Claimed, claimedBy } from './state/claim.ts';
import { type Execution, findRequest, withRequest } from './state/execution.ts';
import { type Message, messagesOf, postOf, postsOf, withPost } from './state/message.ts';
import type { Millis } from './values/time.ts';

// The claims of all calls of an execution that can't be repeated, for the worker, which claims, makes and checks them.

/** A call that can't be repeated: it is claimed before it is made. */
export type Call =
  | { kind: 'kickoff' }
  | { kind: 'resume'; approvalId: string }
  | { kind: 'post'; message: Message }
  | { kind: 'complete-step'; stepId: string };

/** A call as it is claimed in the record. */
interface ClaimedCall {
  call: Call;
  attempt: number;
  /** The process that makes it. */
  by: string;
}

/** Returns the calls that are claimed. `worker/change.ts` finds among them those that its own process has yet to make. */
export function callsUnderWay(execution: Execution): ClaimedCall[] {
  const calls: Call[] = [
    { kind: 'kickoff' },
    ...execution.requests.map(({ id }): Call => ({ kind: 'resume', approvalId: id })),
    ...messagesOf(execution).map((message): Call => ({ kind: 'post', message })),
    ...execution.workflowSteps.map(({ id }): Call => ({ kind: 'complete-step', stepId: id })),
  ];
  return calls.flatMap((call) => claimOf(execution, call) ?? []);
}

/** Returns the claim of one call; null if it isn't claimed, or `checkClaims` has found its process gone. */
export function claimOf(execution: Execution, call: Call): ClaimedCall | null {
  const attempted = find(execution, call);
  return attempted?.claim ? { call, attempt: attempted.attempt, by: attempted.claim.by } : null;
}

function find(execution: Execution, call: Call) {
  switch (call.kind) {
    case 'kickoff': {
      const { kickoff } = execution;
      return kickoff.status === 'sending' ? { claim: kickoff.claim, attempt: kickoff.tries } : null;
    }
    case 'resume': {
      const request = findRequest(execution, call.approvalId);
      return request?.state.status === 'sending'
        ? { claim: request.state.claim, attempt: request.state.attempts.length }
        : null;
    }
    case 'post': {
      const post = postOf(execution, call.message);
      return post?.status === 'posting' ? post : null;
    }
    case 'complete-step': {
      const completion = findStep(execution, call.stepId)?.completion;
      return completion?.status === 'sending' ? { claim: completion.claim, attempt: completion.tries } : null;
    }
  }
}

/**
 * Renews a claim for its full time, for a call that its process makes only now: the claim was stored, but the process didn't learn of
 * it, as Redis' answer was lost.
 */
export function renewClaim(execution: Execution, { call, by }: ClaimedCall, now: Millis): Execution {
  const renewed = claimedBy(by, now);
  switch (call.kind) {
    case 'kickoff': {
      const { kickoff } = execution;
      return kickoff.status === 'sending' ? { ...execution, kickoff: { ...kickoff, ...renewed } } : execution;
    }
    case 'resume': {
      const request = findRequest(execution, call.approvalId);
      return request?.state.status === 'sending'
        ? withRequest(execution, { ...request, state: { ...request.state, ...renewed } })
        : execution;
    }
    case 'post':
      return withPost(execution, call.message, (post) => (post.status === 'posting' ? { ...post, ...renewed } : post));
    case 'complete-step':
      return renewStep(execution, call.stepId, renewed);
  }
}

/** Ends every claim whose call can no longer be answered. */
export function checkClaims(execution: Execution, check: ClaimCheck): Execution {
  const resumed = execution.requests.reduce((each, request) => checkResume(each, request, check), execution);
  const started = checkKickoff(resumed, check);
  const posted = messagesOf(started).reduce((each, message) => checkMessage(each, message, check), started);
  return posted.workflowSteps.reduce((each, { id }) => checkStep(each, id, check), posted);
}

/** Returns the processes that `checkClaims` needs to know about now: whether they are gone. */
export function claimingProcesses(execution: Execution, now: Millis): string[] {
  const due = unsettledClaims(execution).flatMap(({ claim, until }) =>
    claim && claim.checkAt <= now && now < until ? [claim.by] : [],
  );
  return [...new Set(due)];
}

/** Returns all claims without an outcome: of calls under way, and of calls whose answer was unclear and may still be proven. */
export function unsettledClaims(execution: Execution): Claimed[] {
  const posts = postsOf(execution).map(({ post }) => post);
  const completions = execution.workflowSteps.map(({ completion }) => completion);
  return [execution.kickoff, ...execution.requests.map(({ state }) => state), ...posts, ...completions].flatMap(
    (each) => (each && 'claim' in each ? [each] : []),
  );
}
