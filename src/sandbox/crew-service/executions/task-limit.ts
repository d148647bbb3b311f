import type { TaskDescription } from '../crew-description.ts';
import { withTimeLimit } from '../time-limit.ts';

/** Runs `work` with a signal that aborts when `stopping` does, or after the task's time limit with words that say so. */
export function withinTaskLimit<Result>(
  { name, timeLimitMs }: TaskDescription,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeLimitMs === undefined) return work(stopping);
  const words = `The task "${name}" took longer than its time limit of ${inWords(timeLimitMs)}.`;
  return withTimeLimit({ ms: timeLimitMs, words, stopping, work });
}

function inWords(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
