import { z } from 'zod';
import type { Person } from '../../core/approval/approval.ts';
import type { PersonFacts } from '../../core/approval/policy.ts';
import type { ListenerContext } from './listener-context.ts';

/** Some payloads leave out the team. */
export const userSchema = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  username: z.string().optional(),
  team_id: z.string().optional(),
});

/** The person behind a request from Slack, and their workspace if the payload names it. */
export interface Actor {
  person: Person;
  teamId: string | null;
}

export function actorOf(user: z.infer<typeof userSchema>): Actor {
  return { person: { id: user.id, name: user.name ?? user.username ?? user.id }, teamId: user.team_id ?? null };
}

/** What a policy may judge a person by. Asks Slack where the payload doesn't say; never throws. */
export async function factsOf(
  { people, identity }: Pick<ListenerContext, 'people' | 'identity'>,
  { person, teamId }: Actor,
): Promise<PersonFacts> {
  return { teamId: teamId ?? (await people.teamOf(person.id)), installedTeamId: identity.teamId || null };
}
