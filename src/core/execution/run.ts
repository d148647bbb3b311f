import type { Approval } from '../approval/approval.ts';
import { isInDoubt, isOpen } from '../approval/approval.ts';
import { provenBy, supersede } from '../approval/settle.ts';
import { duePost } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { Execution, Run, StarterNotice } from './execution.ts';
import { hasEnded } from './execution.ts';
import { firstPollAt } from './poll-schedule.ts';
import { hastenReplies, withoutReply } from './task-replies.ts';

/** Number of consecutive polls that must say "waiting" before the thread reports a missing request: it may be on its way. */
const UNSEEN_POLLS = 2;

/** `waiting` while an approval is open, otherwise `running`; other states stay as they are. */
export function withRunStatus(execution: Execution): Execution {
  const { run } = execution;
  if (run.status !== 'running' && run.status !== 'waiting') return execution;
  const waits = execution.approvals.some(isOpen) || isWaitingUnseen(execution);
  const status = waits ? 'waiting' : 'running';
  return status === run.status ? execution : { ...execution, run: { status } };
}

/** Whether the service says that the run waits for a person, although no request has reached us. */
export function isWaitingUnseen({ approvals, poll }: Execution): boolean {
  return poll.waitingUnseen >= UNSEEN_POLLS && !approvals.some(isOpen);
}

/** The run is alive: whatever we believed, it has started, and nothing may start it again. */
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

/** Ends the run for good: open requests are settled, polling stops, and the thread is told how it ended. */
export function endRun(
  execution: Execution,
  run: Extract<Run, { status: 'completed' | 'failed' }>,
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const result = run.status === 'completed' ? run.result : null;
  const tasks = result ? withoutReply(execution.tasks, result) : execution.tasks;
  return {
    ...closeKickoff(execution, now),
    run,
    approvals: execution.approvals.map((approval) => closeAtEnd(approval, run.status, now)),
    tasks: hastenReplies(tasks, now),
    poll: { ...execution.poll, nextAt: null, waitingUnseen: 0 },
    activity: { ...execution.activity, refreshAt: null },
    ending: execution.unfollowed ? null : duePost(now),
  };
}

/** Starts polling a run, unless following was stopped. */
export function startPolling(execution: Execution, now: Millis): Execution {
  if (execution.unfollowed) return execution;
  const poll = { ...execution.poll, nextAt: firstPollAt(now), count: 0, notFoundSince: null };
  return { ...execution, poll };
}

/** So long Slack takes the outcome of a start as the answer to the request that made it, and no notice is needed. */
const ANSWER_MS = 3_000;

/** The private message to the starter about the start; an execution started elsewhere has none. */
export function dueStarterNotice({ origin, createdAt }: Execution, now: Millis): StarterNotice {
  if (origin.kind === 'elsewhere') return { status: 'none' };
  return { status: 'due', tries: 0, notBefore: Math.max(now, createdAt + ANSWER_MS) };
}

/** Ensures that the kickoff is never sent again, and that the starter, whose form may say "Starting…", is told. */
export function closeKickoff(execution: Execution, now: Millis): Execution {
  const { starterNotice } = execution;
  const told = starterNotice.status === 'none' ? dueStarterNotice(execution, now) : starterNotice;
  return { ...execution, kickoff: { status: 'settled' }, starterNotice: told };
}

function withoutDueKickoff(execution: Execution, now: Millis): Execution {
  return execution.kickoff.status === 'due' ? closeKickoff(execution, now) : execution;
}

/** A run that completed has taken whatever may have arrived; a decision that was never sent is superseded. */
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
    case 'expired':
      return approval;
  }
}
