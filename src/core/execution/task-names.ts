import type { Execution } from './execution.ts';

/** Of more, the oldest are forgotten: a task is named just before or just after it asks. */
const MOST_NAMES = 200;

/** Null as long as the crew hasn't named this very task. Its text doesn't tell: any task may pass on what another one wrote. */
export function taskNameOf({ taskNames }: Execution, taskId: string): string | null {
  return taskNames.find((each) => each.taskId === taskId)?.name ?? null;
}

/** Remembers the first name that a task is given. Returns the same object if there is none, or nothing to name. */
export function withTaskName(
  execution: Execution,
  { taskId, name }: { taskId: string | null; name: string | null },
): Execution {
  if (taskId === null || name === null || taskNameOf(execution, taskId) !== null) return execution;
  return { ...execution, taskNames: [...execution.taskNames, { taskId, name }].slice(-MOST_NAMES) };
}
