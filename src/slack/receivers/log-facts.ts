import type { Refusal } from '../../core/policy/refusal.ts';
import type { Verdict } from '../../core/state/approval.ts';

/** What the one log line about a request names: ids, and names that are ours. Never what people or crews wrote. */
export interface LogFacts {
  /** The id of the person. */
  by: string;
  /** The button, modal or command that they used. */
  pressed: string;
  ref: string;
  approvalId: string;
  crew: string;
  action: string;
  verdict: Verdict;
  /** What became of the request for human input, or whether a start was stored. */
  status: string;
  refusal: Refusal['kind'];
  denial: string;
}

/** Adds to the log line of a request; what is undefined stays as it was. */
export type AddToLog = (facts: { [Name in keyof LogFacts]?: LogFacts[Name] | undefined }) => void;
