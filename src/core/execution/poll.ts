import { isOpen } from '../approval/approval.ts';
import type { Millis } from '../time.ts';
import type { StatusReading } from './events.ts';
import type { Execution } from './execution.ts';
import { giveUpLost, recordNotFound } from './lost.ts';
import { nextPoll } from './poll-schedule.ts';
import { endRun, revive, withRunStatus } from './run.ts';

/** Schedules the next poll before this one is made: if the process dies, the poll is simply made at the next time. */
export function claimPoll(execution: Execution, now: Millis): Execution {
  const { nextAt } = execution.poll;
  return nextAt === null || now < nextAt ? execution : { ...execution, poll: nextPoll(execution, now) };
}

/** Records what a poll found. A run that is no longer polled is revived only by a notification. */
export function recordStatus(execution: Execution, reading: StatusReading, now: Millis): Execution {
  if (execution.poll.nextAt === null) return execution;
  const polled = giveUpLost({ ...execution, poll: { ...execution.poll, trouble: null } }, now);
  switch (reading.kind) {
    case 'running':
    case 'waiting':
      return recordAlive(revive(polled, now), reading);
    case 'completed':
      return endRun(polled, { status: 'completed', result: reading.result, endedAt: now }, now);
    case 'failed':
      return endRun(polled, { status: 'failed', error: reading.error, endedAt: now }, now);
    case 'not-found':
      return recordNotFound(polled, now);
    case 'unauthorized':
    case 'unreachable':
      return { ...polled, poll: { ...polled.poll, trouble: reading.kind } };
  }
}

/** Whether a reading tells nothing that isn't recorded already, which is how most polls end. */
export function isRecorded(execution: Execution, reading: StatusReading, now: Millis): boolean {
  const { progress, poll, ...others } = recordStatus(execution, reading, now);
  return (
    Object.entries(others).every(([name, value]) => execution[name as keyof typeof others] === value) &&
    JSON.stringify([progress, poll]) === JSON.stringify([execution.progress, execution.poll])
  );
}

function recordAlive(
  execution: Execution,
  reading: Extract<StatusReading, { kind: 'running' | 'waiting' }>,
): Execution {
  const { progress, poll, approvals } = execution;
  // Some services count a task as completed while a person is asked about it.
  const counted = approvals.some(isOpen) ? null : reading.completed;
  const completed = Math.max(progress.completed, counted ?? 0);
  return withRunStatus({
    ...execution,
    progress: { completed, total: reading.total ?? progress.total, current: reading.current ?? progress.current },
    poll: { ...poll, notFoundSince: null, waitingUnseen: reading.kind === 'waiting' ? poll.waitingUnseen + 1 : 0 },
  });
}
