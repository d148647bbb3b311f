import type { ClaimCheck } from '../../src/core/state/claim.ts';

/** The process whose claims these are, unless told otherwise. */
export const PROCESS = 'process-1';

/** A check that finds all processes alive, or these gone. */
export function checkAt(now: number, ...gone: string[]): ClaimCheck {
  return { now, isGone: (process) => gone.includes(process) };
}
