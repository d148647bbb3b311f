import type { Approval } from './approval.ts';
import { policyFor } from './policy/policy.ts';
import type { CrewRules } from './request.ts';
import { planTimes } from './times.ts';

/** One request with its times as these rules plan them; the same object if they do already. */
export function underRules<Each extends Approval>(approval: Each, { policy, hours }: CrewRules): Each {
  const { times, askedAt } = approval;
  const planned = planTimes(times, { policy: policyFor(policy, approval), hours, askedAt });
  return planned === times ? approval : { ...approval, times: planned };
}
