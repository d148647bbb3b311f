import type { Notify } from '../notify.ts';
import type { WorkingHours } from '../working-hours.ts';
import type { CrewPolicy } from './policy/policy.ts';

/** What the operator has configured about a crew's requests. */
export interface CrewRules {
  /** Null for a crew that isn't configured: who may decide isn't known then, so that nobody may. */
  policy: CrewPolicy | null;
  hours: WorkingHours | null;
  /** How those who should decide hear of a card; by default, it mentions them. */
  notify?: Notify;
  /** `attach`: approved texts are attached to their threads. */
  keepTexts?: 'retention' | 'attach';
}
