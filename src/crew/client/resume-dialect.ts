import type { ResumeCall } from '../../core/ports.ts';
import type { CallbackSettings } from '../addresses.ts';
import type { Verdict } from './verdict.ts';

/** How a service names the fields of a resume: as in the specification, or as some deployed services do. */
export type ResumeDialect = 'snake' | 'camel';

const NAMES = {
  snake: { executionId: 'execution_id', taskId: 'task_id', feedback: 'human_feedback', isApprove: 'is_approve' },
  camel: { executionId: 'executionId', taskId: 'taskId', feedback: 'humanFeedback', isApprove: 'isApprove' },
} as const;

/** The body of `POST /resume` (specification, section 2.4), which repeats all webhook settings. */
export function resumeBody(dialect: ResumeDialect, call: ResumeCall, callbacks: CallbackSettings): string {
  const names = NAMES[dialect];
  return JSON.stringify({
    [names.executionId]: call.executionId,
    [names.taskId]: call.taskId,
    [names.feedback]: call.feedback.toWellFormed(),
    [names.isApprove]: call.isApprove,
    ...callbacks,
  });
}

/** The other dialect, if a 422 reports a missing field by its name in that dialect; otherwise null. */
export function dialectAskedFor(verdict: Verdict, tried: ResumeDialect): ResumeDialect | null {
  if (verdict.kind !== 'refused' || verdict.status !== 422) return null;
  const other = tried === 'snake' ? 'camel' : 'snake';
  const named = [...verdict.error.missingFields, ...verdict.error.detail.split(/\W+/)];
  return Object.values(NAMES[other]).some((name) => named.includes(name)) ? other : null;
}
