import type { Post } from '../messages/post.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { Approval, Decision } from './approval.ts';

type Closed = Extract<Approval, { status: 'superseded' }>;
type Undelivered = Extract<Approval, { status: 'decided' | 'sending' | 'failed' }>;

/** The part of a request that no decision and no delivery changes. */
export function askedPart(approval: Approval) {
  const { id, taskId, taskName, round, output, hop, kickoffId, askedAt, repeatsRound, card, copies, followUp, file } =
    approval;
  const { votes, takenBack, handedOver, alerts, mentioned, directMessages, keepsText, times, isInLedger } = approval;
  return {
    ...{ id, taskId, taskName, round, output, hop, kickoffId, askedAt, repeatsRound, card, copies, followUp, file },
    ...{ votes, takenBack, handedOver, alerts, mentioned, directMessages, keepsText, times, isInLedger },
  };
}

/** The request is void. A decision that was made stays on it, although the crew was not told. */
export function supersede(approval: Approval, by: Closed['by'], now: Millis): Closed {
  const decision = 'decision' in approval ? approval.decision : null;
  return { ...askedPart(approval), status: 'superseded', decision, by, supersededAt: now };
}

/** The file of a text: once its approval has arrived, a text that is to be kept gets one, unless it is empty or has one for its length. */
export function fileOfDelivered(
  { file, keepsText, output }: Approval,
  { verdict }: Decision,
  now: Millis,
): Post | null {
  return file === null && keepsText && verdict === 'approve' && output.length > 0 ? duePost(now) : file;
}

/** The decision arrived, as a later event shows, whatever the call itself said. */
export function provenBy(approval: Undelivered, now: Millis): Approval {
  return {
    ...askedPart(approval),
    file: fileOfDelivered(approval, approval.decision, now),
    status: 'delivered',
    decision: approval.decision,
    proof: 'evidence',
    resumedAs: null,
    deliveredAt: now,
  };
}
