import type { Execution } from '../execution/execution.ts';
import { withApproval } from '../execution/execution.ts';
import { missCrew } from '../execution/missing-crew.ts';
import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';
import type { CrewRules } from './crew-rules.ts';
import { underRules } from './crew-rules.ts';
import { nameRequests } from './name-task.ts';
import { NO_FACTS } from './policy/facts.ts';
import { restartTimes } from './times.ts';

/**
 * The requests that wait follow these rules from now on: their times are planned by them, and their cards are due for an update.
 * Without a policy, the run waits until its crew is known again, and goes on then. Returns the same execution if nothing changes.
 */
export function followRules(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null) return missCrew(execution, now);
  const regained = execution.missingCrew === null ? execution : regainCrew(execution, now);
  const known = nameRequests(regained, { rules, facts: NO_FACTS }, now);
  const waiting = known.approvals.filter(isPending);
  return waiting.reduce((each, approval) => withApproval(each, underRules(approval, rules)), known);
}

/** What was kept is due at once. Meanwhile nobody could decide, and nobody asked the crew how it goes. */
function regainCrew(execution: Execution, now: Millis): Execution {
  const approvals = execution.approvals.map((each) =>
    isPending(each) ? { ...each, times: restartTimes(each.times, now) } : each,
  );
  return { ...execution, missingCrew: null, approvals, poll: { ...execution.poll, notFoundSince: null } };
}

function isPending({ status }: Approval): boolean {
  return status === 'pending';
}
