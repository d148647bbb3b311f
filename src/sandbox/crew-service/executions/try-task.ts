import { setTimeout as pause } from 'node:timers/promises';
import type { TokenUsage } from '../crew-description.ts';
import type { Json } from '../json.ts';
import { triesOf } from './advance-run.ts';
import type { RunCode } from './crew-code.ts';
import type { PlannedTask, Running } from './run.ts';
import { attemptOf, type StepParts, stepsOf } from './task-attempt.ts';
import { withinTaskLimit } from './task-limit.ts';

export type TryParts = {
  readonly code: RunCode;
  readonly parts: StepParts;
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal: AbortSignal;
};

/** How a try of a task ended, and what the task has used of a model in all its tries. */
export type Outcome = { readonly task: PlannedTask; readonly usage: TokenUsage | undefined } & (
  | { readonly kind: 'done'; readonly output: Json }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly error: unknown }
);

/** Runs the code of a due task once. Rejects only when `signal` aborts. */
export async function tryTask(run: Running, task: PlannedTask, { code, parts, signal }: TryParts): Promise<Outcome> {
  await pause(pauseBefore(triesOf(run, task.id)), undefined, { signal });
  const steps = await stepsOf({ run, task, phase: run.phase }, parts, signal);
  const attempt = attemptOf(run, task);
  try {
    return await withinTaskLimit(task, signal, async (limited) => {
      if (!(await isWanted(run, task, { code, parts, signal: limited })))
        return { kind: 'skipped', task, usage: undefined };
      const output = await code.perform(attempt, steps, limited);
      return { kind: 'done', task, output, usage: steps.usage() };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', task, error, usage: steps.usage() };
  }
}

/** Asks the condition of a task before its first round. The answer is kept, so that a restart doesn't change it. */
async function isWanted(run: Running, task: PlannedTask, { code, parts, signal }: TryParts): Promise<boolean> {
  if (!task.isConditional || run.round > 1 || run.phase === 'finishing') return true;
  const decision = { run, task, phase: 'deciding' } as const;
  const steps = await stepsOf(decision, parts, signal);
  const known = steps.done.get(0);
  if (known !== undefined) return known === true;
  const answer = await code.perform({ ...attemptOf(run, task), phase: 'deciding' }, steps, signal);
  await steps.remember(0, answer);
  return answer === true;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

function pauseBefore(tries: number): number {
  return tries === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}
