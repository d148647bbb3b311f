import type { Millis } from '../values/time.ts';

/**
 * A call that can't be repeated is first claimed in the record, so that no other process makes it as well. Its answer is
 * awaited until the claim ends, which is earlier once the process that made the call is gone.
 */
export interface Claim {
  /** The process that makes the call. */
  by: string;
  /** Time of the next check whether that process still lives. */
  checkAt: Millis;
}

/** `claim` is null once the call was answered without an outcome, or its process is gone. */
export interface Claimed {
  claim: Claim | null;
  until: Millis;
}

/** Facts for a check of claims. */
export interface ClaimCheck {
  now: Millis;
  /** Returns true if a process has certainly ended. */
  isGone: (process: string) => boolean;
}

/** Longer than any claimed call may take, including all parts of an upload. */
export const CLAIM_MS = 40_000;

/** Most calls are answered by then, and a process that was killed right after its claim is known to be gone. */
const FIRST_CHECK_MS = 12_000;
const NEXT_CHECK_MS = 3_000;

export function claimedBy(process: string, now: Millis): { claim: Claim; until: Millis } {
  return { claim: { by: process, checkAt: now + FIRST_CHECK_MS }, until: now + CLAIM_MS };
}

/** Returns the time at which the call began; null once its process is gone, or it was answered without an outcome. */
export function claimedAt({ claim, until }: Claimed): Millis | null {
  return claim && until - CLAIM_MS;
}

/** Returns the time of the next check of a claim whose answer doesn't come. */
export function nextCheckAt({ claim, until }: Claimed): Millis {
  return claim ? Math.min(claim.checkAt, until) : until;
}

/**
 * Returns the claim as it is after a check; `over` once nothing can tell any more what became of the call. If its process is gone,
 * that is `graceMs` after the call began: until then, something else than the answer may prove it.
 */
export function checkClaim<Each extends Claimed>(
  claimed: Each,
  { now, isGone }: ClaimCheck,
  graceMs: number,
): Each | 'over' {
  const { claim, until } = claimed;
  if (now >= until) return 'over';
  if (!claim || now < claim.checkAt) return claimed;
  if (!isGone(claim.by)) return { ...claimed, claim: { ...claim, checkAt: now + NEXT_CHECK_MS } };
  const orphaned = { ...claimed, claim: null, until: until - CLAIM_MS + graceMs };
  return now >= orphaned.until ? 'over' : orphaned;
}
