// What people choose from where a request offers more than approving and rejecting.
import { matches } from './in-force.ts';
import type { Policy } from './policy.ts';

/** The longest name that fits on a button: https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const OUTCOME_LENGTH = 75;

/** The most options that a menu takes: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#static_select */
export const MOST_OUTCOMES = 100;

/** Which verdict an outcome is. Where the policy doesn't say which outcomes approve, all do, since approving takes the most. */
export function verdictOf(outcome: string, { approving }: Pick<Policy, 'approving'>): 'approve' | 'reject' {
  return approving === null || approving.some((pattern) => matches(pattern, outcome)) ? 'approve' : 'reject';
}
