import type { Millis } from '../time.ts';
import type { Execution, Notice } from './execution.ts';

/** The private word to the starter; an execution started elsewhere has none. */
export function owedNotice({ origin }: Execution, now: Millis): Notice {
  return origin.kind === 'elsewhere' ? { status: 'none' } : { status: 'owed', tries: 0, notBefore: now };
}

/** Nothing sends this kickoff again, and the starter, who may look at a form that says "Starting…", hears how it went. */
export function closeKickoff(execution: Execution, now: Millis): Execution {
  const notice = execution.notice.status === 'none' ? owedNotice(execution, now) : execution.notice;
  return { ...execution, kickoff: { status: 'settled' }, notice };
}
