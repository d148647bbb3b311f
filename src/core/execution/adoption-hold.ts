import type { Millis } from '../time.ts';
import type { AdoptionHold, Execution } from './execution.ts';

const HOLD_MS = 30_000;
const CHECK_MS = 2_000;

export function newAdoptionHold(now: Millis): AdoptionHold {
  return { until: now + HOLD_MS, checkAt: now + CHECK_MS };
}

/** Whether nothing may be shown or done yet, since the execution may turn out to be one that we started. */
export function isHeld({ origin }: Execution): boolean {
  return origin.kind === 'elsewhere' && origin.adoptionHold !== null;
}

/** Schedules the next check, or releases the execution when time is up or no answer is awaited any more. */
export function checkAdoptionHold(execution: Execution, awaited: 'awaited' | 'settled', now: Millis): Execution {
  const { origin } = execution;
  if (origin.kind !== 'elsewhere' || origin.adoptionHold === null) return execution;
  const { until } = origin.adoptionHold;
  const over = awaited === 'settled' || now >= until;
  const adoptionHold = over ? null : { until, checkAt: Math.min(until, now + CHECK_MS) };
  return { ...execution, origin: { kind: 'elsewhere', adoptionHold } };
}
