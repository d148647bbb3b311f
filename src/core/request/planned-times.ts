// Plans when something happens to a request by itself: reminders, the escalation and the expiry. `timers.ts` carries it out.

import { rulesDocument } from '../policy/document.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import type { Policy } from '../policy/policy.ts';
import { stagesBefore } from '../policy/progress.ts';
import type { RequestRules } from '../policy/rules.ts';
import { canRunShort } from '../policy/shortage.ts';
import type { HumanRequest, Times } from '../state/request.ts';
import { fingerprint } from '../values/text.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import { afterWorkingTime, type WorkingHours } from '../values/working-hours.ts';

/** Plans the times of a request by its rules. Returns the same object if nothing changes, or the crew isn't configured. */
export function underRules<Each extends HumanRequest>({ request, policies, hours }: RequestRules<Each>): Each {
  if (policies.length === 0) return request;
  const planned = planTimes(request, { policies, hours });
  return planned === request.discussion.times
    ? request
    : { ...request, discussion: { ...request.discussion, times: planned } };
}

interface Planning {
  policies: readonly PossibleRules[];
  hours: WorkingHours | null;
}

/**
 * Plans times from the moment when the clocks began, as if these rules had always been in force. The clocks stop outside the working
 * hours. Reminders and escalations that have happened stay. Among several rules, the earliest reminder and the latest expiry count,
 * and each has its own escalation. Returns the same object if the times follow these rules already.
 */
export function planTimes(
  request: Pick<HumanRequest, 'discussion' | 'question'>,
  { policies, hours }: Planning,
): Times {
  const { askedAt, limitMs } = request.question;
  const { times } = request.discussion;
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

/** Returns the times that one of the rules plans. An escalation or reminder that has happened is not planned again. */
function planOf(
  request: Pick<HumanRequest, 'discussion' | 'question'>,
  policy: PossibleRules,
  hours: WorkingHours | null,
): Pick<Times, 'remindAt' | 'escalateAt' | 'expireAt'> {
  const { times } = request.discussion;
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

/** Returns when the clocks of the open stage began. */
function beganAt(
  { question: { askedAt }, discussion: { times, stages } }: Pick<HumanRequest, 'discussion' | 'question'>,
  policy: PossibleRules,
): Millis {
  const completed = stagesBefore(stages, policy).map(({ at }) => at);
  return Math.max(times.countedFrom ?? askedAt, ...completed);
}

/** Returns when the next of the rules escalates a request; null if none does. */
export function nextEscalationAt({ request, policies, hours }: RequestRules): Millis | null {
  return earliest(policies.map((policy) => planOf(request, policy, hours).escalateAt));
}

/** Returns the rules whose time to escalate the request has come. */
export function escalatingRules({ request, policies, hours }: RequestRules, now: Millis): PossibleRules[] {
  return policies.filter((policy) => {
    const { escalateAt } = planOf(request, policy, hours);
    return escalateAt !== null && escalateAt <= now;
  });
}

/** Returns the earliest of these times; null stands for never. */
export function earliest(instants: readonly (Millis | null)[]): Millis | null {
  const set = instants.filter((each) => each !== null);
  return set.length === 0 ? null : Math.min(...set);
}

/** Returns the latest of these times; null stands for never, which is later than everything. */
function latest(instants: readonly (Millis | null)[]): Millis | null {
  const set = instants.filter((each) => each !== null);
  return set.length < instants.length ? null : Math.max(...set);
}

/** Restarts the clocks. The times have yet to be planned. */
export function restartTimes(times: Times, now: Millis): Times {
  return { ...times, rules: '', countedFrom: now, reminders: 0 };
}

/** Returns when to remind again after this many reminders: the intervals double, up to a day. Null if the policy has no reminders. */
export function nextReminderAt(
  { remindAfterMs }: Pick<Policy, 'remindAfterMs'>,
  { reminders, now, hours }: { reminders: number; now: Millis; hours: WorkingHours | null },
): Millis | null {
  if (remindAfterMs === null) return null;
  const intervalMs = Math.min(remindAfterMs * 2 ** Math.min(reminders, 30), Math.max(DAY_MS, remindAfterMs));
  return afterWorkingTime(now, intervalMs, hours);
}
