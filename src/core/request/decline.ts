// Declines: the text for the program or crew, and closing the run's requests once a decline can no longer be undone.

import { withRunStatus } from '../execution/run.ts';
import type { Policy } from '../policy/policy.ts';
import { declineOf, type Execution, findRequest, withRequest } from '../state/execution.ts';
import { type HumanRequest, needsAnswer, type Question, supersede } from '../state/request.ts';
import type { Millis } from '../values/time.ts';

/** Returns the text that the program or crew receives with a decline; null if the policy sends nothing and no answer is needed. */
export function lastRejection(
  approval: Pick<Question, 'destination'>,
  reason: string | null,
  { onDecline }: Pick<Policy, 'onDecline'>,
): string | null {
  if (onDecline === 'close' && !needsAnswer(approval)) return null;
  return reason === null ? LAST_REJECTION : `${LAST_REJECTION}\n\nReason: ${reason}`;
}

const LAST_REJECTION = 'Declined. Don’t try again, and don’t ask again: nothing more will be decided in this run.';

/** Closes a declined request once it can't be undone. If the crew is told, the claim of that call closes it instead. */
export function decline(execution: Execution, approvalId: string, now: Millis): Execution {
  const request = findRequest(execution, approvalId);
  if (request?.state.status !== 'decided' || request.state.decision.text !== null || now < request.state.sendAt)
    return execution;
  return closeDeclined(withRequest(execution, supersede(request, 'declined', now)), now);
}

/** Closes all requests of a declined run that wait, or waited when tracking stopped. */
export function closeDeclined(execution: Execution, now: Millis): Execution {
  if (!declineOf(execution)) return execution;
  const requests = execution.requests.map((each) => (isUndecided(each) ? supersede(each, 'declined', now) : each));
  return withRunStatus({ ...execution, requests, possibleRepeats: [] });
}

function isUndecided(request: HumanRequest): boolean {
  return (
    request.state.status === 'pending' || (request.state.status === 'superseded' && request.state.by === 'unfollowed')
  );
}
