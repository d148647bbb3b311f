import type { Crew } from '../core/crew.ts';
import type { Verdict } from './answers.ts';
import type { HumanInputForm } from './credentials.ts';

/** How a crew's service is talked to, where services differ. */
export interface Manner {
  /** How the fields of a resume are named: as in the specification, or as some deployed services do. */
  names: keyof typeof RESUME_NAMES;
  humanInput: HumanInputForm;
}

export const RESUME_NAMES = {
  snake: { executionId: 'execution_id', taskId: 'task_id', feedback: 'human_feedback', isApprove: 'is_approve' },
  camel: { executionId: 'executionId', taskId: 'taskId', feedback: 'humanFeedback', isApprove: 'isApprove' },
} as const;

/** What is to be expected of a service before it has answered. */
export function expectedManner({ platform }: Pick<Crew, 'platform'>): Manner {
  return { names: 'snake', humanInput: platform === 'amp' ? 'plain-address' : 'with-credentials' };
}

/** How a call is to be made after this verdict on it: the same, unless a refusal asks for another. */
export function mannerAskedFor(verdict: Verdict, manner: Manner): Manner {
  if (!isMisunderstood(verdict)) return manner;
  const named = [...verdict.error.fields, ...verdict.error.detail.split(/\W+/)];
  const otherNames = manner.names === 'snake' ? 'camel' : 'snake';
  const takesOtherNames =
    verdict.status === 422 && Object.values(RESUME_NAMES[otherNames]).some((name) => named.includes(name));
  return {
    names: takesOtherNames ? otherNames : manner.names,
    humanInput: named.includes('humanInputWebhookUrl') ? 'with-credentials' : manner.humanInput,
  };
}

/** Whether a call was refused for what it says: it started and resumed nothing, and may be made otherwise. */
export function isMisunderstood(verdict: Verdict): verdict is Extract<Verdict, { kind: 'refused' }> {
  return verdict.kind === 'refused' && (verdict.status === 400 || verdict.status === 422);
}
