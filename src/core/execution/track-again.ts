import type { Approval, Person } from '../approval/approval.ts';
import type { Permission } from '../approval/permission.ts';
import type { Refusal } from '../approval/refusal.ts';
import { askedPart } from '../approval/settle.ts';
import type { Times } from '../approval/times.ts';
import type { Result } from '../result.ts';
import { ok } from '../result.ts';
import type { Millis } from '../time.ts';
import { type Execution, hasEnded } from './execution.ts';
import { mayStop } from './follow.ts';
import { startPolling, withRunStatus } from './run.ts';

/**
 * Takes a stop back while the run lives: it is polled and told of again, and the requests that the stop closed wait as before,
 * with their votes, and with the time that they had left. For those who may stop it; a run that is tracked or has ended stays as
 * it is.
 */
export function trackAgain(
  execution: Execution,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const allowed = mayStop(execution, { by, now, ...permission });
  if (!allowed.ok) return allowed;
  if (!execution.unfollowed || hasEnded(execution)) return ok(execution);
  const tracked = { ...execution, unfollowed: null, approvals: execution.approvals.map((each) => reopen(each, now)) };
  return ok(withRunStatus(isPolled(execution) ? startPolling(tracked, now) : tracked));
}

/** A start that isn't confirmed has no id to ask for. */
function isPolled({ run }: Execution): boolean {
  return run.status === 'running' || run.status === 'waiting' || run.status === 'lost';
}

function reopen(approval: Approval, now: Millis): Approval {
  if (approval.status !== 'superseded' || approval.by !== 'unfollowed') return approval;
  const asked = askedPart(approval);
  const alerts = asked.alerts.filter(({ post }) => post.status !== 'due');
  return { ...asked, alerts, times: laterBy(now - approval.supersededAt, asked.times), status: 'pending' };
}

/** Nobody could decide meanwhile, so that the clocks stood still. */
function laterBy(ms: Millis, times: Times): Times {
  const later = (at: Millis | null) => (at === null ? null : at + ms);
  const { remindAt, escalateAt, expireAt } = times;
  return { ...times, remindAt: later(remindAt), escalateAt: later(escalateAt), expireAt: later(expireAt) };
}
