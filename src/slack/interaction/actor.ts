import { z } from 'zod';
import type { Person } from '../../core/approval/approval.ts';
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

/**
 * Whether Slack vouches that a person belongs to our workspace: people from other organisations see the messages of a shared
 * channel and can click in them. Asks Slack where the payload doesn't say; never throws.
 */
export async function isMember(
  { people, identity }: Pick<ListenerContext, 'people' | 'identity'>,
  { person, teamId }: Actor,
): Promise<boolean> {
  const known = teamId ?? (await people.teamOf(person.id));
  return known !== null && known === identity.teamId;
}
