import type { Person } from '../../core/approval/approval.ts';
import type { Away, PersonSettings } from '../../core/inbox/person-settings.ts';
import type { Millis } from '../../core/time.ts';
import type { Chosen } from './read-settings.ts';

/** The settings of a person after they have chosen. What stays as it was keeps the time since when it is so. */
export function mergeSettings(
  before: PersonSettings,
  { tell, quiet, away, standIn }: Chosen & { standIn: Person | null },
  now: Millis,
): PersonSettings {
  return {
    tell: mergeTell(before.tell, tell, now),
    quiet,
    away: away && mergeAway(before.away, { until: away.until, standIn, since: now }),
  };
}

function mergeTell(before: PersonSettings['tell'], tell: Chosen['tell'], now: Millis): PersonSettings['tell'] {
  switch (tell.kind) {
    case 'off':
    case 'at-once':
      return { kind: tell.kind };
    case 'hourly':
      return before.kind === 'hourly' ? before : { kind: 'hourly', since: now };
    case 'daily':
      return before.kind === 'daily' && before.at === tell.at ? before : { ...tell, since: now };
  }
}

function mergeAway(before: Away | null, away: Away): Away {
  const isSame = before !== null && before.until === away.until && before.standIn?.id === away.standIn?.id;
  return isSame ? { ...away, since: before.since } : away;
}
