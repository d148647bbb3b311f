import type { Account } from '../../core/approval/policy/facts.ts';
import type { Identity } from '../api/identity.ts';
import type { SlackUser } from '../api/slack-users.ts';

/** A user as policies see them; null if it isn't known which workspace is ours. */
export function accountOf(
  user: SlackUser,
  { personId, identity: { teamId } }: { personId: string; identity: Pick<Identity, 'teamId'> },
): Account | null {
  if (teamId === '') return null;
  const isStranger = user.isStranger || !isIn(user, teamId);
  return {
    identities: identitiesOf(user, personId),
    isBot: user.isBot,
    isDeactivated: user.isDeactivated,
    isGuest: user.isRestricted && !isStranger,
    isStranger,
  };
}

/** In an Enterprise Grid organisation, people have one home workspace, and may be in several. */
function isIn(user: SlackUser, teamId: string): boolean {
  return user.teamId === teamId || user.teamIds.includes(teamId);
}

/** Slack may answer with another id than it was asked for. */
function identitiesOf({ id, enterpriseUserId, email }: SlackUser, personId: string): string[] {
  const identities = [personId, id, enterpriseUserId, email?.toLowerCase() ?? null];
  return [...new Set(identities.filter((identity) => identity !== null))];
}
