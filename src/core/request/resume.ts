// Sending a decision to the crew or program: the worker claims the call, makes it, and settles its answer here. A decision is resumed
// once: a machine repeats a call only if it certainly had no effect.

import type { ResumeAnswer } from '../execution/events.ts';
import { pollSoon } from '../execution/poll-schedule.ts';
import { attachKeptTexts, EVIDENCE_MS, revive, withKickoffId, withRunStatus } from '../execution/run.ts';
import { findShown, type OnText, type Permission } from '../policy/permission.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { type ClaimCheck, checkClaim, claimedAt, claimedBy } from '../state/claim.ts';
import { type Execution, findRequest, hasEnded, withRequest } from '../state/execution.ts';
import { withNotices } from '../state/notices.ts';
import {
  type Attempt,
  type Decision,
  decisionOf,
  type HumanRequest,
  hasStatus,
  isAboutUserToken,
  isOpenInFlow,
  isRunUnknown,
  type Person,
  type RequestIn,
  type ResumeFailure,
  type Sending,
  type SupersededBy,
  supersede,
  UNTRIED,
} from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { backoffMs, DAY_MS, HOUR_MS, jittered, type Millis } from '../values/time.ts';
import { closeDeclined } from './decline.ts';

const RETRY = { firstMs: 1_000, mostMs: 60_000 };

/**
 * A signed callback has the same id each time, so that its receiver can drop repetitions. It alone is sent again although it may have
 * arrived: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability
 */
const RETRY_CALLBACK = { firstMs: 5_000, mostMs: HOUR_MS };
const CALLBACK_MS = DAY_MS;

/** Claims a resume. Only the worker whose claim is stored may call the crew. The claim assigns the hop of this resume's addresses. */
export function claimResume(execution: Execution, approvalId: string, process: string, now: Millis): Execution {
  const request = findRequest(execution, approvalId);
  if (request?.state.status !== 'decided' || now < request.state.sendAt || hasEnded(execution)) return execution;
  const { decision, tries, delayedBy, giveUpAt } = request.state;
  const { text } = decision;
  if (text === null) return execution;
  const hop = execution.hop + 1;
  const attempt: Attempt = { number: request.state.attempts.length + 1, hop, mayHaveArrived: true };
  const attempts = [...request.state.attempts, attempt];
  const call = { attempts, tries, delayedBy, giveUpAt, ...claimedBy(process, now) };
  const sending: HumanRequest = { ...request, state: { status: 'sending', decision: { ...decision, text }, ...call } };
  const claimed = withRequest({ ...execution, hop }, sending);
  return decision.verdict === 'decline' || execution.requests.length > 1 ? closeDeclined(claimed, now) : claimed;
}

/** Ends the claim of a resume whose process is gone, once evidence had the usual time to prove it. */
export function checkResume(execution: Execution, request: HumanRequest, check: ClaimCheck): Execution {
  if (!hasStatus(request, 'sending')) return execution;
  const state = checkClaim(request.state, check, EVIDENCE_MS);
  if (state === 'over') return settleUnproven(execution, request, check.now);
  if (state === request.state) return execution;
  const checked = { ...request, state };
  return pollFlowSoon(withRequest(execution, checked), checked, check.now);
}

/** Polls a flow soon after an unknown outcome: its status shows whether it has taken the answer. */
function pollFlowSoon(execution: Execution, request: HumanRequest, now: Millis): Execution {
  const isUnknown = request.state.status === 'sending' && request.state.claim === null;
  return isUnknown && isOpenInFlow(request) ? { ...execution, poll: pollSoon(execution, now) } : execution;
}

/** Polls soon to see whether the service has lost the run, or was only starting. */
function pollUnknownRun(execution: Execution, now: Millis): Execution {
  return { ...execution, poll: { ...pollSoon(execution, now), trouble: null } };
}

/** Settles a resume that nothing proved in time. */
function settleUnproven(execution: Execution, request: Sending, now: Millis): Execution {
  const expired = hasEnded(execution) ? supersede(request, 'ended', now) : unconfirmed(execution, request, { now });
  return withRunStatus(withFailureNotice(withRequest(execution, expired), expired, now));
}

/** Repeats a callback for a day, the last time at its end. Anything else that isn't confirmed is never resent by machine. */
function unconfirmed(
  { ref }: Execution,
  request: Sending,
  { now, waitMs }: { now: Millis; waitMs?: number | null },
): HumanRequest {
  const { decision, attempts, tries } = request.state;
  const giveUpAt = request.state.giveUpAt ?? now + CALLBACK_MS;
  if (!isCallback(request) || now >= giveUpAt)
    return {
      ...request,
      state: { status: 'failed', decision, attempts, failure: { kind: 'not-confirmed' }, failedAt: now },
    };
  const pauseMs = jittered(backoffMs(tries, RETRY_CALLBACK), `${ref}:${attempts.length}`);
  const sendAt = Math.min(giveUpAt, now + Math.max(pauseMs, waitMs ?? 0));
  const call = { attempts, tries: tries + 1, delayedBy: null, giveUpAt, sendAt, undoUntil: null };
  return { ...request, state: { status: 'decided', decision, ...call } };
}

function isCallback({ question: { destination } }: HumanRequest): boolean {
  return destination?.kind === 'callback';
}

/** Notifies the person who decided, who may no longer watch the card. */
function withFailureNotice(execution: Execution, request: HumanRequest, now: Millis): Execution {
  const { state } = request;
  const by = state.status === 'failed' && state.failedAt === now ? state.decision.by : null;
  if (!by) return execution;
  const about = { kind: 'unsent', approvalId: request.id } as const;
  return withNotices(execution, [by.id], about, now);
}

/**
 * Records the answer to one attempt, also a late one. An acceptance settles the decision whenever it comes. Any other answer counts
 * only for the newest attempt, and only until something proves more.
 */
export function settleResume(
  execution: Execution,
  { approvalId, attempt, answer }: { approvalId: string; attempt: number; answer: ResumeAnswer },
  now: Millis,
): Execution {
  const request = findRequest(execution, approvalId);
  if (!request) return execution;
  if (answer.kind === 'accepted') return accept(execution, request, answer.kickoffId, now);
  if (answer.kind === 'void') return voidDecision(execution, request, answer.by, now);
  if (!awaitsAnswerTo(request, attempt)) return ruleOut(execution, request, { attempt, answer });
  const after = withAnswer(execution, request, answer, now);
  const settled = withFailureNotice(withRequest(execution, after), after, now);
  return withRunStatus(isRunUnknown(after) ? pollUnknownRun(settled, now) : pollFlowSoon(settled, after, now));
}

/** Resends a decision that the crew refused or didn't confirm, for a person who can decide, unless evidence has settled it meanwhile. */
export function sendAgain(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const visible = findShown(execution, approvalId, { personId: by.id, now, ...permission });
  if (!visible.ok) return visible;
  const { request } = visible.value;
  if (request.state.status !== 'failed') return refuse(whyClosed(request) ?? { kind: 'nothing-to-send' });
  const { attempts, failure } = request.state;
  const decision = withOwnTokenOnly(request.state.decision, failure);
  const call = { attempts, ...UNTRIED, sendAt: now, undoUntil: null };
  const decided: HumanRequest = { ...request, state: { status: 'decided', decision, ...call } };
  return ok(withRunStatus(withRequest(execution, decided)));
}

/**
 * Binds a decision to the person's own token after a refusal of it, so that it never goes out with the crew's once they disconnect
 * theirs.
 */
function withOwnTokenOnly(decision: Decision, failure: ResumeFailure): Decision {
  return failure.kind === 'refused' && isAboutUserToken(failure.code) ? { ...decision, ownTokenOnly: true } : decision;
}

/** Records that an older attempt didn't arrive: it settles nothing, but is no longer in doubt. */
function ruleOut(
  execution: Execution,
  request: HumanRequest,
  { attempt, answer }: { attempt: number; answer: ResumeAnswer },
): Execution {
  if (answer.kind === 'unknown' || !('attempts' in request.state)) return execution;
  return withRequest(execution, {
    ...request,
    state: { ...request.state, attempts: notArrived(request.state.attempts, attempt) },
  });
}

type Unanswered = RequestIn<'sending' | 'failed'>;

function awaitsAnswerTo(request: HumanRequest, attempt: number): request is Unanswered {
  const { state } = request;
  const isAwaited = state.status === 'failed' ? state.failure.kind === 'not-confirmed' : state.status === 'sending';
  return isAwaited && 'attempts' in state && state.attempts.length === attempt;
}

function withAnswer(
  execution: Execution,
  request: Unanswered,
  answer: Exclude<ResumeAnswer, { kind: 'accepted' | 'void' }>,
  now: Millis,
): HumanRequest {
  if (hasEnded(execution)) return supersede(request, 'ended', now);
  const { decision, attempts } = request.state;
  const undelivered = notArrived(attempts, attempts.length);
  switch (answer.kind) {
    case 'unknown':
      if (!hasStatus(request, 'sending')) return request;
      if (isCallback(request)) return unconfirmed(execution, request, { now });
      return { ...request, state: { ...request.state, claim: null, until: now + EVIDENCE_MS } };
    case 'refused':
      return {
        ...request,
        state: { status: 'failed', decision, attempts: undelivered, failure: answer.failure, failedAt: now },
      };
    case 'unavailable': {
      if (isCallback(request)) {
        if (!hasStatus(request, 'sending')) return request;
        const state = { ...request.state, attempts: undelivered };
        return unconfirmed(execution, { ...request, state }, { now, waitMs: answer.waitMs });
      }
      const tries = request.state.status === 'sending' ? request.state.tries + 1 : 1;
      const sendAt = now + (answer.waitMs ?? backoffMs(tries - 1, RETRY));
      const call = { attempts: undelivered, tries, delayedBy: answer.reason, giveUpAt: null, sendAt, undoUntil: null };
      return { ...request, state: { status: 'decided', decision, ...call } };
    }
  }
}

function accept(execution: Execution, request: HumanRequest, kickoffId: string | null, now: Millis): Execution {
  const linked = { ...execution, kickoffIds: withKickoffId(execution.kickoffIds, kickoffId) };
  const decision = decisionOf(request);
  if (decision === null) return linked;
  const before = request.state.status === 'delivered' ? request.state : null;
  const delivered: HumanRequest = {
    ...request,
    state: {
      status: 'delivered',
      decision,
      proof: 'accepted',
      resumedAs: before?.resumedAs ?? kickoffId,
      deliveredAt: before?.deliveredAt ?? now,
    },
  };
  const alive = execution.run.status === 'lost' ? revive(linked, now) : linked;
  return withRunStatus({
    ...attachKeptTexts(withRequest(alive, delivered)),
    poll: { ...pollSoon(alive, now), trouble: null },
  });
}

/** Closes a decision that certainly had no effect, whichever attempt carried it. */
function voidDecision(execution: Execution, request: HumanRequest, by: SupersededBy, now: Millis): Execution {
  if (request.state.status !== 'sending' && request.state.status !== 'failed') return execution;
  return withRunStatus(withRequest(execution, supersede(request, by, now)));
}

function notArrived(attempts: Attempt[], number: number): Attempt[] {
  return attempts.map((attempt) => (attempt.number === number ? { ...attempt, mayHaveArrived: false } : attempt));
}

/** Crew and Slack usually answer within this time. A card waits for the crew's answer to a decision, so that one update shows both. */
export const ANSWER_MS = 400;

/** Returns when the crew has usually answered a decision that is on its way for the first time; 0 for any other. */
export function crewAnswerAt(request: HumanRequest | null, withinMs: number): Millis {
  const sentAt = request && firstSentAt(request);
  return sentAt === null ? 0 : sentAt + withinMs;
}

/** Returns when a decision first went, or was to go, to the crew; null before that, and from the second try on. */
function firstSentAt({ state }: HumanRequest): Millis | null {
  if (state.status === 'decided' && state.tries === 0) return state.undoUntil === null ? state.decision.at : null;
  return state.status === 'sending' && state.tries === 0 ? claimedAt(state) : null;
}
