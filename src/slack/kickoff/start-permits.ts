import { mayStart } from '../../core/approval/policy/may-start.ts';
import type { Permit } from '../../core/approval/policy/permits.ts';
import type { Crew } from '../../core/crew.ts';
import { gatherFacts } from '../directory/gather-facts.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

type Ports = Pick<ListenerContext, 'directory' | 'connectedTo'>;

/** Who wants to start something, and where. */
interface Starter {
  personId: string;
  /** Null while it isn't chosen yet: then nobody can tell whether the members of the channel include them. */
  channel: string | null;
}

interface StartPermit {
  crew: Crew;
  permit: Permit;
}

/** Which crews a person may start in a channel, in their order. Asks Slack for two seconds at most. @throws {StoreUnavailable} */
export async function findStartPermits(
  { directory, connectedTo }: Ports,
  crews: readonly Crew[],
  { personId, channel }: Starter,
): Promise<StartPermit[]> {
  const approvers = crews
    .flatMap(({ starters }) => starters)
    .filter(({ kind }) => channel !== null || kind !== 'channel');
  const [facts, tokens] = await Promise.all([
    gatherFacts(directory, { people: [personId], approvers, channel: channel ?? '' }),
    Promise.all(crews.map(async ({ name, requireUserToken }) => requireUserToken && connectedTo(name, personId))),
  ]);
  return crews.map((crew, i) => {
    const connected = new Set(tokens[i] ? [personId] : []);
    return { crew, permit: mayStart(crew, personId, { ...facts, connected }) };
  });
}

/** Whether the person may start the crew in some channel, as far as is known without one. */
export function isPossible({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || (permit.denial.kind === 'unsure' && permit.denial.approver === 'channel');
}

/** Whether a form may offer the crew: what keeps the person from starting it, if anything, may pass. */
export function isOffered({ permit }: StartPermit): boolean {
  return permit.kind === 'permitted' || permit.denial.kind === 'unsure' || permit.denial.kind === 'no-token';
}
