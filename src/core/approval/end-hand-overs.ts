import type { Execution } from '../execution/execution.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Millis } from '../time.ts';
import { type Approval, type HandOver, isOpen } from './approval.ts';

/** When the first hand-over of an open request ends; null if none does. */
export function handOverEndsAt({ status, handedOver }: Approval): Millis | null {
  const ends = handedOver.flatMap(({ until }) => (until === null ? [] : [until]));
  return status === 'pending' && ends.length > 0 ? Math.min(...ends) : null;
}

/** Forgets the hand-overs that no longer count, so that nothing shows them any more. */
export function endHandOvers(execution: Execution, now: Millis): Execution {
  return without(execution, ({ until }) => until !== null && until <= now);
}

/**
 * Takes back what a person has handed over for an absence, unless it is to this stand-in until this instant. Null: they are back.
 */
export function takeBack(
  execution: Execution,
  personId: string,
  kept: { to: string; until: Millis } | null,
  now: Millis,
): Execution {
  const isTaken = ({ by, to, until }: HandOver) =>
    by.id === personId && until !== null && !(kept?.to === to.id && kept.until === until);
  const taken = execution.approvals
    .filter(isOpen)
    .flatMap(({ id, handedOver }) =>
      handedOver
        .filter(isTaken)
        .map(({ to, until }) => ({ approval: id, by: personId, to: to.id, ...(until !== null && { until }) })),
    );
  return taken.reduce<Execution>(
    (each, facts) => recordEvent(each, { kind: 'taken-back', at: now, facts }),
    without(execution, isTaken),
  );
}

/** Without the hand-overs of open requests that are over, and what was handed on of them. */
function without(execution: Execution, isOver: (handOver: HandOver) => boolean): Execution {
  const isConcerned = (approval: Approval) => isOpen(approval) && approval.handedOver.some(isOver);
  if (!execution.approvals.some(isConcerned)) return execution;
  const approvals = execution.approvals.map((approval) =>
    isConcerned(approval)
      ? { ...approval, handedOver: withSource(approval.handedOver.filter((each) => !isOver(each))) }
      : approval,
  );
  return { ...execution, approvals };
}

/** Those of people who have a right of their own, or one that still reaches them. */
function withSource(handedOver: readonly HandOver[]): HandOver[] {
  const kept = handedOver.filter((each) => !each.for || handedOver.some(({ to }) => to.id === each.by.id));
  return kept.length === handedOver.length ? kept : withSource(kept);
}
