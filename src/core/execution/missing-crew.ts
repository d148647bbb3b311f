import type { Millis } from '../time.ts';
import type { Execution } from './execution.ts';

/** When a crew is first looked for, and how seldom at last. A process that knows it finds its runs at its start anyway. */
const CHECK = { firstMs: 60_000, mostMs: 60 * 60_000 };

/** When it is first looked for where another process may know it, as when one that doesn't was faster. */
export const CHECK_SOON_MS = 1_000;

/**
 * The crew isn't configured: nothing goes to it, it isn't asked for anything, and nothing happens by time, until it is known
 * again. It is looked for after pauses that double. Returns the same execution if that is noted already, or if the run isn't in
 * progress.
 */
export function missCrew(execution: Execution, now: Millis, firstMs = CHECK.firstMs): Execution {
  const { missingCrew } = execution;
  if (!isInProgress(execution) || (missingCrew !== null && now < missingCrew.checkAt)) return execution;
  const since = missingCrew?.since ?? now;
  const pauseMs = missingCrew === null ? firstMs : Math.max(CHECK_SOON_MS, now - since);
  return { ...execution, missingCrew: { since, checkAt: now + Math.min(pauseMs, CHECK.mostMs) } };
}

/** Whether a run in progress waits until its crew is known again. What revives another run tells of its crew, too. */
export function missesCrew(execution: Execution): boolean {
  return execution.missingCrew !== null && isInProgress(execution);
}

/** When to look for the crew; null if it is known, or the run isn't tracked and has nothing to send. */
export function crewCheckedAt(execution: Execution): Millis | null {
  const { missingCrew, unfollowed, approvals } = execution;
  const isAwaited = unfollowed === null || approvals.some(({ status }) => status === 'decided');
  return missingCrew !== null && isAwaited && missesCrew(execution) ? missingCrew.checkAt : null;
}

function isInProgress({ run }: Execution): boolean {
  switch (run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
      return true;
    case 'completed':
    case 'failed':
    case 'lost':
    case 'not-started':
    case 'unconfirmed':
      return false;
  }
}

/** How long before a record expires its cards say so, which takes Slack a while where many do at once. */
const TELL_BEFORE_MS = 60 * 60_000;

/** When the cards of a run are to say that its texts expire; null if they do, or none has to. */
export function expiryToldAt({ expiry, approvals }: Execution): Millis | null {
  const hasCard = approvals.some(({ card, copies }) => card.status === 'posted' || copies.length > 0);
  return expiry === null || expiry.isTold || !hasCard ? null : expiry.at - TELL_BEFORE_MS;
}

/** From now on, the cards show what remains of their texts. */
export function tellExpiry(execution: Execution, now: Millis): Execution {
  const at = expiryToldAt(execution);
  if (at === null || now < at || execution.expiry === null) return execution;
  return { ...execution, expiry: { ...execution.expiry, isTold: true } };
}

/** `at`: when the record expires from now on; null if it doesn't. One that expires already keeps its time. */
export function withExpiry(execution: Execution, at: Millis | null): Execution {
  if ((execution.expiry === null) === (at === null)) return execution;
  return { ...execution, expiry: at === null ? null : { at, isTold: false } };
}
