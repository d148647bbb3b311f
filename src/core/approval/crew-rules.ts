import type { WorkingHours } from '../working-hours.ts';
import type { Approval } from './approval.ts';
import { type CrewPolicy, policyFor } from './policy/policy.ts';
import { planTimes } from './times.ts';

/** What the operator has configured about a crew's requests. */
export interface CrewRules {
  /** Null for a crew that isn't configured: who may decide isn't known then, so that nobody may. */
  policy: CrewPolicy | null;
  hours: WorkingHours | null;
  /** How those who should decide hear of a card; by default, it mentions them. */
  notify?: Notify;
  /** By default, requests of executions that were started elsewhere are taken. */
  startedElsewhere?: 'followed' | 'refused';
  /** `attach`: approved texts are attached to their threads. */
  keepTexts?: 'retention' | 'attach';
}

/** One request with its times as these rules plan them; the same object if they do already. */
export function underRules<Each extends Approval>(approval: Each, { policy, hours }: CrewRules): Each {
  if (policy === null) return approval;
  const { times, askedAt } = approval;
  const planned = planTimes(times, { policy: policyFor(policy, approval), hours, askedAt });
  return planned === times ? approval : { ...approval, times: planned };
}

/** How those who should decide hear of a card: mentioned on it, by a direct message, or not at all. */
export const NOTIFY = ['mention', 'dm', 'none'] as const;

export type Notify = (typeof NOTIFY)[number];
