import type { Execution } from '../execution/execution.ts';
import { withApproval } from '../execution/execution.ts';
import type { Approval } from './approval.ts';
import { policyFor } from './policy/policy.ts';
import type { CrewRules } from './request.ts';
import { planTimes } from './times.ts';

/**
 * The requests that wait follow these rules from now on: their times are planned by them, and their cards are due for an update.
 * Returns the same execution if they do already.
 */
export function followRules(execution: Execution, rules: CrewRules): Execution {
  const waiting = execution.approvals.filter(({ status }) => status === 'pending');
  return waiting.reduce((each, approval) => withApproval(each, underRules(approval, rules)), execution);
}

/** One request with its times as these rules plan them; the same object if they do already. */
export function underRules<Each extends Approval>(approval: Each, { policy, hours }: CrewRules): Each {
  const { times, askedAt } = approval;
  const planned = planTimes(times, { policy: policyFor(policy, approval), hours, askedAt });
  return planned === times ? approval : { ...approval, times: planned };
}
