import type { Crew } from '../core/policy/crew.ts';
import type { Verdict } from './answers.ts';
import type { CallbackForm } from './credentials.ts';

/** How a crew's service is talked to, where services differ. */
export interface Manner extends CallbackForm {
  /** How the fields of a resume are named: as in the specification, or as some deployed services do. */
  names: keyof typeof RESUME_NAMES;
}

export const RESUME_NAMES = {
  snake: { executionId: 'execution_id', taskId: 'task_id', feedback: 'human_feedback', isApprove: 'is_approve' },
  camel: { executionId: 'executionId', taskId: 'taskId', feedback: 'humanFeedback', isApprove: 'isApprove' },
} as const;

/** What is to be expected of a service before it has answered. */
export function expectedManner({ platform }: Pick<Crew, 'platform'>): Manner {
  switch (platform) {
    case 'amp':
      return { names: 'snake', humanInput: 'plain-address', events: 'stream' };
    case null:
      return { names: 'snake', humanInput: 'with-credentials', events: 'addresses' };
  }
}

type Refused = Extract<Verdict, { kind: 'refused' }>;

/** How a call is to be made that was misunderstood: the same, unless the refusal asks for another. */
export function mannerAskedFor({ status, error }: Refused, manner: Manner): Manner {
  const named = [...error.fields, ...error.detail.split(/\W+/)];
  const otherNames = manner.names === 'snake' ? 'camel' : 'snake';
  const takesOtherNames =
    status === 422 && Object.values(RESUME_NAMES[otherNames]).some((name) => named.includes(name));
  return {
    names: takesOtherNames ? otherNames : manner.names,
    humanInput: named.includes('humanInputWebhookUrl') ? 'with-credentials' : manner.humanInput,
    events: named.includes('webhooks') ? 'addresses' : manner.events,
  };
}

/** Whether a call was refused for how it is made: it started and resumed nothing, and may be made otherwise. */
export function isMisunderstood({ status, code }: Refused): boolean {
  return code !== 'missing-inputs' && (status === 400 || status === 422);
}
