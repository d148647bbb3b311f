import type { Task } from './coded-crew.ts';
import type { TaskDescription } from './crew-description.ts';

/** A task without its code. */
export function describeTask({ run: _run, when: _when, whenApproved, ...described }: Task): TaskDescription {
  return { ...described, finishes: whenApproved !== undefined };
}
