// What people choose from where a request offers more than approving and rejecting.
import { matches } from './policy/in-force.ts';
import type { Policy } from './policy/policy.ts';

/** Which verdict an outcome is. Where the policy doesn't say which outcomes approve, all do, since approving takes the most. */
export function verdictOf(outcome: string, { approving }: Pick<Policy, 'approving'>): 'approve' | 'reject' {
  return approving === null || approving.some((pattern) => matches(pattern, outcome)) ? 'approve' : 'reject';
}
