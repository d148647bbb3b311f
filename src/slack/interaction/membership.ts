import { mayDecide } from '../../core/approval/policy.ts';
import type { Actor } from './actor.ts';
import type { ListenerContext } from './listener-context.ts';

/**
 * Whether somebody is of the workspace that the app is installed in, checked at the moment of the click and of the
 * decision. Where the payload doesn't say, Slack is asked; where nobody can tell, the answer is no.
 */
export async function isOfOurs({ people, identity }: ListenerContext, { person, teamId }: Actor): Promise<boolean> {
  const team = teamId ?? (await people.teamOf(person.id));
  return mayDecide({ teamId: team, installedTeamId: identity.teamId || null });
}
