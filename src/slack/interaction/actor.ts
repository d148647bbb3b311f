import { z } from 'zod';
import type { Person } from '../../core/approval/approval.ts';

/** A person as interactions carry one; the team is missing in some payloads. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string().optional(),
  username: z.string().optional(),
  team_id: z.string().optional(),
});

export interface Actor {
  person: Person;
  teamId: string | null;
}

export function actorOf(user: z.infer<typeof userSchema>): Actor {
  return { person: { id: user.id, name: user.name ?? user.username ?? user.id }, teamId: user.team_id ?? null };
}
