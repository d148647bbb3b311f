import type { Absences } from '../core/inbox/person-settings.ts';
import type { Millis } from '../core/time.ts';
import { createAbsences } from '../slack/settings/absences.ts';
import { createFollowAbsences } from '../slack/settings/follow-absences.ts';
import type { Parts } from './parts.ts';
import { type Repeated, repeat } from './repeat.ts';

const EVERY_MS = 10_000;

/** @param wake called for each execution of which something was handed over or taken back */
export function absencesOf(parts: Parts, wake: (ref: string) => void): Absences {
  const { userTokens } = parts;
  const connectedTo = async (crew: string, personId: string) => (await userTokens.find(crew, personId)) !== null;
  return createAbsences({ ...parts, connectedTo, wake });
}

/** Hands over what comes to wait for those who are away, as long as the process runs. */
export function startFollowingAbsences(parts: Parts, absences: Absences, everyMs: Millis = EVERY_MS): Repeated {
  const { log, metrics } = parts;
  const follow = createFollowAbsences(parts, absences);
  const failed = 'could not follow the absences of people; trying again';
  return repeat(() => follow(Date.now()), { everyMs, log, failed, onFault: () => metrics.fault('worker') });
}
