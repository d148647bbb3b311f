// Outcomes are what people choose from where a request offers more than approving and rejecting.
import { matches } from './in-force.ts';
import type { Policy } from './policy.ts';

/** The longest name that fits on a button: https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const OUTCOME_LENGTH = 75;

/** The most options that a menu takes: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#static_select */
export const MOST_OUTCOMES = 100;

/** Returns the verdict that an outcome stands for. Unless the policy says which outcomes approve, all do: approving takes the most. */
export function verdictOf(outcome: string, { approving }: Pick<Policy, 'approving'>): 'approve' | 'reject' {
  return approving === null || approving.some((pattern) => matches(pattern, outcome)) ? 'approve' : 'reject';
}

/** Returns the verdict that an outcome stands for: an approval if it is one by any of the possible rules. */
export function verdictUnder(outcome: string, policies: readonly Policy[]): 'approve' | 'reject' {
  return policies.some((policy) => verdictOf(outcome, policy) === 'approve') ? 'approve' : 'reject';
}
