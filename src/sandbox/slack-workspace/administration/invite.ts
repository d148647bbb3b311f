import { teamJoined } from '../interactions/account-events.ts';
import { joinChannel } from '../runtime/join-channel.ts';
import { newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { channelById } from '../state/channels.ts';
import { avatarColor } from '../state/seed-member.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import type { Invitation } from './change.ts';
import { whyNotHandle } from './why-not-handle.ts';
import { whyNotInChannel } from './why-not-in-channel.ts';

/** Invites a new person, who joins at once, and tells the app. Returns why they can't be invited, if they can't. */
export function invite(workspace: Workspace, actorId: string, invited: Invitation): string | undefined {
  const { state } = workspace;
  const name = invited.name.trim();
  const realName = invited.realName.trim();
  if (realName === '') return 'A person needs a name.';
  const refusal = whyNotHandle(state, { handle: name });
  if (refusal !== undefined) return refusal;
  if (invited.account === 'channel-guest' && invited.channels.length !== 1) return 'This guest needs one channel.';
  const member: StoredMember = {
    id: newId(workspace, 'U'),
    teamId: state.team.id,
    name,
    realName,
    title: '',
    timeZone: 'Europe/London',
    kind: invited.account,
    color: avatarColor(state.members.length),
    email: `${name}@${state.team.domain}.example`,
    updatedAt: nowSeconds(workspace),
  };
  state.members.push(member);
  workspace.touch();
  teamJoined(workspace, member);
  for (const channel of channelsOf(workspace, invited))
    if (whyNotInChannel(workspace, channel, member.id) === undefined)
      joinChannel(workspace, channel, { userId: member.id, inviter: actorId });
  return undefined;
}

/** Members are in `#general`; guests aren't: https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack */
function channelsOf({ state }: Workspace, { account, channels }: Invitation) {
  const general = account === 'member' ? state.channels.filter(({ name }) => name === 'general') : [];
  return [...general, ...channels.flatMap((id) => channelById(state, id) ?? [])];
}
