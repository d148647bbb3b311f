// When something happens to a request by itself: reminders, the escalation and the expiry, as its rules plan them.

import { rulesDocument } from '../policy/document.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import type { Policy } from '../policy/policy.ts';
import { stagesBefore } from '../policy/progress.ts';
import type { RequestRules } from '../policy/rules.ts';
import { canRunShort } from '../policy/shortage.ts';
import type { Approval, Times } from '../state/approval.ts';
import { fingerprint } from '../values/text.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import { afterWorkingTime, type WorkingHours } from '../values/working-hours.ts';

/** The request with its times as its rules plan them; the same object if they do already, or no rules are known. */
export function underRules<Each extends Approval>({ request, policies, hours }: RequestRules<Each>): Each {
  if (policies.length === 0) return request;
  const planned = planTimes(request, { policies, hours });
  return planned === request.times ? request : { ...request, times: planned };
}

interface Planning {
  policies: readonly PossibleRules[];
  hours: WorkingHours | null;
}

/**
 * What happens to a request by itself, counted from the moment that its clocks began, as if these rules had always been in force. The
 * clocks stop outside the working hours. What has happened stays; the same object if the times follow these rules already. Of several
 * rules, the earliest reminder counts and the latest expiry; each has an escalation of its own.
 */
export function planTimes(
  request: Pick<Approval, 'times' | 'stages' | 'askedAt' | 'limitMs'>,
  { policies, hours }: Planning,
): Times {
  const { times, askedAt, limitMs } = request;
  const rules = fingerprint([policies.map((policy) => [policy.place, rulesDocument(policy)]), hours?.text]);
  if (times.rules === rules) return times;
  const plans = policies.map((policy) => planOf(request, policy, hours));
  return {
    ...times,
    rules,
    remindAt: earliest(plans.map(({ remindAt }) => remindAt)),
    escalateAt: earliest(plans.map(({ escalateAt }) => escalateAt)),
    lookAt: canRunShort(policies) ? askedAt : null,
    expireAt: earliest([latest(plans.map(({ expireAt }) => expireAt)), limitMs === null ? null : askedAt + limitMs]),
  };
}

/** What one of the rules plans, apart from what has happened. */
function planOf(
  request: Pick<Approval, 'times' | 'stages' | 'askedAt'>,
  policy: PossibleRules,
  hours: WorkingHours | null,
): Pick<Times, 'remindAt' | 'escalateAt' | 'expireAt'> {
  const { times } = request;
  const begunAt = beganAt(request, policy);
  const after = (ms: Millis | null) => (ms === null ? null : afterWorkingTime(begunAt, ms, hours));
  let remindAt: Millis | null = begunAt;
  for (let reminders = 0; reminders <= times.reminders && remindAt !== null; reminders++)
    remindAt = nextReminderAt(policy, { reminders, now: remindAt, hours });
  return {
    remindAt,
    escalateAt: policy.isEscalated ? null : after(policy.escalateAfterMs),
    expireAt: after(policy.expireAfterMs),
  };
}

/** Since when the clocks of the stage that is open by these rules run. */
function beganAt(
  { times, stages, askedAt }: Pick<Approval, 'times' | 'stages' | 'askedAt'>,
  policy: PossibleRules,
): Millis {
  const completed = stagesBefore(stages, policy).map(({ at }) => at);
  return Math.max(times.countedFrom ?? askedAt, ...completed);
}

/** When the next of the rules by which a request wasn't escalated yet escalates it. */
export function nextEscalationAt({ request, policies, hours }: RequestRules): Millis | null {
  return earliest(policies.map((policy) => planOf(request, policy, hours).escalateAt));
}

/** The rules by which a request is due to be escalated. */
export function escalatingRules({ request, policies, hours }: RequestRules, now: Millis): PossibleRules[] {
  return policies.filter((policy) => {
    const { escalateAt } = planOf(request, policy, hours);
    return escalateAt !== null && escalateAt <= now;
  });
}

/** Null is never. */
export function earliest(instants: readonly (Millis | null)[]): Millis | null {
  const known = instants.filter((each) => each !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Null is never, which is later than everything. */
function latest(instants: readonly (Millis | null)[]): Millis | null {
  const known = instants.filter((each) => each !== null);
  return known.length < instants.length ? null : Math.max(...known);
}

/** The clocks run anew from now on, and the times have yet to be planned. */
export function restartTimes(times: Times, now: Millis): Times {
  return { ...times, rules: '', countedFrom: now, reminders: 0 };
}

/** When to remind again after this number of reminders: at intervals that double, but at least daily. Null if the policy has none. */
export function nextReminderAt(
  { remindAfterMs }: Pick<Policy, 'remindAfterMs'>,
  { reminders, now, hours }: { reminders: number; now: Millis; hours: WorkingHours | null },
): Millis | null {
  if (remindAfterMs === null) return null;
  const intervalMs = Math.min(remindAfterMs * 2 ** Math.min(reminders, 30), Math.max(DAY_MS, remindAfterMs));
  return afterWorkingTime(now, intervalMs, hours);
}
