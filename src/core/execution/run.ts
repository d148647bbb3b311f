import type { Approval } from '../approval/approval.ts';
import { isInDoubt, isOpen } from '../approval/approval.ts';
import { provenBy, supersede } from '../approval/settle.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { Execution, Run } from './execution.ts';
import { hasEnded } from './execution.ts';
import { firstPollAt } from './poll.ts';
import { closeKickoff } from './starter-notice.ts';

/** So many polls in a row must say "waiting" before the thread says that a request is missing: one may just be on its way. */
const UNSEEN_POLLS = 2;

/** `waiting` while a person or the delivery of a decision is waited for, else `running`; other states stay as they are. */
export function withRunStatus(execution: Execution): Execution {
  const { run } = execution;
  if (run.status !== 'running' && run.status !== 'waiting') return execution;
  const waits = execution.approvals.some(isOpen) || isWaitingUnseen(execution);
  const status = waits ? 'waiting' : 'running';
  return status === run.status ? execution : { ...execution, run: { status } };
}

/** Whether the service says that the run waits for a person although no request has reached us. */
export function isWaitingUnseen({ approvals, poll }: Execution): boolean {
  return poll.waitingUnseen >= UNSEEN_POLLS && !approvals.some(isOpen);
}

/** The run gave a sign of life: it was started, whatever we believed, and nothing may start it again. */
export function revive(execution: Execution, now: Millis): Execution {
  switch (execution.run.status) {
    case 'starting':
    case 'unconfirmed':
    case 'not-started':
    case 'lost':
      return startPolling({ ...withoutDueKickoff(execution, now), run: { status: 'running' } }, now);
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
      return execution;
  }
}

/** Ends the run for good: its open requests are settled, nothing is polled, and the thread is told how it ended. */
export function endRun(
  execution: Execution,
  run: Extract<Run, { status: 'completed' | 'failed' }>,
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  return {
    ...closeKickoff(execution, now),
    run,
    approvals: execution.approvals.map((approval) => closeAtEnd(approval, run.status, now)),
    poll: { ...execution.poll, nextAt: null, waitingUnseen: 0 },
    activity: { ...execution.activity, refreshAt: null },
    ending: execution.unfollowed ? null : duePost(now),
  };
}

/** Starts the polls of a run that was started, unless nobody follows it. */
export function startPolling(execution: Execution, now: Millis): Execution {
  if (execution.unfollowed) return execution;
  const poll = { ...execution.poll, nextAt: firstPollAt(now), count: 0, notFoundSince: null };
  return { ...execution, poll };
}

function withoutDueKickoff(execution: Execution, now: Millis): Execution {
  return execution.kickoff.status === 'due' ? closeKickoff(execution, now) : execution;
}

/** A run that completed took what may have arrived; a decision that was never sent has no one to go to any more. */
function closeAtEnd(approval: Approval, end: 'completed' | 'failed', now: Millis): Approval {
  switch (approval.status) {
    case 'pending':
      return supersede(approval, 'ended', now);
    case 'sending':
      return end === 'completed' ? provenBy(approval, now) : approval;
    case 'decided':
    case 'failed':
      return end === 'completed' && isInDoubt(approval) ? provenBy(approval, now) : supersede(approval, 'ended', now);
    case 'delivered':
    case 'superseded':
      return approval;
  }
}
