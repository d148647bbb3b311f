import type { Person } from '../../core/approval/approval.ts';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { type NameOf, nameIn } from '../ui/person.ts';

const ALL = 'those who can decide its requests can stop following it.';

/** Why a person can't stop following a run; mrkdwn with an escaped name. A `name` of null names nobody. */
export function cannotStopText(starter: Person | null, name: NameOf | null): string {
  if (!starter) return 'Only those who can decide the requests of this run can stop following it.';
  return name === null
    ? `Only the person who started this run and ${ALL}`
    : `Only ${nameIn(name, starter)}, who started this run, and ${ALL}`;
}

/** Whether a denial is about the rights of a person, and not about what is missing to tell them. */
export function isAboutRights({ kind }: Denial): boolean {
  switch (kind) {
    case 'guest':
    case 'bot':
    case 'deactivated':
    case 'self-approval':
    case 'not-approver':
      return true;
    // The answer to every other click says it as well.
    case 'stranger':
    case 'no-token':
    case 'unsure':
      return false;
  }
}
