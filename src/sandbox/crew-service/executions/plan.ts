import { currentTask, type PlannedTask, type Review, type Run, type RunFacts, type Running } from './run.ts';

/** The tasks whose code runs now: one, or those of a group that haven't run yet. */
export function dueTasks(run: Running): readonly PlannedTask[] {
  const current = currentTask(run);
  if (current.group === undefined || run.phase === 'finishing' || run.round > 1) return [current];
  return run.plan
    .slice(run.taskIndex)
    .filter(({ group, id }) => group === current.group && !isSkipped(run, id) && draftOf(run, id) === undefined);
}

export function isSkipped({ skipped = [] }: RunFacts, taskId: string): boolean {
  return skipped.includes(taskId);
}

/** The output of a task of a group that has run, but is still to be reviewed or finished in its turn. */
export function draftOf({ drafts = [] }: RunFacts, taskId: string): Draft | undefined {
  return drafts.find((draft) => draft.taskId === taskId);
}

type Draft = NonNullable<RunFacts['drafts']>[number];

/**
 * The feedback on a task's earlier rounds and the approval texts of what ran before it ("merged in full into the context
 * of the later task execution", specification, section 4.4).
 */
export function feedbackFor(run: RunFacts, task: PlannedTask): readonly Review[] {
  const before = tasksBefore(run, task);
  return run.reviews.filter(({ taskId, approved }) => taskId === task.id || (approved && before.includes(taskId)));
}

/** The task before this one, or all of the group before it; what was left out doesn't count. */
function tasksBefore(run: RunFacts, task: PlannedTask): readonly string[] {
  const isSameGroup = (one: PlannedTask, other: PlannedTask) => one.group !== undefined && one.group === other.group;
  const earlier = run.plan
    .slice(0, run.plan.indexOf(task))
    .filter((one) => !isSameGroup(one, task) && !isSkipped(run, one.id));
  const last = earlier.at(-1);
  if (last === undefined) return [];
  return earlier.filter((one) => one === last || isSameGroup(one, last)).map(({ id }) => id);
}

/** How far a run is. Tasks that were left out aren't counted. */
export function progressOf(run: Run): { readonly completed: number; readonly total: number } {
  const drafted = run.plan.filter(({ id, humanInput, finishes }) => {
    const isOpen = (humanInput && run.asksPeople) || finishes;
    return !isOpen && draftOf(run, id) !== undefined;
  });
  return { completed: run.finished.length + drafted.length, total: run.plan.length - (run.skipped?.length ?? 0) };
}

/** The names of the tasks that a run is working on. */
export function namesOfDue(run: Running): string {
  return dueTasks(run)
    .map(({ name }) => name)
    .join(', ');
}
