import { checkResume } from './approval/resume.ts';
import type { ClaimCheck, Claimed } from './claim.ts';
import type { Execution } from './execution/execution.ts';
import { checkKickoff } from './execution/kickoff.ts';
import { messagesOf, postOf, withPost } from './messages/message.ts';
import { checkPosting } from './messages/post.ts';
import type { Millis } from './time.ts';

/** Ends every claim whose call can no longer be answered. */
export function checkClaims(execution: Execution, check: ClaimCheck): Execution {
  const resumed = execution.approvals.reduce((each, approval) => checkResume(each, approval, check), execution);
  return messagesOf(resumed).reduce(
    (each, message) => withPost(each, message, (post) => checkPosting(post, check)),
    checkKickoff(resumed, check),
  );
}

/** The processes of which `checkClaims` has to know now whether they are gone. */
export function claimingProcesses(execution: Execution, now: Millis): string[] {
  const due = claimsOf(execution).flatMap(({ claim, until }) =>
    claim && claim.checkAt <= now && now < until ? [claim.by] : [],
  );
  return [...new Set(due)];
}

/** Every call that is claimed, or that may still be proven after its answer said nothing. */
export function claimsOf(execution: Execution): Claimed[] {
  const posts = messagesOf(execution).map((message) => postOf(execution, message));
  return [execution.kickoff, ...execution.approvals, ...posts].flatMap((each) =>
    each && 'claim' in each ? [each] : [],
  );
}
