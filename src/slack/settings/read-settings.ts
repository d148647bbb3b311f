import type { PersonSettings } from '../../core/inbox/person-settings.ts';
import { dayOf, instantOf } from '../../core/local-time.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { minutesOf } from './clock-text.ts';
import { AWAY_UNTIL, DAILY_AT, QUIET_FROM, QUIET_TO, STAND_IN, TELL } from './settings-modal.ts';

/** What the form says, before it is known who the stand-in is. */
export interface Chosen {
  tell: { kind: 'off' | 'at-once' | 'hourly' } | { kind: 'daily'; at: number };
  quiet: PersonSettings['quiet'];
  /** The id of the stand-in; null for nobody. */
  away: { until: Millis; standInId: string | null } | null;
}

/** The texts of what is wrong, by block. */
export type FormErrors = Record<string, string>;

/** @param timeZone null if Slack can't say which one the person is in */
export function readSettings(
  values: FormValues,
  { now, timeZone, say }: { now: Millis; timeZone: string | null; say: Say },
): Result<Chosen, FormErrors> {
  const errors: FormErrors = {};
  const tell = readTell(values);
  if (tell === null) errors[DAILY_AT] = say('settings.daily-missing');
  const quiet = readQuiet(values, errors, say);
  const away = readAway(values, errors, { now, timeZone, say });
  return tell === null || Object.keys(errors).length > 0 ? refuse(errors) : ok({ tell, quiet, away });
}

function readTell(values: FormValues): Chosen['tell'] | null {
  const kind = typedText(values, TELL);
  if (kind === 'at-once' || kind === 'hourly') return { kind };
  if (kind !== 'daily') return { kind: 'off' };
  const at = minutesOf(typedText(values, DAILY_AT));
  return at === null ? null : { kind, at };
}

function readQuiet(values: FormValues, errors: FormErrors, say: Say): PersonSettings['quiet'] {
  const [from, to] = [QUIET_FROM, QUIET_TO].map((block) => minutesOf(typedText(values, block)));
  if (from == null && to == null) return null;
  if (from == null) errors[QUIET_FROM] = say('settings.quiet-incomplete');
  else if (to == null) errors[QUIET_TO] = say('settings.quiet-incomplete');
  else if (from === to) errors[QUIET_TO] = say('settings.quiet-same');
  else return { from, to };
  return null;
}

function readAway(
  values: FormValues,
  errors: FormErrors,
  { now, timeZone, say }: { now: Millis; timeZone: string | null; say: Say },
): Chosen['away'] {
  const [date, standIn] = [typedText(values, AWAY_UNTIL), typedText(values, STAND_IN)];
  const day = dayOf(date);
  if (date === '' && standIn !== '') errors[AWAY_UNTIL] = say('settings.away-missing');
  if (date === '') return null;
  // Through the end of that day.
  const until = day === null || timeZone === null ? null : instantOf(day + 1, 0, timeZone);
  if (timeZone === null) errors[AWAY_UNTIL] = say('settings.away-no-zone');
  else if (until === null || until <= now) errors[AWAY_UNTIL] = say('settings.away-past');
  return until === null ? null : { until, standInId: standIn === '' ? null : standIn };
}
