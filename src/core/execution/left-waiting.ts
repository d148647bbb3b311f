import type { Approval } from '../approval/approval.ts';
import { type Execution, hasEnded } from './execution.ts';

/**
 * The request that was open when tracking stopped: as far as we know, the crew still waits for its answer.
 * Null if the run is tracked, has ended, or waited for nobody.
 */
export function leftWaiting(execution: Execution): Approval | null {
  if (!execution.unfollowed || hasEnded(execution)) return null;
  return execution.approvals.findLast(wasClosedByStop) ?? null;
}

function wasClosedByStop(approval: Approval): boolean {
  return approval.status === 'superseded' && approval.by === 'unfollowed';
}
