// Sending a decision to the crew or program: the worker claims the call, makes it, and settles its answer here. A decision is resumed
// once: a machine repeats a call only if it certainly had no effect.

import type { ResumeAnswer } from '../execution/events.ts';
import { pollSoon } from '../execution/poll-schedule.ts';
import { attachKeptTexts, EVIDENCE_MS, revive, withKickoffId, withRunStatus } from '../execution/run.ts';
import { findShown, type OnText, type Permission } from '../policy/permission.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
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
} from '../state/approval.ts';
import { type ClaimCheck, checkClaim, claimedAt, claimedBy } from '../state/claim.ts';
import { type Execution, findApproval, hasEnded, withApproval } from '../state/execution.ts';
import { withNotices } from '../state/notices.ts';
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
  const approval = findApproval(execution, approvalId);
  if (approval?.state.status !== 'decided' || now < approval.state.sendAt || hasEnded(execution)) return execution;
  const { decision, tries, delayedBy, giveUpAt } = approval.state;
  const { text } = decision;
  if (text === null) return execution;
  const hop = execution.hop + 1;
  const attempt: Attempt = { number: approval.state.attempts.length + 1, hop, mayHaveArrived: true };
  const attempts = [...approval.state.attempts, attempt];
  const call = { attempts, tries, delayedBy, giveUpAt, ...claimedBy(process, now) };
  const sending: HumanRequest = { ...approval, state: { status: 'sending', decision: { ...decision, text }, ...call } };
  const claimed = withApproval({ ...execution, hop }, sending);
  return decision.verdict === 'decline' || execution.approvals.length > 1 ? closeDeclined(claimed, now) : claimed;
}

/** Ends the claim of a resume whose process is gone, once evidence had the usual time to prove it. */
export function checkResume(execution: Execution, approval: HumanRequest, check: ClaimCheck): Execution {
  if (!hasStatus(approval, 'sending')) return execution;
  const state = checkClaim(approval.state, check, EVIDENCE_MS);
  if (state === 'over') return expire(execution, approval, check.now);
  if (state === approval.state) return execution;
  const checked = { ...approval, state };
  return askFlow(withApproval(execution, checked), checked, check.now);
}

/** Polls a flow soon after an unknown outcome: its status shows whether it has taken the answer. */
function askFlow(execution: Execution, approval: HumanRequest, now: Millis): Execution {
  const isUnknown = approval.state.status === 'sending' && approval.state.claim === null;
  return isUnknown && isOpenInFlow(approval) ? { ...execution, poll: pollSoon(execution, now) } : execution;
}

/** Polls soon whether the service has lost the run, or was only starting. */
function askWhetherKnown(execution: Execution, now: Millis): Execution {
  return { ...execution, poll: { ...pollSoon(execution, now), trouble: null } };
}

/** Settles a resume that nothing proved in time. */
function expire(execution: Execution, approval: Sending, now: Millis): Execution {
  const expired = hasEnded(execution) ? supersede(approval, 'ended', now) : unconfirmed(execution, approval, { now });
  return withRunStatus(withFailureNotice(withApproval(execution, expired), expired, now));
}

/** Repeats a callback for a day, the last time at its end. Anything else that isn't confirmed is never resent by machine. */
function unconfirmed(
  { ref }: Execution,
  approval: Sending,
  { now, waitMs }: { now: Millis; waitMs?: number | null },
): HumanRequest {
  const { decision, attempts, tries } = approval.state;
  const giveUpAt = approval.state.giveUpAt ?? now + CALLBACK_MS;
  if (!isCallback(approval) || now >= giveUpAt)
    return {
      ...approval,
      state: { status: 'failed', decision, attempts, failure: { kind: 'not-confirmed' }, failedAt: now },
    };
  const pauseMs = jittered(backoffMs(tries, RETRY_CALLBACK), `${ref}:${attempts.length}`);
  const sendAt = Math.min(giveUpAt, now + Math.max(pauseMs, waitMs ?? 0));
  const call = { attempts, tries: tries + 1, delayedBy: null, giveUpAt, sendAt, undoUntil: null };
  return { ...approval, state: { status: 'decided', decision, ...call } };
}

function isCallback({ question: { destination } }: HumanRequest): boolean {
  return destination?.kind === 'callback';
}

/** Notifies the person who decided, who may no longer watch the card. */
function withFailureNotice(execution: Execution, approval: HumanRequest, now: Millis): Execution {
  const { state } = approval;
  const by = state.status === 'failed' && state.failedAt === now ? state.decision.by : null;
  if (!by) return execution;
  const about = { kind: 'unsent', approvalId: approval.id } as const;
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
  const approval = findApproval(execution, approvalId);
  if (!approval) return execution;
  if (answer.kind === 'accepted') return accept(execution, approval, answer.kickoffId, now);
  if (answer.kind === 'void') return voidDecision(execution, approval, answer.by, now);
  if (!awaitsAnswerTo(approval, attempt)) return ruleOut(execution, approval, { attempt, answer });
  const after = answered(execution, approval, answer, now);
  const settled = withFailureNotice(withApproval(execution, after), after, now);
  return withRunStatus(isRunUnknown(after) ? askWhetherKnown(settled, now) : askFlow(settled, after, now));
}

/** Resends a decision that the crew refused or didn't confirm, for a person who can decide, unless evidence has settled it meanwhile. */
export function sendAgain(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const shown = findShown(execution, approvalId, { personId: by.id, now, ...permission });
  if (!shown.ok) return shown;
  const { request: approval } = shown.value;
  if (approval.state.status !== 'failed') return refuse(whyClosed(approval) ?? { kind: 'nothing-to-send' });
  const { attempts, failure } = approval.state;
  const decision = ofOwnToken(approval.state.decision, failure);
  const call = { attempts, ...UNTRIED, sendAt: now, undoUntil: null };
  const decided: HumanRequest = { ...approval, state: { status: 'decided', decision, ...call } };
  return ok(withRunStatus(withApproval(execution, decided)));
}

/** Without this, a person who disconnects a refused token would decide with the crew's. */
function ofOwnToken(decision: Decision, failure: ResumeFailure): Decision {
  return failure.kind === 'refused' && isAboutUserToken(failure.code) ? { ...decision, ownTokenOnly: true } : decision;
}

/** Records that an older attempt didn't arrive: it settles nothing, but is no longer in doubt. */
function ruleOut(
  execution: Execution,
  approval: HumanRequest,
  { attempt, answer }: { attempt: number; answer: ResumeAnswer },
): Execution {
  if (answer.kind === 'unknown' || !('attempts' in approval.state)) return execution;
  return withApproval(execution, {
    ...approval,
    state: { ...approval.state, attempts: notArrived(approval.state.attempts, attempt) },
  });
}

type Unanswered = RequestIn<'sending' | 'failed'>;

function awaitsAnswerTo(approval: HumanRequest, attempt: number): approval is Unanswered {
  const { state } = approval;
  const isAwaited = state.status === 'failed' ? state.failure.kind === 'not-confirmed' : state.status === 'sending';
  return isAwaited && 'attempts' in state && state.attempts.length === attempt;
}

function answered(
  execution: Execution,
  approval: Unanswered,
  answer: Exclude<ResumeAnswer, { kind: 'accepted' | 'void' }>,
  now: Millis,
): HumanRequest {
  if (hasEnded(execution)) return supersede(approval, 'ended', now);
  const { decision, attempts } = approval.state;
  const undelivered = notArrived(attempts, attempts.length);
  switch (answer.kind) {
    case 'unknown':
      if (!hasStatus(approval, 'sending')) return approval;
      if (isCallback(approval)) return unconfirmed(execution, approval, { now });
      return { ...approval, state: { ...approval.state, claim: null, until: now + EVIDENCE_MS } };
    case 'refused':
      return {
        ...approval,
        state: { status: 'failed', decision, attempts: undelivered, failure: answer.failure, failedAt: now },
      };
    case 'unavailable': {
      if (isCallback(approval)) {
        if (!hasStatus(approval, 'sending')) return approval;
        const state = { ...approval.state, attempts: undelivered };
        return unconfirmed(execution, { ...approval, state }, { now, waitMs: answer.waitMs });
      }
      const tries = approval.state.status === 'sending' ? approval.state.tries + 1 : 1;
      const sendAt = now + (answer.waitMs ?? backoffMs(tries - 1, RETRY));
      const call = { attempts: undelivered, tries, delayedBy: answer.reason, giveUpAt: null, sendAt, undoUntil: null };
      return { ...approval, state: { status: 'decided', decision, ...call } };
    }
  }
}

function accept(execution: Execution, approval: HumanRequest, kickoffId: string | null, now: Millis): Execution {
  const known = { ...execution, kickoffIds: withKickoffId(execution.kickoffIds, kickoffId) };
  const decision = decisionOf(approval);
  if (decision === null) return known;
  const before = approval.state.status === 'delivered' ? approval.state : null;
  const delivered: HumanRequest = {
    ...approval,
    state: {
      status: 'delivered',
      decision,
      proof: 'accepted',
      resumedAs: before?.resumedAs ?? kickoffId,
      deliveredAt: before?.deliveredAt ?? now,
    },
  };
  const alive = execution.run.status === 'lost' ? revive(known, now) : known;
  return withRunStatus({
    ...attachKeptTexts(withApproval(alive, delivered)),
    poll: { ...pollSoon(alive, now), trouble: null },
  });
}

/** Closes a decision that certainly had no effect, whichever attempt carried it. */
function voidDecision(execution: Execution, approval: HumanRequest, by: SupersededBy, now: Millis): Execution {
  if (approval.state.status !== 'sending' && approval.state.status !== 'failed') return execution;
  return withRunStatus(withApproval(execution, supersede(approval, by, now)));
}

function notArrived(attempts: Attempt[], number: number): Attempt[] {
  return attempts.map((attempt) => (attempt.number === number ? { ...attempt, mayHaveArrived: false } : attempt));
}

/** Crew and Slack usually answer within this time. A card waits for the crew's answer to a decision, so that one update shows both. */
export const ANSWER_MS = 400;

/** Returns when the crew has usually answered a decision that is on its way for the first time; 0 for any other. */
export function crewAnswerAt(approval: HumanRequest | null, withinMs: number): Millis {
  const sentAt = approval && firstSentAt(approval);
  return sentAt === null ? 0 : sentAt + withinMs;
}

/** Returns when a decision first went, or was to go, to the crew; null before that, and from the second try on. */
function firstSentAt({ state }: HumanRequest): Millis | null {
  if (state.status === 'decided' && state.tries === 0) return state.undoUntil === null ? state.decision.at : null;
  return state.status === 'sending' && state.tries === 0 ? claimedAt(state) : null;
}
