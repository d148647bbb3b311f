// Once a decline can't be undone any more, it closes its request, and nothing in its run waits for people.

import { withRunStatus } from '../execution/run.ts';
import type { Policy } from '../policy/policy.ts';
import { type Approval, mustHear, supersede } from '../state/approval.ts';
import { declineOf, type Execution, findApproval, withApproval } from '../state/execution.ts';
import type { Millis } from '../values/time.ts';

/** What whoever asked receives with a decline; null where the policy has them told nothing, and they needn't hear of it. */
export function lastRejection(
  approval: Pick<Approval, 'destination'>,
  reason: string | null,
  { onDecline }: Pick<Policy, 'onDecline'>,
): string | null {
  switch (mustHear(approval) ? 'reject' : onDecline) {
    case 'close':
      return null;
    case 'reject':
      return reason === null ? LAST_REJECTION : `${LAST_REJECTION}\n\nReason: ${reason}`;
  }
}

const LAST_REJECTION = 'Declined. Don’t try again, and don’t ask again: nothing more will be decided in this run.';

/** Takes effect at the end of its time for undoing, unless the crew is told: then the call that tells it does that. */
export function decline(execution: Execution, approvalId: string, now: Millis): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.status !== 'decided' || approval.decision.text !== null || now < approval.sendAt) return execution;
  return closeDeclined(withApproval(execution, supersede(approval, 'declined', now)), now);
}

/** Where a decline has closed the run, nobody is asked any more about what waits in it, or waited when tracking stopped. */
export function closeDeclined(execution: Execution, now: Millis): Execution {
  if (!declineOf(execution)) return execution;
  const waiting = execution.approvals.filter(isUndecided);
  const closed = waiting.reduce(
    (each, approval): Execution => withApproval(each, supersede(approval, 'declined', now)),
    { ...execution, possibleRepeats: [] },
  );
  return withRunStatus(closed);
}

function isUndecided(approval: Approval): boolean {
  return approval.status === 'pending' || (approval.status === 'superseded' && approval.by === 'unfollowed');
}
