// Begins executions: a person, a workflow or a program starts one, or its first notification arrives. The kickoff call follows,
// which the worker claims, makes and settles.

import { NO_ENTRIES } from '../ledger/entry.ts';
import { type ClaimCheck, checkClaim, claimedBy } from '../state/claim.ts';
import {
  type Execution,
  type FormKey,
  hasEnded,
  type KickoffDoubt,
  type KickoffRefusal,
  RECORD_VERSION,
} from '../state/execution.ts';
import { messageKey, ROOT } from '../state/message.ts';
import { duePost } from '../state/post.ts';
import { backoffMs, type Millis } from '../values/time.ts';
import type { Ask, Beginning, KickoffAnswer, Start, StepStart } from './events.ts';
import { firstPollAt } from './poll-schedule.ts';
import { closeKickoff, dueStarterNotice, EVIDENCE_MS, startPolling } from './run.ts';
import { dueStep } from './workflow-steps.ts';

/** Returns an execution before its kickoff. */
export function startExecution({ by, form, ...start }: Start, now: Millis): Execution {
  return { ...unstarted(start, now), origin: form === null ? { kind: 'command', by } : { kind: 'form', by, form } };
}

/** Records the modal in which the starter waits for the outcome. */
export function learnForm(execution: Execution, form: FormKey): Execution {
  const { origin } = execution;
  return origin.kind === 'command' ? { ...execution, origin: { ...origin, kind: 'form', form } } : execution;
}

/** Returns an execution before its kickoff, which a step of a workflow starts and waits for. */
export function startForStep({ by, step, ...start }: StepStart, now: Millis): Execution {
  const workflowSteps = [dueStep({ ...step, awaits: 'start' }, now)];
  return { ...unstarted(start, now), origin: { kind: 'step', by }, workflowSteps };
}

function unstarted(beginning: Beginning, now: Millis): Omit<Execution, 'origin'> {
  return {
    ...blank(beginning, now),
    inputs: beginning.inputs,
    run: { status: 'starting' },
    kickoff: { status: 'due', tries: 0, delayedBy: null, notBefore: now },
  };
}

/** Returns an execution that is no run of a crew: it asks people one thing, by the crew's rules. */
export function startAsk(
  { asker, by, inputs, step, thread = null, ...beginning }: Beginning & Pick<Ask, 'asker' | 'by' | 'step' | 'thread'>,
  now: Millis,
): Execution {
  return {
    ...blank(beginning, now),
    origin: {
      kind: 'ask',
      asker,
      by,
      approvalId: null,
      heardAt: null,
      thread: thread && { ...thread, place: { status: 'sought', tries: 0, notBefore: now } },
    },
    workflowSteps: step ? [dueStep({ ...step, awaits: 'decision' }, now)] : [],
    inputs,
    run: { status: 'running' },
    kickoff: { status: 'settled' },
  };
}

/**
 * Returns an execution that was started elsewhere, known from its first notification. It is held while one of our own starts or
 * resumes is unanswered, since the answer may show that the run is ours.
 */
export function adoptExecution(
  { held, ...beginning }: { ref: string; crew: string; channel: string; held: 'held' | 'free' },
  now: Millis,
): Execution {
  const begun = blank(beginning, now);
  return {
    ...begun,
    origin: {
      kind: 'elsewhere',
      adoptionHold: held === 'held' ? { until: now + HOLD_MS, checkAt: now + CHECK_MS } : null,
    },
    inputs: {},
    run: { status: 'running' },
    kickoff: { status: 'settled' },
    poll: { ...begun.poll, nextAt: firstPollAt(now) },
  };
}

function blank(
  { ref, crew, channel }: Pick<Execution, 'ref' | 'crew' | 'channel'>,
  now: Millis,
): Omit<Execution, 'origin' | 'inputs' | 'run' | 'kickoff'> {
  return {
    version: RECORD_VERSION,
    ref,
    crew,
    channel,
    createdAt: now,
    kickoffIds: [],
    executionId: null,
    hop: 0,
    requests: [],
    tasks: [],
    taskNames: [],
    progress: { completed: 0, total: null, current: null },
    activity: { seen: 0, refreshAt: null },
    poll: { nextAt: null, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null },
    messages: { [messageKey(ROOT)]: { post: duePost(now) } },
    privateAnswers: [],
    notices: [],
    workflowSteps: [],
    possibleRepeats: [],
    starterNotice: { status: 'none' },
    unfollowed: null,
    missingCrew: null,
    expiry: null,
    limitsMet: [],
    ledger: NO_ENTRIES,
    ledgerEvents: [],
  };
}

const MOST_TRIES = 4;
const RETRY = { firstMs: 1_000, mostMs: 10_000 };

/** Claims the kickoff. Only the worker whose claim is stored may call the crew. */
export function claimKickoff(execution: Execution, process: string, now: Millis): Execution {
  const { kickoff } = execution;
  if (kickoff.status !== 'due' || now < kickoff.notBefore) return execution;
  const { tries, delayedBy } = kickoff;
  return { ...execution, kickoff: { status: 'sending', tries: tries + 1, delayedBy, ...claimedBy(process, now) } };
}

/** Ends the claim of a kickoff whose worker died or whose call never returned. Until then a webhook may prove that the crew started. */
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
      return postponeKickoff(execution, answer, now);
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
  const starterNotice = dueStarterNotice(execution, now);
  return startPolling({ ...accepted, run: { status: 'running' }, starterNotice }, now);
}

function refuseKickoff(execution: Execution, refusal: KickoffRefusal, now: Millis): Execution {
  const closed = closeKickoff(execution, now);
  if (!isUndecided(execution)) return closed;
  const starterNotice = dueStarterNotice(execution, now);
  return { ...closed, run: { status: 'not-started', refusal, endedAt: now }, starterNotice };
}

function postponeKickoff(
  execution: Execution,
  { reason, waitMs }: Extract<KickoffAnswer, { kind: 'unavailable' }>,
  now: Millis,
): Execution {
  const { kickoff, run } = execution;
  // A late answer to a start that is already unconfirmed isn't retried: the person may have started another run by now.
  if (kickoff.status !== 'sending' || run.status !== 'starting' || kickoff.tries >= MOST_TRIES)
    return refuseKickoff(execution, { code: reason, detail: '', missing: [] }, now);
  const notBefore = now + (waitMs ?? backoffMs(kickoff.tries - 1, RETRY));
  return { ...execution, kickoff: { status: 'due', tries: kickoff.tries, delayedBy: reason, notBefore } };
}

function doubtKickoff(execution: Execution, doubt: KickoffDoubt, now: Millis): Execution {
  const closed = closeKickoff(execution, now);
  return execution.run.status === 'starting'
    ? { ...closed, run: { status: 'not-confirmed', doubt, since: now } }
    : closed;
}

/** Returns true until the start is known to have worked or failed; a webhook may prove it before the answer comes. */
function isUndecided({ run }: Execution): boolean {
  return run.status === 'starting' || run.status === 'not-confirmed';
}

const HOLD_MS = 30_000;
const CHECK_MS = 2_000;

/** Schedules the next check, or releases the execution when time is up or no answer is outstanding. */
export function checkAdoptionHold(execution: Execution, awaited: 'awaited' | 'settled', now: Millis): Execution {
  const { origin } = execution;
  if (origin.kind !== 'elsewhere' || origin.adoptionHold === null) return execution;
  const { until } = origin.adoptionHold;
  const isOver = awaited === 'settled' || now >= until;
  const adoptionHold = isOver ? null : { until, checkAt: Math.min(until, now + CHECK_MS) };
  return { ...execution, origin: { kind: 'elsewhere', adoptionHold } };
}
