import type { Task, UntypedContext } from '../coded-crew.ts';
import { type Json, jsonOf } from '../json.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Steps, TaskAttempt } from './crew-code.ts';
import { contextOf } from './task-context.ts';

type Work = {
  readonly tasks: readonly Task[];
  readonly attempt: TaskAttempt;
  readonly steps: Steps;
  readonly model: ModelSettings | undefined;
  readonly signal: AbortSignal;
};

/** Runs a task's code once. Rejects with what it throws, or with the reason why JSON can't hold its output. */
export async function performTask({ tasks, attempt, ...parts }: Work): Promise<Json> {
  const task = tasks.find(({ name }) => name === attempt.task);
  if (task === undefined) throw new Error(`This crew no longer has a task "${attempt.task}".`);
  const output = await outputOf(task, attempt, contextOf({ task, attempt, ...parts }));
  return jsonOf(output, `The output of the task "${task.name}"`);
}

function outputOf(task: Task, { phase, previous = null }: TaskAttempt, context: UntypedContext): Promise<Json> | Json {
  switch (phase) {
    case 'deciding':
      return task.when?.(context) ?? true;
    case 'working':
      return task.run(context);
    case 'finishing':
      return task.whenApproved ? task.whenApproved(previous, context) : previous;
  }
}
