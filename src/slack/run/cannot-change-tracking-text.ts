import type { Person } from '../../core/approval/approval.ts';
import type { Denial } from '../../core/approval/policy/permits.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';

/** Why a person can't stop tracking a run, or track it again; mrkdwn with an escaped name. A `name` of null names nobody. */
export function cannotChangeTrackingText(starter: Person | null, name: NameOf | null, say: Say): string {
  if (!starter) return say('tracking.may-not-change-outside');
  return name === null
    ? say('tracking.may-not-change-starter')
    : say('tracking.may-not-change', { name: nameIn(name, starter) });
}

/** Whether a denial is about the rights of a person, and not about what is missing to tell them. */
export function isAboutRights({ kind }: Denial): boolean {
  switch (kind) {
    case 'guest':
    case 'bot':
    case 'deactivated':
    case 'self-approval':
    case 'not-approver':
    case 'giver-denied':
    case 'right-used':
      return true;
    // The answer to every other click says it as well.
    case 'stranger':
    case 'no-token':
    case 'unsure':
      return false;
  }
}
