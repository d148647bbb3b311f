// Records expire after the retention time. An hour before, the cards of the run stop offering texts that will be gone.

import type { Execution } from '../state/execution.ts';
import { postsOf } from '../state/message.ts';
import type { Millis } from '../values/time.ts';

/** Leaves Slack time for the updates if many records expire at once. */
const TELL_BEFORE_MS = 60 * 60_000;

/** Returns when the cards of a run have to show that its texts expire; null if they do already, or none has to. */
export function expiryShownAt(execution: Execution): Millis | null {
  const { expiry } = execution;
  const hasCard = postsOf(execution).some(
    ({ message: { kind }, post }) => kind === 'copy' || (kind === 'card' && post.status === 'posted'),
  );
  return expiry === null || expiry.isTold || !hasCard ? null : expiry.at - TELL_BEFORE_MS;
}

/** Makes the cards show what remains of their texts. */
export function showExpiry(execution: Execution, now: Millis): Execution {
  const at = expiryShownAt(execution);
  if (at === null || now < at || execution.expiry === null) return execution;
  return { ...execution, expiry: { ...execution.expiry, isTold: true } };
}

/** Sets when the record expires; null for never. A record that expires already keeps its time. */
export function withExpiry(execution: Execution, at: Millis | null): Execution {
  if ((execution.expiry === null) === (at === null)) return execution;
  return { ...execution, expiry: at === null ? null : { at, isTold: false } };
}
