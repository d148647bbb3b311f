// Differences between crew services: the names of fields, and the form of our addresses.

import type { Crew } from '../core/policy/crew.ts';
import type { Verdict } from './answers.ts';
import type { CallbackForm } from './credentials.ts';

export interface Manner extends CallbackForm {
  /** Names of a resume's fields: `snake` as in the specification, `camel` as in some deployed services. */
  names: keyof typeof RESUME_NAMES;
}

export const RESUME_NAMES = {
  snake: { executionId: 'execution_id', taskId: 'task_id', feedback: 'human_feedback', isApprove: 'is_approve' },
  camel: { executionId: 'executionId', taskId: 'taskId', feedback: 'humanFeedback', isApprove: 'isApprove' },
} as const;

/** Returns the manner to try before a service has answered. */
export function expectedManner({ platform }: Pick<Crew, 'platform'>): Manner {
  switch (platform) {
    case 'amp':
      return { names: 'snake', humanInput: 'plain-address', events: 'stream' };
    case null:
      return { names: 'snake', humanInput: 'with-credentials', events: 'addresses' };
  }
}

type Refused = Extract<Verdict, { kind: 'refused' }>;

/** Returns the manner that a refusal asks for. */
export function mannerAskedFor({ status, error }: Refused, manner: Manner): Manner {
  const words = [...error.fields, ...error.detail.split(/\W+/)];
  const otherNames = manner.names === 'snake' ? 'camel' : 'snake';
  const takesOtherNames =
    status === 422 && Object.values(RESUME_NAMES[otherNames]).some((name) => words.includes(name));
  return {
    names: takesOtherNames ? otherNames : manner.names,
    humanInput: words.includes('humanInputWebhookUrl') ? 'with-credentials' : manner.humanInput,
    events: words.includes('webhooks') ? 'addresses' : manner.events,
  };
}

/** Returns true if a call was refused for its form: it had no effect, and may be made in another manner. */
export function isMisunderstood({ status, code }: Refused): boolean {
  return code !== 'missing-inputs' && (status === 400 || status === 422);
}
