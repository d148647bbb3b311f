import type { Person } from '../approval/approval.ts';
import type { Millis } from '../time.ts';

/** What a person has chosen in the Home tab. */
export interface PersonSettings {
  tell: Tell;
  /** When no direct message arrives; null for never. */
  quiet: QuietHours | null;
  away: Away | null;
}

/** How a person hears of what waits for them. */
type Tell =
  | { kind: 'off' }
  | { kind: 'at-once' }
  /** On the hour. `since` is when that was chosen: the first digest is the first one due later. */
  | { kind: 'hourly'; since: Millis }
  /** `at`: minutes after midnight, in the person's time zone. */
  | { kind: 'daily'; at: number; since: Millis };

/** In the person's time zone, in minutes after midnight; over midnight if `to` <= `from`. */
interface QuietHours {
  from: number;
  to: number;
}

/** An absence, over at `until`. */
export interface Away {
  until: Millis;
  /** Who decides meanwhile; null for nobody in particular. */
  standIn: Person | null;
  /** When it was set. */
  since: Millis;
}

export const USUAL_SETTINGS: PersonSettings = { tell: { kind: 'off' }, quiet: null, away: null };
