import type { WorkingHours } from '../values/working-hours.ts';
import type { CrewPolicy } from './policy.ts';

/**
 * The way Signoff notifies the people who can decide: the card mentions them, they get a direct message, or nothing happens. `channel`:
 * the card mentions them, and everyone active in the channel (`@here`) if its members may decide.
 */
export const NOTIFY = ['mention', 'channel', 'dm', 'none'] as const;

export type Notify = (typeof NOTIFY)[number];

/** The operator's settings for a crew's requests, which every transition receives. */
export interface CrewRules {
  /** Null for a crew that isn't configured: nobody may decide. */
  policy: CrewPolicy | null;
  hours: WorkingHours | null;
  /** Default: `mention`. */
  notify?: Notify;
  /** Default: `followed`. */
  startedElsewhere?: 'followed' | 'refused';
  /** `attach`: Signoff attaches approved texts to their threads. */
  keepTexts?: 'retention' | 'attach';
}
