import type { Millis } from '../time.ts';
import type { WorkingHours } from '../working-hours.ts';
import { afterWorkingTime } from '../working-hours.ts';
import type { Times } from './approval.ts';
import type { Policy } from './policy/policy.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What happens to a request by itself, counted from the moment it was asked. The clocks stop outside the working hours. */
export function planTimes(policy: Policy, askedAt: Millis, hours: WorkingHours | null): Times {
  const after = (ms: Millis | null) => (ms === null ? null : afterWorkingTime(askedAt, ms, hours));
  return {
    remindAt: after(policy.remindAfterMs),
    reminders: 0,
    escalateAt: after(policy.escalateAfterMs),
    escalatedAt: null,
    expireAt: after(policy.expireAfterMs),
    askedAgainAt: null,
  };
}

/** When to remind again after this number of reminders: at intervals that double, but at least daily. Null once the policy has none. */
export function nextReminderAt(
  { remindAfterMs }: Policy,
  { reminders, now, hours }: { reminders: number; now: Millis; hours: WorkingHours | null },
): Millis | null {
  if (remindAfterMs === null) return null;
  const intervalMs = Math.min(remindAfterMs * 2 ** Math.min(reminders, 30), Math.max(DAY_MS, remindAfterMs));
  return afterWorkingTime(now, intervalMs, hours);
}
