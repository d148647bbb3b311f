import { recordEvidence } from '../approval/evidence.ts';
import type { Millis } from '../time.ts';
import type { Execution } from './execution.ts';
import { hasEnded } from './execution.ts';
import { postponePoll } from './poll-schedule.ts';
import { revive, withRunStatus } from './run.ts';

/** Coalescing window for agent steps: the root message may show only the latest one of each window. */
export const ACTIVITY_WINDOW_MS = 3_000;

/** An agent made a step. The step itself is stored beside the record, which is touched at most once per window. */
export function recordStep(
  execution: Execution,
  event: { hop: number; kickoffId: string | null },
  now: Millis,
): Execution {
  if (hasEnded(execution)) return execution;
  const { refreshAt } = execution.activity;
  const proven = recordEvidence(revive(execution, now), event, now);
  if (execution.unfollowed || refreshAt !== null) return proven;
  const activity = { ...proven.activity, refreshAt: now + ACTIVITY_WINDOW_MS };
  return withRunStatus(postponePoll({ ...proven, activity }, now));
}

/** The window is over: the root message is due to show the latest step. */
export function catchUp(execution: Execution, now: Millis): Execution {
  const { seen, refreshAt } = execution.activity;
  if (refreshAt === null || now < refreshAt) return execution;
  return { ...execution, activity: { seen: seen + 1, refreshAt: null } };
}
