import { EVIDENCE_MS } from '../approval/evidence.ts';
import type { ClaimCheck } from '../claim.ts';
import { checkClaim, claimedBy } from '../claim.ts';
import type { Millis } from '../time.ts';
import { backoffMs } from '../time.ts';
import type { KickoffAnswer } from './crew-answers.ts';
import type { Execution, KickoffDoubt, KickoffRefusal } from './execution.ts';
import { hasEnded } from './execution.ts';
import { closeKickoff, dueStarterNotice, startPolling } from './run.ts';

/** Number of tries to reach a crew before the start is given up and the starter is told. */
const MOST_TRIES = 4;
const RETRY = { firstMs: 1_000, mostMs: 10_000 };

/** Only the worker whose claim is stored may call the crew. Returns the same execution if there is nothing to claim. */
export function claimKickoff(execution: Execution, process: string, now: Millis): Execution {
  const { kickoff } = execution;
  if (kickoff.status !== 'due' || now < kickoff.notBefore) return execution;
  return { ...execution, kickoff: { status: 'sending', tries: kickoff.tries + 1, ...claimedBy(process, now) } };
}

/**
 * The worker died during the call, or the call never returned: the crew may have started. A webhook may prove it for as long
 * as it may prove a resume.
 */
export function checkKickoff(execution: Execution, check: ClaimCheck): Execution {
  const { kickoff } = execution;
  if (kickoff.status !== 'sending') return execution;
  const checked = checkClaim(kickoff, check, EVIDENCE_MS);
  if (checked === 'over') return doubtKickoff(execution, 'interrupted', check.now);
  return checked === kickoff ? execution : { ...execution, kickoff: checked };
}

/** Records the answer of the crew service, also a late one. An accepted kickoff is never sent again. */
export function settleKickoff(execution: Execution, answer: KickoffAnswer, now: Millis): Execution {
  switch (answer.kind) {
    case 'accepted':
      return acceptKickoff(execution, answer.kickoffId, now);
    case 'refused':
      return refuseKickoff(execution, answer.refusal, now);
    case 'unavailable':
      return postponeKickoff(execution, answer.waitMs, now);
    case 'unknown':
      return doubtKickoff(execution, answer.doubt, now);
  }
}

function acceptKickoff(execution: Execution, kickoffId: string, now: Millis): Execution {
  const kickoffIds = execution.kickoffIds.includes(kickoffId)
    ? execution.kickoffIds
    : [kickoffId, ...execution.kickoffIds];
  const accepted = closeKickoff({ ...execution, kickoffIds }, now);
  const { status } = execution.run;
  if (hasEnded(execution) || status === 'running' || status === 'waiting') return accepted;
  return startPolling(
    { ...accepted, run: { status: 'running' }, starterNotice: dueStarterNotice(execution, now) },
    now,
  );
}

function refuseKickoff(execution: Execution, refusal: KickoffRefusal, now: Millis): Execution {
  const closed = closeKickoff(execution, now);
  if (!isUndecided(execution)) return closed;
  return {
    ...closed,
    run: { status: 'not-started', refusal, endedAt: now },
    starterNotice: dueStarterNotice(execution, now),
  };
}

function postponeKickoff(execution: Execution, waitMs: number | null, now: Millis): Execution {
  const { kickoff, run } = execution;
  // A late answer to a start that is already unconfirmed isn't retried: the person may have started another run by now.
  if (kickoff.status !== 'sending' || run.status !== 'starting' || kickoff.tries >= MOST_TRIES)
    return refuseKickoff(execution, { code: 'unreachable', detail: '', missing: [] }, now);
  const delayMs = waitMs ?? backoffMs(kickoff.tries - 1, RETRY);
  return { ...execution, kickoff: { status: 'due', tries: kickoff.tries, notBefore: now + delayMs } };
}

function doubtKickoff(execution: Execution, doubt: KickoffDoubt, now: Millis): Execution {
  const closed = closeKickoff(execution, now);
  return execution.run.status === 'starting'
    ? { ...closed, run: { status: 'unconfirmed', doubt, since: now } }
    : closed;
}

/** A webhook that overtook the answer proves more than a bad answer. */
function isUndecided({ run }: Execution): boolean {
  return run.status === 'starting' || run.status === 'unconfirmed';
}
