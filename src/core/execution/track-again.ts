import type { Approval, Person } from '../approval/approval.ts';
import type { Permission } from '../approval/permission.ts';
import type { Refusal } from '../approval/refusal.ts';
import { askedPart } from '../approval/settle.ts';
import type { Result } from '../result.ts';
import { ok } from '../result.ts';
import type { Millis } from '../time.ts';
import { type Execution, hasEnded } from './execution.ts';
import { mayStop } from './follow.ts';
import { startPolling, withRunStatus } from './run.ts';

/**
 * Takes a stop back while the run lives: it is polled and told of again, and the requests that the stop closed wait as before,
 * with their votes and times, so that one may expire at once. For those who may stop it; a run that is tracked or has ended
 * stays as it is.
 */
export function trackAgain(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const allowed = mayStop(execution, by, permission);
  if (!allowed.ok) return allowed;
  if (!execution.unfollowed || hasEnded(execution)) return ok(execution);
  const tracked = { ...execution, unfollowed: null, approvals: execution.approvals.map(reopen) };
  return ok(withRunStatus(startPolling(tracked, now)));
}

function reopen(approval: Approval): Approval {
  const isClosedByStop = approval.status === 'superseded' && approval.by === 'unfollowed';
  return isClosedByStop ? { ...askedPart(approval), status: 'pending' } : approval;
}
