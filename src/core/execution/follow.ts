import type { Approval, Person } from '../approval/approval.ts';
import type { Permission } from '../approval/permission.ts';
import { findPermitted } from '../approval/permission.ts';
import type { Refusal } from '../approval/refusal.ts';
import { supersede } from '../approval/settle.ts';
import type { Result } from '../result.ts';
import { ok } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Execution } from './execution.ts';
import { hasEnded, starterOf } from './execution.ts';

/**
 * Stops polls, cards and updates; the crew itself may go on. A decision that was made is still delivered, and a run that has
 * ended stays as it is. For the person who started the run, and those who may decide one of its requests or any other.
 */
export function stopFollowing(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const allowed = mayStop(execution, { by, now, ...permission });
  if (!allowed.ok) return allowed;
  if (execution.unfollowed || hasEnded(execution)) return ok(execution);
  return ok({
    ...execution,
    unfollowed: { by, at: now },
    poll: { ...execution.poll, nextAt: null },
    activity: { ...execution.activity, refreshAt: null },
    approvals: execution.approvals.map((approval) => closeUndecided(approval, now)),
  });
}

/** The person who started the run, and those who may decide one of its requests or any other. */
export function mayStop(
  execution: Execution,
  { by, ...asked }: Permission & { by: Person; now: Millis },
): Result<null, Refusal> {
  if (starterOf(execution)?.id === by.id) return ok(null);
  const tried = ['', ...execution.approvals.map((approval) => approval.id)].map((approvalId) =>
    findPermitted(execution, approvalId, { personId: by.id, ...asked }),
  );
  const refusals = tried.flatMap((each) => (each.ok || each.refusal.kind === 'unknown' ? [] : [each]));
  const refused = refusals.find(({ refusal }) => refusal.kind === 'facts-needed') ?? refusals[0];
  return refusals.length < tried.length || !refused ? ok(null) : refused;
}

function closeUndecided(approval: Approval, now: Millis): Approval {
  return approval.status === 'pending' ? supersede(approval, 'unfollowed', now) : approval;
}
