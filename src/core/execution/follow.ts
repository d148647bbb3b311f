import type { Approval, Person } from '../approval/approval.ts';
import { supersede } from '../approval/settle.ts';
import type { Millis } from '../time.ts';
import type { Execution } from './execution.ts';
import { hasEnded } from './execution.ts';

/**
 * Stops polls, cards and updates; the crew itself may go on. A decision that was made is still delivered, and a run that has
 * ended stays as it is.
 */
export function stopFollowing(execution: Execution, by: Person, now: Millis): Execution {
  if (execution.unfollowed || hasEnded(execution)) return execution;
  return {
    ...execution,
    unfollowed: { by, at: now },
    poll: { ...execution.poll, nextAt: null },
    activity: { ...execution.activity, refreshAt: null },
    approvals: execution.approvals.map((approval) => closeUndecided(approval, now)),
  };
}

function closeUndecided(approval: Approval, now: Millis): Approval {
  return approval.status === 'pending' ? supersede(approval, 'unfollowed', now) : approval;
}
