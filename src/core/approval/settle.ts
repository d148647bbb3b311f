import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';

type Closed = Extract<Approval, { status: 'superseded' }>;
type Undelivered = Extract<Approval, { status: 'decided' | 'sending' | 'failed' }>;

/** The part of a request that no decision and no delivery changes. */
export function askedPart(approval: Approval) {
  const { id, taskId, taskName, round, output, hop, kickoffId, askedAt, repeatsRound, card, copies, file } = approval;
  const { votes, takenBack, handedOver, alerts, mentioned, directMessages, keepsText, times, isInLedger } = approval;
  return {
    ...{ id, taskId, taskName, round, output, hop, kickoffId, askedAt, repeatsRound, card, copies, file },
    ...{ votes, takenBack, handedOver, alerts, mentioned, directMessages, keepsText, times, isInLedger },
  };
}

/** The request is void. A decision that was made stays on it, although the crew was not told. */
export function supersede(approval: Approval, by: Closed['by'], now: Millis): Closed {
  const decision = 'decision' in approval ? approval.decision : null;
  return { ...askedPart(approval), status: 'superseded', decision, by, supersededAt: now };
}

/** The decision arrived, as a later event shows, whatever the call itself said. */
export function provenBy(approval: Undelivered, now: Millis): Approval {
  return {
    ...askedPart(approval),
    status: 'delivered',
    decision: approval.decision,
    proof: 'evidence',
    resumedAs: null,
    deliveredAt: now,
  };
}
