import type { Crew } from '../../crew.ts';
import type { Facts } from './facts.ts';
import { type Permit, permits } from './permits.ts';

/** A crew that isn't running yet: nobody has started it, and no request was handed over. */
const NOT_STARTED = { starterId: null, isEscalated: false, handedOver: [] };

/** Guests and people of other organisations may start a crew if it names them by their id. */
const RULES = { guests: true, selfApproval: true, startedElsewhere: [], escalateTo: [] };

/** Whether a person may start a crew in the channel that the facts are about. */
export function mayStart(
  { starters, requireUserToken }: Pick<Crew, 'starters' | 'requireUserToken'>,
  personId: string,
  facts: Facts,
): Permit {
  const connected = requireUserToken ? (facts.connected ?? new Set<string>()) : null;
  return permits({ ...RULES, approvers: starters }, NOT_STARTED, personId, { ...facts, connected });
}
