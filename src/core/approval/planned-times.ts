// When something happens to a request by itself: reminders, the escalation and the expiry, as its rules plan them.

import { rulesDocument } from '../policy/document.ts';
import type { Policy } from '../policy/policy.ts';
import type { RequestRules } from '../policy/rules.ts';
import type { Approval, Times } from '../state/approval.ts';
import { fingerprint } from '../values/text.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import { afterWorkingTime, type WorkingHours } from '../values/working-hours.ts';

/** The request with its times as its rules plan them; the same object if they do already, or no rules are known. */
export function underRules<Each extends Approval>({ request, policies: [policy], hours }: RequestRules<Each>): Each {
  if (policy === undefined) return request;
  const { times, askedAt, limitMs } = request;
  const planned = planTimes(times, { policy, hours, askedAt, limitMs });
  return planned === times ? request : { ...request, times: planned };
}

interface Planning {
  policy: Policy;
  hours: WorkingHours | null;
  askedAt: Millis;
  /** For how long whoever asked waits; null if they don't say. */
  limitMs?: Millis | null;
}

/**
 * What happens to a request by itself, counted from the moment that its clocks began, as if these rules had always been in force. The
 * clocks stop outside the working hours. What has happened stays; the same object if the times follow these rules already.
 */
export function planTimes(times: Times, { policy, hours, askedAt, limitMs = null }: Planning): Times {
  const rules = fingerprint([rulesDocument(policy), hours?.text]);
  if (times.rules === rules) return times;
  const begunAt = times.countedFrom ?? askedAt;
  const after = (ms: Millis | null) => (ms === null ? null : afterWorkingTime(begunAt, ms, hours));
  let remindAt: Millis | null = begunAt;
  for (let reminders = 0; reminders <= times.reminders && remindAt !== null; reminders++)
    remindAt = nextReminderAt(policy, { reminders, now: remindAt, hours });
  return {
    ...times,
    rules,
    remindAt,
    escalateAt: times.escalatedAt === null ? after(policy.escalateAfterMs) : null,
    expireAt: earlier(after(policy.expireAfterMs), limitMs === null ? null : askedAt + limitMs),
  };
}

/** Null is never. */
function earlier(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The clocks run anew from now on, and the times have yet to be planned. */
export function restartTimes(times: Times, now: Millis): Times {
  return { ...times, rules: '', countedFrom: now, reminders: 0 };
}

/** When to remind again after this number of reminders: at intervals that double, but at least daily. Null if the policy has none. */
export function nextReminderAt(
  { remindAfterMs }: Policy,
  { reminders, now, hours }: { reminders: number; now: Millis; hours: WorkingHours | null },
): Millis | null {
  if (remindAfterMs === null) return null;
  const intervalMs = Math.min(remindAfterMs * 2 ** Math.min(reminders, 30), Math.max(DAY_MS, remindAfterMs));
  return afterWorkingTime(now, intervalMs, hours);
}
