import type { Execution } from '../state/execution.ts';
import { postsOf } from '../state/message.ts';
import type { Millis } from '../values/time.ts';

/** How long before a record expires its cards say so, which takes Slack a while where many do at once. */
const TELL_BEFORE_MS = 60 * 60_000;

/** When the cards of a run are to say that its texts expire; null if they do, or none has to. */
export function expiryToldAt(execution: Execution): Millis | null {
  const { expiry } = execution;
  const hasCard = postsOf(execution).some(
    ({ message: { kind }, post }) => kind === 'copy' || (kind === 'card' && post.status === 'posted'),
  );
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
