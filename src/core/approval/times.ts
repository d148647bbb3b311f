import { fingerprint } from '../text.ts';
import type { Millis } from '../time.ts';
import { afterWorkingTime, type WorkingHours } from '../working-hours.ts';
import { rulesDocument } from './policy/document.ts';
import type { Policy } from './policy/policy.ts';

const DAY_MS = 24 * 60 * 60_000;

/** When something happens to a request by itself; null for never. */
export interface Times {
  /** Names the rules by which they were planned; '' if that isn't known. */
  rules: string;
  /** Since when the clocks run; null for since the request was asked. */
  countedFrom: Millis | null;
  remindAt: Millis | null;
  /** How many reminders there were. */
  reminders: number;
  escalateAt: Millis | null;
  escalatedAt: Millis | null;
  expireAt: Millis | null;
  /** When a person last asked those who may decide. */
  askedAgainAt: Millis | null;
}

/** By no rules: nothing happens by itself, and nothing has. */
export const NO_TIMES: Times = {
  rules: '',
  countedFrom: null,
  remindAt: null,
  reminders: 0,
  escalateAt: null,
  escalatedAt: null,
  expireAt: null,
  askedAgainAt: null,
};

interface Planning {
  policy: Policy;
  hours: WorkingHours | null;
  askedAt: Millis;
}

/**
 * What happens to a request by itself, counted from the moment that its clocks began, as if these rules had always been in force. The
 * clocks stop outside the working hours. What has happened stays; the same object if the times follow these rules already.
 */
export function planTimes(times: Times, { policy, hours, askedAt }: Planning): Times {
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
    expireAt: after(policy.expireAfterMs),
  };
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
