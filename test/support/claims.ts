import type { Claim, ClaimCheck } from '../../src/core/claim.ts';
import { claimedBy } from '../../src/core/claim.ts';
import { START } from './approvals.ts';

/** The process whose claims these are, unless told otherwise. */
export const PROCESS = 'process-1';

/** Its claim, made at the start. */
export const CLAIM: Claim = claimedBy(PROCESS, START).claim;

/** A check that finds all processes alive, or these gone. */
export function checkAt(now: number, ...gone: string[]): ClaimCheck {
  return { now, isGone: (process) => gone.includes(process) };
}
