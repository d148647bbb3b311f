import type { Millis } from '../time.ts';
import type { Execution, StarterNotice } from './execution.ts';

/** The private word to the starter; an execution started elsewhere has none. */
export function dueStarterNotice({ origin }: Execution, now: Millis): StarterNotice {
  return origin.kind === 'elsewhere' ? { status: 'none' } : { status: 'due', tries: 0, notBefore: now };
}

/** Nothing sends this kickoff again, and the starter, who may look at a form that says "Starting…", hears how it went. */
export function closeKickoff(execution: Execution, now: Millis): Execution {
  const starterNotice =
    execution.starterNotice.status === 'none' ? dueStarterNotice(execution, now) : execution.starterNotice;
  return { ...execution, kickoff: { status: 'settled' }, starterNotice };
}
