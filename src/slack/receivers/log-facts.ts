import type { Refusal } from '../../core/policy/refusal.ts';
import type { Verdict } from '../../core/state/request.ts';

/** Facts in the one log line about a request: ids, and names that are ours. Never text that people or crews wrote. */
export interface LogFacts {
  by: string;
  pressed: string;
  ref: string;
  approvalId: string;
  crew: string;
  action: string;
  verdict: Verdict;
  /** The new status of the request for human input, or the result of storing a start. */
  status: string;
  refusal: Refusal['kind'];
  denial: string;
}

/** Adds facts to the log line of a request. An undefined fact changes nothing. */
export type AddToLog = (facts: { [Name in keyof LogFacts]?: LogFacts[Name] | undefined }) => void;
