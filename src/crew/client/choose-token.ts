import type { Logger } from 'pino';
import type { Crew } from '../../core/crew.ts';
import type { OnBehalf } from '../../core/ports.ts';

/** The token that a person has connected to a crew, or null. Rejects if that can't be looked up. */
export type TokenOf = (crew: string, personId: string) => Promise<string | null>;

/** Whose token a call uses. `missing`: it takes the person's own, and there is none. */
export type ChosenToken =
  | { kind: 'crew'; token: string }
  | { kind: 'person'; token: string }
  | { kind: 'missing' }
  | { kind: 'unavailable' };

/** Without a person it is the crew's: nobody could have connected one. Never throws. */
export async function chooseToken(
  { tokenOf, log }: { tokenOf: TokenOf; log: Logger },
  crew: Crew,
  as: OnBehalf | null,
): Promise<ChosenToken> {
  if (as === null) return { kind: 'crew', token: crew.token };
  try {
    const token = await tokenOf(crew.name, as.personId);
    if (token !== null) return { kind: 'person', token };
  } catch (error) {
    log.warn({ crew: crew.name, personId: as.personId, err: error }, 'could not look up the token of a person');
    return { kind: 'unavailable' };
  }
  return as.ownTokenOnly || crew.requireUserToken ? { kind: 'missing' } : { kind: 'crew', token: crew.token };
}
