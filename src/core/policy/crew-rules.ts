import type { WorkingHours } from '../values/working-hours.ts';
import type { CrewPolicy } from './policy.ts';

/**
 * How those who should decide learn of a card: it mentions them, they get a direct message, or nothing tells them. `channel`: it mentions
 * them, and everybody who is active in the channel where the members of that may decide.
 */
export const NOTIFY = ['mention', 'channel', 'dm', 'none'] as const;

export type Notify = (typeof NOTIFY)[number];

/** What the operator has configured about a crew's requests. */
export interface CrewRules {
  /** Null for a crew that isn't configured: who may decide isn't known then, so that nobody may. */
  policy: CrewPolicy | null;
  hours: WorkingHours | null;
  /** The default is `mention`. */
  notify?: Notify;
  /** By default, requests of executions that were started elsewhere are taken. */
  startedElsewhere?: 'followed' | 'refused';
  /** `attach`: approved texts are attached to their threads. */
  keepTexts?: 'retention' | 'attach';
}
